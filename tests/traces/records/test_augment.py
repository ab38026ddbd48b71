"""Mutation finds accepted and rejected calls, stays within its budgets and is reproducible."""

import random
import unittest

from traces.collect.call.spec import Values
from traces.collect.judge.verdict import FAIL, PASS, Verdict
from traces.collect.records.augment import Explorer, Form, Records
from traces.collect.records.select import select
from traces.collect.records.settings import Budget


def explore(rule: object, form: Form, seeds: list[Values], budget: Budget, seed: int = 1) -> Records:
    """Explores an operator whose validity is a Python function."""

    def ask(values: Values) -> Verdict:
        return Verdict(PASS, (values,)) if rule(values) else Verdict(FAIL)  # type: ignore[operator]

    return Explorer(form, seeds, ask, random.Random(seed), budget).explore()


class Explore(unittest.TestCase):
    """augment.Explorer and select."""

    pair = Form(2, ((0,), (1,)))

    def test_finds_all_of_broadcasting(self) -> None:
        """Both sides 1, equality, zeros, and calls that violate one constraint."""
        records = explore(lambda v: v[0] == v[1] or 1 in v, self.pair, [(5, 5)], Budget())
        passing, failing = select(records, Budget())
        self.assertTrue(any(a == 1 and b > 1 for a, b in passing))
        self.assertTrue(any(b == 1 and a > 1 for a, b in passing))
        self.assertTrue(any(a == b and a > 1 for a, b in passing))
        self.assertTrue(any(a == 0 for a, b in passing))
        self.assertTrue(any(abs(a - b) == 1 for a, b in failing))

    def test_keeps_products(self) -> None:
        """reshape(s0 x s1 -> s2 x s3): factors move, so more calls pass than the samples."""
        form = Form(4, ((0, 1),))
        records = explore(lambda v: v[0] * v[1] == v[2] * v[3], form, [(4, 6, 8, 3), (2, 6, 3, 4)], Budget())
        self.assertGreater(len(records.passing), 30)
        self.assertGreater(len(records.failing), 30)

    def test_obeys_guards_and_caps(self) -> None:
        """No negative dimension, no huge tensor, no more than the budget."""
        budget = Budget(trials=200, passing=20, failing=10, elements=100)
        form = Form(3, ((0, 1),))
        records = explore(lambda v: v[2] % 2 == 0, form, [(3, 4, 2)], budget)
        self.assertLessEqual(records.tried, 201)
        for a, b, _ in [*records.passing, *records.failing]:
            self.assertTrue(a >= 0 and b >= 0 and a * b <= 100)
        passing, failing = select(records, budget)
        self.assertEqual((len(passing), len(failing)), (20, 10))
        self.assertFalse(set(passing) & set(failing))

    def test_is_a_function_of_the_seed(self) -> None:
        """Equal seeds give equal records."""
        runs = [
            select(explore(lambda v: v[0] >= v[1], self.pair, [(4, 2)], Budget(), seed), Budget()) for seed in (1, 1, 2)
        ]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_gives_up_on_operators_that_never_fail(self) -> None:
        """Operators without failing calls need fewer trials and keep fewer records."""
        budget = Budget(trials=1000, fruitless=100, passing=60, passing_if_no_failure=30)
        records = explore(lambda v: True, self.pair, [(4, 2)], budget)
        self.assertLessEqual(records.tried, 101)
        self.assertEqual(len(select(records, budget)[0]), 30)

    def test_no_symbols(self) -> None:
        """An operator without symbols has one record."""
        records = explore(lambda v: True, Form(0, ((),)), [()], Budget())
        self.assertEqual(select(records, Budget()), ([()], []))


if __name__ == "__main__":
    unittest.main()

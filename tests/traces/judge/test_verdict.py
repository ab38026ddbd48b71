"""The criteria for passing and failing, and the operators that the filters keep. A toy framework answers."""

import json
import unittest
from collections import Counter
from collections.abc import Callable, Sequence

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import Output
from traces.collect.judge.verdict import FAIL, LOST, MIXED, OTHER, PASS, judge
from traces.collect.records import filter
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings


class Toy:
    """A framework with one function, given as Python: (values, fill) to outputs."""

    name, version = "toy", "1"

    def __init__(self, answer: Callable[[Values, str], tuple[Output, ...]], steady: bool = True) -> None:
        self._answer, self._steady = answer, steady

    def compile(self, api: str, args: Sequence[Json]) -> str:
        """Nothing to do."""
        return api

    def run(self, call: str, values: Values, fill: str) -> tuple[Output, ...]:
        """Asks the function."""
        return self._answer(values, fill)

    def deterministic(self, call: str, values: Values) -> bool:
        """The configured value."""
        return self._steady


def one(*dims: int) -> tuple[Output, ...]:
    """One float output."""
    return ((tuple(dims), "float32"),)


def refused() -> tuple[Output, ...]:
    """Raises as a framework would."""
    raise Rejected("no")


def refuse(condition: bool) -> None:
    """Raises as a framework would."""
    if condition:
        raise Rejected("no")


class Judge(unittest.TestCase):
    """verdict.judge."""

    def verdict(self, answer: Callable[[Values, str], tuple[Output, ...]]) -> str:
        """The verdict on (2,) of an operator with one output of rank 1."""
        return judge(Toy(answer), "f", (2,), [(1, "float32")]).kind

    def test_pass(self) -> None:
        """Equal outputs for all fills."""
        self.assertEqual(self.verdict(lambda v, f: one(2)), PASS)

    def test_fail_needs_all_fills(self) -> None:
        """An index out of range fails for random elements and passes for zeros."""

        def index(values: Values, fill: str) -> tuple[Output, ...]:
            refuse(fill not in ("zeros", "ones"))
            return one(2)

        def never(values: Values, fill: str) -> tuple[Output, ...]:
            raise Rejected("no")

        def divisor(values: Values, fill: str) -> tuple[Output, ...]:
            refuse(fill != "ones")
            return one(2)

        self.assertEqual(self.verdict(index), MIXED)
        self.assertEqual(self.verdict(divisor), MIXED)
        self.assertEqual(self.verdict(never), FAIL)

    def test_outputs_that_depend_on_elements(self) -> None:
        """nonzero is neither."""
        self.assertEqual(self.verdict(lambda v, f: one(1 if f == "wild" else 2)), MIXED)

    def test_other_types(self) -> None:
        """Valid, but with another rank."""
        self.assertEqual(self.verdict(lambda v, f: one(2, 2)), OTHER)

    def test_lost(self) -> None:
        """Out of memory gives no verdict."""

        def lost(values: Values, fill: str) -> tuple[Output, ...]:
            raise Unanswered("out of memory")

        self.assertEqual(self.verdict(lost), LOST)


class Filter(unittest.TestCase):
    """filter.operators and operators.collect_api."""

    calls = tuple(symbolise("toy.f", [("x", True, TensorSpec((n,), "float32")), ("k", True, n)]) for n in (2, 3, 4))

    def reasons(self, toy: Toy) -> list[str]:
        """Why the calls are dropped."""
        reasons: filter.Reasons = Counter()
        found = filter.operators(toy, "toy.f", self.calls, reasons)
        self.assertEqual(found, [])
        return [reason for _, reason in reasons]

    def test_drops_with_reason(self) -> None:
        """Data-dependent operators, and operators that return no tensor."""
        self.assertEqual(self.reasons(Toy(lambda v, f: ())), ["returns no tensor"])
        self.assertIn("value-dependent", self.reasons(Toy(lambda v, f: one(1 if f == "zeros" else 2)))[0])

    def test_marks_random(self) -> None:
        """Nondeterministic elements keep their shapes and are marked, also in the line; nothing else is marked."""
        for steady in (True, False):
            toy = Toy(lambda v, f: one(2), steady=steady)
            answer = collect_api(toy, "toy.f", self.calls, {}, Settings(1, Budget()))
            self.assertTrue(answer["lines"])
            for line in answer["lines"]:
                self.assertEqual(json.loads(line).get("random", False), not steady)

    def test_limits(self) -> None:
        """Limits give fewer operators and records."""
        toy = Toy(lambda v, f: one(*v[-1:]) if v[-1] <= v[0] else refused())
        settings = Settings(1, Budget()).limited({"operators": 1, "records": 7})
        answer = collect_api(toy, "toy.f", self.calls, {}, settings)
        self.assertEqual(answer["counts"]["operators"], 1)
        self.assertEqual((answer["counts"]["pass"], answer["counts"]["fail"]), (7, 7))

    def test_splits_by_output_rank(self) -> None:
        """Even and odd k give other ranks: two operators."""
        toy = Toy(lambda v, f: one(*[2] * (1 + v[-1] % 2)))
        found = filter.operators(toy, "toy.f", self.calls, Counter())
        ours = [o for o in found if "ranks" not in o.sources]
        self.assertEqual([[rank for rank, _ in o.types] for o in ours], [[1], [2]])

    def test_collects_repeatably(self) -> None:
        """The same lines twice, with records on both sides."""

        def narrow(values: Values, fill: str) -> tuple[Output, ...]:
            refuse(values[-1] < 0 or values[-1] > values[0])
            return one(values[-1])

        answers = [collect_api(Toy(narrow), "toy.f", self.calls, {}, Settings(1, Budget())) for _ in range(2)]
        self.assertEqual(answers[0], answers[1])
        self.assertGreater(answers[0]["counts"]["fail"], 10)
        self.assertGreater(answers[0]["counts"]["pass"], 10)


if __name__ == "__main__":
    unittest.main()

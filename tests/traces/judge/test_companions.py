"""Joint moves of several symbols find calls that no change of a single symbol finds."""

import random
import unittest

from traces.collect.call.spec import Values
from traces.collect.judge import companions
from traces.collect.judge.verdict import FAIL, PASS, Verdict
from traces.collect.records.augment import Explorer, Form, Records
from traces.collect.records.settings import Budget

SEED = (2, 4, 8, 8, 2, 18, 6, 6, 6, 4, 3, 3)
FORM = Form(len(SEED), ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)))
HEIGHT, WIDTH = 10, 11


def refusal(values: Values) -> str:
    """Why a convolution with offsets as an input rejects a call; its numbers are printed as a framework does."""
    batch, channels, high, wide, many, offsets, tall, broad, out, depth, height, width = values
    if min(height, width, depth, channels) < 1:
        return "empty"
    if offsets != 2 * height * width:
        return f"offsets: got {offsets}, expected {2 * height * width}"
    if channels % depth or out % (channels // depth):
        return "groups"
    if many != batch:
        return f"batch {many}"
    if (tall, broad) != (high - height + 1, wide - width + 1) or min(tall, broad) < 1:
        return f"sizes {tall}, {broad}"
    return companions.ACCEPTED


def explore(quota: int, said: str | None = None, seed: int = 1) -> Records:
    """Explores it; `said`: the message of every rejection."""

    def ask(values: Values) -> Verdict:
        return Verdict(FAIL) if refusal(values) else Verdict(PASS, (values,))

    def glance(values: Values) -> str:
        text = refusal(values)
        return companions.reason(text if said is None else said) if text else companions.ACCEPTED

    return Explorer(FORM, [SEED], ask, random.Random(seed), Budget(companions=quota), glance).explore()


class Companions(unittest.TestCase):
    """companions.Search, by way of the explorer."""

    def kernels(self, records: Records) -> set[tuple[int, int]]:
        """Kernel sizes of the accepted calls."""
        return {(values[HEIGHT], values[WIDTH]) for values in records.passing}

    def test_finds_other_kernels(self) -> None:
        """The offsets and sizes must move with the kernel; without joint moves only one kernel is found."""
        self.assertEqual(self.kernels(explore(0)), {(3, 3)})
        for seed in (1, 2, 3):
            found = self.kernels(explore(3000, seed=seed))
            self.assertGreater(len({height for height, _ in found}), 3)
            self.assertGreater(len({width for _, width in found}), 3)

    def test_compares_what_is_said(self) -> None:
        """If all rejections have one message, one step of three shows no progress: fewer are found, and the
        search ends."""
        self.assertEqual(self.kernels(explore(3000, said="no")), {(3, 3)})

    def test_leaves_numbers_out(self) -> None:
        """Messages that differ only in numbers are equal; only the first line counts."""
        self.assertEqual(companions.reason("got 18, not 12\nat 0x1"), companions.reason("got 9, not 8\nat 0x2"))
        self.assertNotEqual(companions.reason("got 18 rows"), companions.reason("got 18 columns"))
        self.assertNotEqual(companions.reason(""), companions.ACCEPTED)

    def test_is_a_function_of_the_seed(self) -> None:
        """The budget of queries is not exceeded."""
        runs = [list(explore(500, seed=seed).passing) for seed in (1, 1, 2)]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])


if __name__ == "__main__":
    unittest.main()

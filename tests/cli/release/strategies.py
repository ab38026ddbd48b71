"""rulesmith.strategies, where Hypothesis is: what is drawn is valid or a near miss, and shrinks to the smallest that fails."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample

from rulesmith import Call, UnknownCall, operators, shapes
from rulesmith.strategies import calls

CONV = "torch.nn.functional.conv2d"
_SAME = settings(deadline=None, derandomize=True, max_examples=200, database=None)


def smallest(name: str, wanted: Callable[[Call], bool], **options: Any) -> Call:
    """What Hypothesis shrinks such a call to."""
    found: Call = find(calls(name, **options), wanted, settings=_SAME)
    return found


class Strategies(unittest.TestCase):
    """Of several APIs."""

    def test_valid(self) -> None:
        for name in (CONV, "torch.cat", "onnx.Conv", "torch.nn.functional.avg_pool2d"):
            self._all(name, False, lambda call: call.valid and shapes(call.operator, symbols=call.symbols) == call.shapes)

    def test_near_misses(self) -> None:
        for name in (CONV, "torch.matmul", "onnx.Gemm"):
            self._all(name, True, lambda call: not call.valid and not call.shapes)
            self._all(name, True, lambda call: all(call.symbols[at] >= 0 for at in operators(call.operator)[0].dimensions))

    def _all(self, name: str, near: bool, holds: Callable[[Call], bool]) -> None:
        def check(call: Call) -> None:
            assert holds(call), call

        _SAME(given(calls(name, near_miss=near))(check))()

    def test_shrinks_to_ones(self) -> None:
        for name in (CONV, "torch.matmul", "onnx.Conv", "torch.cat"):
            call = smallest(name, lambda call: True)
            self.assertEqual(set(call.symbols), {1}, call)

    def test_numbers_that_are_tied_shrink_together(self) -> None:
        call = smallest(f"{CONV}-1", lambda call: call.args[0].shape[1] >= 3)  # input[N, C, H, W], weight[O, C, h, w]
        self.assertEqual(call.symbols, (1, 3, 1, 1, 1, 3, 1, 1))

    def test_a_near_miss_is_small(self) -> None:
        call = smallest("torch.mm", lambda call: True, near_miss=True)
        self.assertLessEqual(sorted(call.symbols)[-2], 1, call)

    def test_both(self) -> None:
        for wanted in (True, False):
            call = smallest("torch.mm", partial(lambda wanted, call: call.valid is wanted, wanted), near_miss=None)
            self.assertEqual(call.valid, wanted)

    def test_small_dimensions(self) -> None:
        with self.assertRaises(NoSuchExample):
            smallest("torch.mm", lambda call: max(call.symbols) > 3, high=3)

    def test_unknown(self) -> None:
        with self.assertRaises(UnknownCall):
            calls("torch.nothing")


if __name__ == "__main__":
    unittest.main()

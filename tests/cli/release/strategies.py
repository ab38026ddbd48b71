"""rulesmith.strategies: drawn calls are valid or violate one constraint, differ from each other, and shrink."""

from __future__ import annotations

import contextlib
import unittest
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.errors import NoSuchExample

from rulesmith import Call, UnknownCall, operators, shapes
from rulesmith.strategies import calls

CONV = "torch.nn.functional.conv2d"
_SAME = settings(deadline=None, derandomize=True, max_examples=200, database=None)
_RANDOM = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False)

_FUNCTIONAL = (
    "conv1d conv2d conv_transpose2d max_pool2d avg_pool2d linear layer_norm group_norm batch_norm relu softmax".split()
)
APIS = [f"torch.nn.functional.{name}" for name in _FUNCTIONAL]
APIS += "torch.matmul torch.bmm torch.addmm torch.add torch.cat torch.where onnx.Conv onnx.Gemm onnx.MatMul".split()
EXAMPLES, DISTINCT = 300, 200
RUNS, FOUND, LARGE = 20, 19, 6
"""Of runs that look for a planted bug: those that find it, and the numbers above 1 of the call that each ends with: the kernel
and dilation, and sometimes channels of 2 in the input, the weight and the bias."""


def smallest(name: str, wanted: Callable[[Call], bool], **options: Any) -> Call:
    """The call that Hypothesis shrinks to."""
    found: Call = find(calls(name, **options), wanted, settings=_SAME)
    return found


def without_dilation(call: Call) -> tuple[int, ...]:
    """The height and width of conv2d's output, by an implementation that ignores `dilation`."""
    given_ = dict(zip(operators(call.operator)[0].names, call.args, strict=False)) | dict(call.kwargs)
    if given_.get("padding") == "same":
        return call.shapes[0][-2:]
    image, kernel = given_["input"].shape[-2:], given_["weight"].shape[-2:]

    def pair(name: str, default: int) -> list[int]:
        value = given_.get(name, default)
        value = 0 if value == "valid" else value
        return [value] * 2 if isinstance(value, int) else [*value] * (3 - len(value))

    places = zip(image, kernel, pair("stride", 1), pair("padding", 0), strict=True)
    return tuple((size + 2 * padding - window) // stride + 1 for size, window, stride, padding in places)


def examples(name: str) -> list[Call]:
    """Those that a run with one seed generates."""
    drawn: list[Call] = []

    def keep(call: Call) -> None:
        drawn.append(call)

    seed(1)(settings(_RANDOM, max_examples=EXAMPLES, phases=[Phase.generate])(given(calls(name))(keep)))()
    return drawn


def falsified(number: int) -> Call | None:
    """The call that a run with this seed shows the planted bug by."""
    failing: list[Call] = []

    def check(call: Call) -> None:
        if call.shapes[0][-2:] != without_dilation(call):
            failing.append(call)
            raise AssertionError

    with contextlib.suppress(AssertionError):
        seed(number)(_RANDOM(given(calls(CONV))(check)))()
    return failing[-1] if failing else None


class Strategies(unittest.TestCase):
    """Of several APIs."""

    def test_distinct(self) -> None:
        for name in APIS:
            drawn = examples(name)
            self.assertEqual(len(drawn), EXAMPLES)
            self.assertGreaterEqual(len({(call.operator, call.symbols) for call in drawn}), DISTINCT, name)

    def test_planted_bug(self) -> None:
        found = [call for number in range(RUNS) if (call := falsified(number))]
        self.assertGreaterEqual(len(found), FOUND)
        for call in found:
            self.assertLessEqual(sum(value > 1 for value in call.symbols), LARGE, call)

    def test_valid(self) -> None:
        for name in (CONV, "torch.cat", "onnx.Conv", "torch.nn.functional.avg_pool2d"):
            self._all(name, True, lambda call: call.valid and shapes(call.operator, symbols=call.symbols) == call.shapes)

    def test_violations(self) -> None:
        for name in (CONV, "torch.matmul", "onnx.Gemm"):
            self._all(name, False, lambda call: not call.valid and not call.shapes)
            self._all(name, False, lambda call: all(call.symbols[at] >= 0 for at in operators(call.operator)[0].dimensions))

    def _all(self, name: str, valid: bool, holds: Callable[[Call], bool]) -> None:
        def check(call: Call) -> None:
            assert holds(call), call

        _SAME(given(calls(name, valid=valid))(check))()

    def test_shrinks_to_ones(self) -> None:
        for name in (CONV, "torch.matmul", "onnx.Conv", "torch.cat"):
            call = smallest(name, lambda call: True)
            self.assertEqual(set(call.symbols), {1}, call)

    def test_tied_numbers_shrink_together(self) -> None:
        call = smallest(f"{CONV}-1", lambda call: call.args[0].shape[1] >= 3)  # input[N, C, H, W], weight[O, C, h, w]
        self.assertEqual(call.symbols, (1, 3, 1, 1, 1, 3, 1, 1))

    def test_a_violation_is_small(self) -> None:
        call = smallest("torch.mm", lambda call: True, valid=False)
        self.assertLessEqual(sorted(call.symbols)[-2], 1, call)

    def test_both(self) -> None:
        for wanted in (True, False):
            call = smallest("torch.mm", partial(lambda wanted, call: call.valid is wanted, wanted), valid=None)
            self.assertEqual(call.valid, wanted)

    def test_small_dimensions(self) -> None:
        with self.assertRaises(NoSuchExample):
            smallest("torch.mm", lambda call: max(call.symbols) > 3, high=3)

    def test_unknown(self) -> None:
        with self.assertRaises(UnknownCall):
            calls("torch.nothing")


if __name__ == "__main__":
    unittest.main()

"""Intended differences: optimizations that change results by design, named by two lists in a target's file.

COARSE ones lose precision; their effect is small compared with the maximum element, or with the effect of a quantization step
of the model. QUANTISED ones use 8-bit kernels instead of float kernels; their results may be the adjacent integer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Failed, Interpreter, Model, Values
from rulefuzz.oracle import compare, taint
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import bounds
from rulefuzz.oracle.excuses.noise import LEANS

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check

SHARE = 1 / 16
"""How far COARSE optimizations may move an element, relative to the maximum: 8-bit weights move products by 1/250, and sums by
more."""
RUNS = 8
"""The number of runs: by LEANS, then by one of -1, 0 and 1 for each element."""
FACTOR = 2.0
"""How many times as far as in these runs a tensor may move."""


def meant(check: Check) -> str:
    """The list whose optimizations, with those of the earlier list, must be off for the target to agree; BOTH if those of the
    earlier list alone change results as well; "" if it disagrees even then."""
    coarse, quantised = ([*getattr(check.target.module, kind, ())] for kind in ("COARSE", "QUANTISED"))
    off = _changed(check, coarse + quantised)
    if off is None:
        return ""
    part = _changed(check, coarse) if quantised else off
    if part is not None and check.by(check.target).agrees(part):
        return "COARSE"
    if not quantised or not check.by(check.target).agrees(off):
        return ""
    return "BOTH" if part is not None else "QUANTISED"


def _changed(check: Check, names: Sequence[str]) -> list[Any] | None:
    """The target's results without these optimizations; None if they are those of its last run."""
    if not names:
        return None
    with check.target.without(names):
        return check.changed()


def without_activations(framework: Framework, model: Model) -> frozenset[int]:
    """The tensors computed from dequantized constants and from no other dequantized tensor. 8-bit kernels need quantized
    activations."""
    constants = {t.id for t in model.constants}
    calls = [node for node in model.nodes if unspecified.has("dequantizes", framework.operation(node.api))]
    scaled = {out.id: constants.issuperset(node.refs()[:1]) for node in calls for out in node.outputs}
    weights = model.behind(lambda t, node: scaled.get(t.id, False))
    return weights - model.behind(lambda t, node: not scaled.get(t.id, True))


def stepped(got: Seen, want: Seen, moved: Callable[[], Iterator[Any]]) -> Any:
    """The elements that differ by at most FACTOR quantization steps."""
    covered = ~compare.differing(got[3], want[3])
    if want[2] == "string":
        return covered
    apart = compare.distance(got[3], want[3])
    for most in moved():
        covered = covered | (apart <= FACTOR * most) | np.isinf(most)  # NaN where a step leaves the domain of a call
        if bool(covered.all()):
            break
    return covered


def by_share(kind: str, got: Seen, want: Seen) -> Any:
    """The elements that differ by no more than the optimizations of a list cause without a quantization step."""
    if want[2] in ("bool", "string") or (kind != "COARSE" and want[2].lstrip("u") != "int8"):
        return ~compare.differing(got[3], want[3])
    return compare.distance(got[3], want[3]) <= (1 if kind != "COARSE" else SHARE * abs(want[3] * 1.0).max(initial=0))


class Steps:
    """How far one quantization step moves the tensors of a model: reference runs in which the integers of quantizing calls are
    adjacent ones, made on first use. They show the effect on later tensors, discontinuous ones included."""

    def __init__(self, framework: Framework, model: Model, inputs: Values, reference: Values) -> None:
        self._framework, self._model, self._inputs, self._reference = framework, model, inputs, reference
        self._found: list[Values] = []

    def moved(self, tensor: int) -> Iterator[Any]:
        """How far an element may be from the reference's, after each run. This is the maximum of the tensor, since a
        normalization moves an element if others move. It is infinite for elements that are not comparable in some run."""
        want = self._framework.seen(self._reference[tensor])
        most = np.zeros(want[1])
        for values in () if want[0] or want[2] == "string" else self._runs(tensor):
            other = self._framework.seen(values[tensor]) if tensor in values else None
            if other is None or other[1] != want[1]:
                yield np.full(want[1], np.inf)
                return
            with np.errstate(invalid="ignore"):
                apart = np.asarray(compare.distance(other[3], want[3]))
            most = np.maximum(most, np.where(np.isnan(apart), np.inf, apart))
            finite = np.isfinite(most)
            yield np.where(finite, most.max(initial=0, where=finite), np.inf)

    def _runs(self, tensor: int) -> Iterator[Values]:
        """The runs of the calls that a tensor needs, if one of them quantizes."""
        if not any(self._steps(node.api) for node in self._model.leading_to([tensor]).nodes):
            return
        for number in range(RUNS):
            if number == len(self._found):
                self._found.append(self._run(number))
            yield self._found[number]

    def _steps(self, api: str) -> bool:
        return taint.quantises(self._framework.operation(api))

    def _run(self, number: int) -> Values:
        """The tensors of a run; some are missing if a call fails."""
        draw = np.random.default_rng(self._model.values * RUNS + number)

        def moved(tensor: Any) -> Any:
            _, shape, dtype, array = self._framework.seen(tensor)
            limits = bounds(dtype)
            if limits is None:
                return tensor
            steps = int(LEANS[number]) if number < len(LEANS) else draw.integers(-1, 2, shape)
            stepped = np.clip(np.asarray(array.tolist(), np.int64).reshape(shape) + steps, *limits)
            return self._framework.tensor(stepped, dtype)

        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            return [moved(t) for t in tensors] if self._steps(self._model.nodes[node].api) else tensors

        copies = self._framework.copies(self._inputs, self._model)
        interpreter = Interpreter(self._framework, self._model, copies, after=after, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            interpreter.run()
        return interpreter.values

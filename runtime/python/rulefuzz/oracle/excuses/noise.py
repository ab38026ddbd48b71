"""Movements of a call's results in runs with noise, beside the noise in its operands and results.

Noise moves inexact operands and results by a few units in the last place. Some kernels lose more inside, or lose it where the
operands are exact. Each class here moves the results of some calls, in the order of `rank`, since movements add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Arg, Elements, Model, Node, Raised, Ref, Values, at_work
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import bounds, is_float
from rulefuzz.oracle.excuses.excuse import Excuse

FACTOR = 16.0
"""How many times as far as noise moves it an element may be."""
MANY = 128
"""Minimum number of terms for which the order of addition matters beyond noise."""
DIGITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
"""Bits of an integer that a float holds."""
HALF = frozenset(dtype for dtype, digits in DIGITS.items() if digits < 16)
"""Half precision."""
LEANS = (1.0, -1.0)
"""How the first runs move all values: up or down. A value next to a discontinuity crosses it in one of them."""


@dataclass
class Shaken:
    """A call of a run with noise."""

    framework: Framework
    model: Model
    call: Node
    values: Values
    """The run's tensors so far, moved."""
    reference: Values
    exact: frozenset[int]
    tensors: list[Any]
    """The results, as moved so far."""
    places: Sequence[int]
    """The inexact float results."""
    shake: Callable[[Any], Any]
    run: int
    lean: float

    @property
    def operation(self) -> str:
        return self.framework.operation(self.call.api)

    def has(self, trait: str) -> bool:
        """Whether the operation has a row in the table."""
        return unspecified.has(trait, self.operation)

    def again(self, operands: Values, call: Node | None = None) -> list[Any] | None:
        """The call's results for other operands; None if it rejects them."""
        try:
            return self.framework.tensors_of(at_work(self.framework.run_again, call or self.call, operands))
        except Raised:
            return None

    def copies(self) -> Values:
        """Copies of the operands."""
        return {i: self.framework.copy(self.values[i]) for i in self.call.refs()}


class Noise(Excuse):
    """A movement."""

    rank: ClassVar[int]
    carried: ClassVar[bool] = False
    """Whether it also moves results that are carried in more precision."""

    def applies(self, subject: Shaken) -> list[Any]:
        """The results, moved. Those that do not move are the same objects."""
        raise NotImplementedError


def power(dtype: str) -> int:
    """The power of 2 that values of a dtype of 16 bits or more are below."""
    return int(np.finfo(dtype.replace("bfloat16", "float32").replace("complex32", "float16")).maxexp)


def greatest(array: Any) -> Any:
    """The maximum finite magnitude; 0 if there is none."""
    return np.max(abs(array), where=abs(array) < float("inf"), initial=0.0)


class LiteralScales(Noise):
    """An integer call with literal scales that are rounded: neither integers nor powers of two. They move as inputs do."""

    name, rank = "literal-scale", 0

    @staticmethod
    def scales(framework: Framework, call: Node) -> list[Arg]:
        """The rounded literal scales of a call."""
        if not unspecified.has("by-scales", framework.operation(call.api)):
            return []
        found = [arg for arg in call.args if arg.name.endswith("scale") and isinstance(arg.value, Elements)]
        numbers = {arg.name: framework.seen(framework.build(arg.value, {}))[3].reshape(-1).tolist() for arg in found}
        return [arg for arg in found if any(n % 1 and abs(math.frexp(n)[0]) != 0.5 for n in numbers[arg.name])]

    def applies(self, subject: Shaken) -> list[Any]:
        framework, scales = subject.framework, self.scales(subject.framework, subject.call)
        if not scales:
            return subject.tensors
        moved = {arg.name: Ref(-1 - i) for i, arg in enumerate(scales)}
        operands = subject.copies() | {moved[arg.name].id: subject.shake(framework.build(arg.value, {})) for arg in scales}
        args = tuple(replace(arg, value=moved.get(arg.name, arg.value)) for arg in subject.call.args)
        return subject.again(operands, replace(subject.call, args=args)) or subject.tensors


class QuotientFromTheMinimum(Noise):
    """A quantizing call whose floats lose what a quotient in 32 bits relative to the type's minimum does: 1/128 for 16 bits."""

    name, rank = "quotient-from-the-minimum", 1

    def applies(self, subject: Shaken) -> list[Any]:
        framework, call = subject.framework, subject.call
        limits = bounds(framework.describe(subject.tensors[0])[1]) if subject.tensors else None
        scales = [arg.value for arg in call.args if arg.name == "y_scale"]
        taken = next((arg.value.id for arg in call.args if isinstance(arg.value, Ref)), None)
        if not subject.lean or not limits or not scales or taken is None or not subject.has("saturates"):
            return subject.tensors
        scale = framework.seen(framework.build(scales[0], subject.values))[3]
        _, shape, dtype, array = framework.seen(subject.values[taken])
        if not math.prod(shape) or not scale.size:
            return subject.tensors
        step = float(abs(scale).min()) * (limits[1] - limits[0]) * 2.0 ** (1 - DIGITS["float32"])
        operands = subject.copies() | {taken: framework.tensor(array + subject.lean * step, dtype)}
        return subject.again(operands) or subject.tensors


class RoundedInside(Noise):
    """A call whose inexact results come of exact operands, or that computes in less precision than its operands have. Noise
    leaves exact operands alone, and so misses internal rounding: in the gates of a recurrent layer, or in an inexact sum of
    exact terms that is zero by luck (1 + 2/3 - 5/3)."""

    name, rank, carried = "rounded-inside", 3, True

    def applies(self, subject: Shaken) -> list[Any]:
        framework, call, tensors = subject.framework, subject.call, subject.tensors
        less = framework.stage(call)
        sharp = [i for i in call.refs() if i in subject.exact or (less and self._is_wider(subject, i, less))]
        if not subject.places or not sharp:
            return tensors
        taken = subject.copies()
        taken.update({i: subject.shake(taken[i]) for i in sharp})
        others, found = subject.again(taken), list(tensors)
        for i in subject.places if others is not None else ():
            seen = framework.seen(tensors[i])
            other = framework.seen(others[i]) if others and i < len(others) else None
            if other and not other[0] and other[:3] == seen[:3] and bool((abs(other[3]) < float("inf")).all()):
                found[i] = others[i] if others else found[i]
        return found

    @staticmethod
    def _is_wider(subject: Shaken, tensor: int, other: str) -> bool:
        """Whether an operand's float dtype has more bits than another."""
        return DIGITS.get(subject.framework.describe(subject.values[tensor])[1], 0) > DIGITS.get(other, 0)


class LongSums(Noise):
    """A sum, moved by its rounding: half a unit for each term, as for terms added in order in 32 bits (or in the operands'
    precision for reductions), divided by FACTOR. A result that equals an operand is no sum. A subtracted mean adds its own
    error and that share of the maximum; window transforms add two units of it."""

    name, rank = "long-sum", 4

    def applies(self, subject: Shaken) -> list[Any]:
        framework, lean = subject.framework, subject.lean
        if not lean or not subject.places:
            return subject.tensors
        made = [*map(framework.seen, subject.tensors)]
        operands = (framework.seen(subject.values[i]) for i in subject.call.refs())
        taken = [seen for seen in operands if is_float(seen[2]) and not seen[0]]
        least = min((math.prod(seen[1]) for seen in made if math.prod(seen[1])), default=0)
        if not least:
            return subject.tensors
        terms = max((math.prod(seen[1]) for seen in taken), default=0) / (1 if subject.has("spreading-sum") else least)
        terms = terms if terms >= MANY else 0
        found, centred = list(subject.tensors), bool(terms) and subject.has("centred-sum")
        means = self._by_mean(subject, made, terms * 0.5 ** DIGITS["float32"] / FACTOR) if centred else []
        windows = subject.has("window-transform")
        for i in subject.places if terms or windows else ():
            layout, shape, dtype, elements = made[i]
            array = np.array(elements.tolist())
            if layout or not array.size:
                continue
            is_sum = not any(self._are_among(array, seen[3]) for seen in taken)
            digits = DIGITS.get(framework.stage(subject.call) or dtype, DIGITS["float32"])
            unit = 0.5 ** (digits if subject.has("narrow-sum") else max(digits, DIGITS["float32"])) * is_sum
            lost = terms * unit / FACTOR
            by = greatest(array) * (2 * unit if windows else lost if centred else 0.0)
            by = by + (means[i].reshape(array.shape) if means else 0.0)
            moved = array * (1 + lean * lost) + lean * by * np.where(array < 0, -1, 1)
            found[i] = framework.elements(moved.reshape(shape).tolist(), dtype)
        return found

    @staticmethod
    def _by_mean(subject: Shaken, made: Sequence[Seen], share: float) -> list[Any]:
        """How far results move if the subtracted mean is off by this share of the maximum operand, as operands moved at random
        by as much show. Nearly equal operands move much."""
        framework = subject.framework
        seen = {i: framework.seen(subject.values[i]) for i in subject.call.refs()}
        taken = max((i for i in seen if is_float(seen[i][2]) and not seen[i][0]), key=lambda i: math.prod(seen[i][1]))
        _, shape, dtype, elements = seen[taken]
        array = np.array(elements.tolist())
        signs = np.random.default_rng(0).choice([-share, share], math.prod(shape)).reshape(shape)
        others = subject.again(subject.copies() | {taken: framework.tensor(array + signs * greatest(array), dtype)})
        if others is None:
            return [np.zeros(1) for _ in made]
        pairs = zip(made, map(framework.seen, others), strict=False)
        moved = [abs(other[3] - one[3]) if other[:3] == one[:3] else np.zeros(1) for one, other in pairs]
        return [np.where(by < float("inf"), by, 0.0) for by in moved]

    @staticmethod
    def _are_among(array: Any, operand: Any) -> bool:
        """Whether all elements are elements of an operand. The first ones decide for nearly all calls, without sorting it."""
        few = array.reshape(-1)[:4]
        return all(bool((operand == one).any()) for one in few.tolist()) and bool(
            np.isin(array, np.array(operand.tolist())).all())  # fmt: skip


class SharedMean(Noise):
    """A call that subtracts a mean, moved to one side. All elements share the rounding error of the mean, whereas moved
    operands leave the sum of results at 0, which a later call may use. They move by 1/FACTOR of what moved operands cause,
    about half a unit."""

    name, rank = "shared-mean", 5

    def applies(self, subject: Shaken) -> list[Any]:
        framework, found = subject.framework, list(subject.tensors)
        lean = 0.0 if subject.lean else (-1.0) ** subject.run
        for i in subject.places if subject.has("centred-sum") else ():
            layout, shape, dtype, elements = framework.seen(found[i])
            out = subject.call.outputs[i].id
            other = framework.seen(subject.reference[out]) if out in subject.reference else None
            if not layout and other and other[1] == shape:
                array = np.array(elements.tolist())
                apart = abs(array - np.array(other[3].tolist()))
                moved = array + lean * np.where(apart < float("inf"), apart, 0.0) / FACTOR
                found[i] = framework.elements(moved.reshape(shape).tolist(), dtype)
        return found


def moved(kinds: Sequence[Noise], subject: Shaken, found: dict[int, frozenset[str]]) -> list[Any]:
    """The results of a call after all movements. `kinds`: by rank. `found`: gets the names of those that moved each result."""
    for kind in kinds:
        before = subject.tensors
        subject.tensors = kind.applies(subject)
        for out, one, other in zip(subject.call.outputs, before, subject.tensors, strict=False):
            if one is not other:
                found[out.id] = found.get(out.id, frozenset()) | {kind.name}
    return subject.tensors


def sources(model: Model, tensor: int, found: Mapping[int, frozenset[str]]) -> frozenset[str]:
    """The movements that took part in a tensor of a run."""
    return frozenset().union(*(found.get(i, frozenset()) for i in model.leading_to([tensor]).made()))

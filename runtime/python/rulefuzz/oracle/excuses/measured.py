"""Elements that are equal, or as close to the reference's as rounding was measured to move them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulefuzz.model import Values
from rulefuzz.oracle import compare, excuses, tolerance
from rulefuzz.oracle.compare import differing
from rulefuzz.oracle.excuses.difference import EQUAL, INSIGNIFICANT, Difference, Element
from rulefuzz.oracle.excuses.excuse import Excuse
from rulefuzz.oracle.excuses.noise import DIGITS, FACTOR, power, sources

STEPS = 2
"""How far an integer may be off if its quotient or its zero point is at a tie."""
JUMP = 0.25
"""The share of itself that a float moves by at a discontinuity. Noise moves some half-precision floats by a tenth."""
LITTLE = 0.5**16
"""By which share of itself noise moves an integer that was made of a float, at most."""


class OtherSign(Element):
    """−0 instead of 0, or NaN with another sign: elements that are equal."""

    name, grade = "other-sign", EQUAL

    def applies(self, subject: Difference) -> Any:
        return compare.other_signs(subject.got, subject.want) if subject.is_float else subject.none()


class BelowTheFloor(Element):
    """A float that is off by less than the tolerance, such as a flushed denormal."""

    name, grade = "below-the-floor", INSIGNIFICANT

    def applies(self, subject: Difference) -> Any:
        if not subject.is_float:
            return subject.none()
        return subject.left & ~differing(subject.got[3], subject.want[3], *subject.limits)


class NearOverflow(Element):
    """An infinity on one side, and more than 1/16 of the dtype's maximum on the other: an
    intermediate sum or product may overflow."""

    name = "near-overflow"

    def applies(self, subject: Difference) -> Any:
        if not subject.is_float:
            return subject.none()
        (got, want), infinity = (subject.got[3], subject.want[3]), float("inf")
        dtype = subject.want[2]
        near = math.ldexp(1 / FACTOR, power(dtype)) if dtype in DIGITS or "complex" in dtype else infinity
        one, other = abs(got), abs(want)
        alike = (got > 0) == (want > 0) if "complex" not in dtype else True
        return ((one == infinity) != (other == infinity)) & (one > near) & (other > near) & alike


@dataclass
class Near:
    """The elements of one reference run, beside those of the target and the reference."""

    difference: Difference
    other: Any
    """The run's; None if it has the tensor with another shape or not at all."""
    centre: Any
    """What the target's are compared with: the reference's, or those of the run in 64 bits."""
    values: Values | None
    """All tensors of the run; None for the run in 64 bits."""

    @property
    def measured(self) -> bool:
        """Whether the tolerance is measured, rather than published."""
        return self.difference.rounding.preset == tolerance.MEASURED

    def none(self) -> Any:
        """A mask without elements."""
        return self.difference.none()

    def all(self) -> Any:
        """A mask of all elements."""
        return ~self.none()

    def zero_point(self, groups: Mapping[int, frozenset[int]]) -> bool:
        """Whether the run has another value for a zero point of the tensor, in this table of `Rounding`."""
        return bool(self.values) and self.difference.rounding.has_other(
            groups.get(self.difference.tensor, frozenset()), self.values or {})  # fmt: skip


class Step(Excuse):
    """Elements that a run with noise, or in 64 bits, explains."""

    def applies(self, subject: Near) -> Any:
        """The elements."""
        raise NotImplementedError


class ShapeAfterRounding(Step):
    """A run that has another shape, since uniqueness depends on equality, or that stops before the tensor."""

    name = "shape-after-rounding"

    def applies(self, subject: Near) -> Any:
        return subject.all() if subject.other is None else subject.none()


class ZeroPointStep(Step):
    """A run with another zero point. Nothing behind it is comparable, since integers that compensate its step leave some
    unchanged."""

    name = "computed-zero-point"

    def applies(self, subject: Near) -> Any:
        difference = subject.difference
        if subject.other is None or not subject.zero_point(difference.rounding.zero_points):
            return subject.none()
        return subject.all() if bool((subject.other != difference.want[3]).any()) else subject.none()


class TieOfAQuotient(Step):
    """An integer that is a rounded quotient plus a zero point: not comparable if noise moves it far, or off by as little as
    ties move it."""

    name = "tie-of-a-quotient"

    def applies(self, subject: Near) -> Any:
        difference, groups = subject.difference, subject.difference.rounding.quantised
        if subject.other is None or difference.is_float or difference.tensor not in groups:
            return subject.none()
        got, want, other = difference.got[3], difference.want[3], subject.other
        far, step = compare.distance(got, want), compare.distance(other, want)
        beside = subject.zero_point(groups)  # which a tie of the element's own quotient may compensate
        return (step > STEPS) | (((step > 0) | beside) & (far <= STEPS))


class Discontinuity(Step):
    """An element that a run moves across a discontinuity: by more than NeuRI's tolerance and a share of itself, or to another
    integer. An integer that was made of a large float moves by little of itself, and only explains differences of that size: a
    conversion that saturates is far from it."""

    name = "discontinuity"

    def applies(self, subject: Near) -> Any:
        difference, other = subject.difference, subject.other
        want = difference.want
        if other is None:
            return subject.none()
        if difference.is_float:
            jump = ~(compare.distance(other, want[3]) <= JUMP * abs(want[3])) if subject.measured else subject.none()
            return jump & differing(other, want[3], *tolerance.bounds("neuri", want[2]))
        moved = other != want[3]
        if difference.tensor in difference.rounding.quantised:
            return subject.none()
        if "int" not in want[2] or not bool(moved.any()):
            return moved
        far, step, size = compare.distance(difference.got[3], want[3]), compare.distance(other, want[3]), abs(want[3] * 1.0)
        continuous = (size >= 2.0 ** DIGITS["float32"]) & (step <= LITTLE * size)
        return moved & (~continuous | (far <= FACTOR * step))


class Rounded(Step):
    """A float about as far from the centre as the run is from the reference."""

    name = "rounding"

    def applies(self, subject: Near) -> Any:
        difference = subject.difference
        if subject.other is None or not difference.is_float or not subject.measured:
            return subject.none()
        far = abs(difference.got[3] - subject.centre)
        near = far <= FACTOR * abs(subject.other - difference.want[3])
        return near | ~differing(difference.got[3], subject.centre, *difference.limits)


class Published(Step):
    """With a published tolerance: an element that the run moves by more."""

    name = "published-tolerance"

    def applies(self, subject: Near) -> Any:
        difference = subject.difference
        if subject.other is None or not difference.is_float or subject.measured:
            return subject.none()
        return differing(subject.other, difference.want[3], *difference.limits)


class ByWideRun(Element):
    """About as close to the run in 64 bits as the reference's element."""

    name, cost = "as-close-to-64-bits", 3

    def applies(self, subject: Difference) -> Any:
        if subject.wide is None:
            return subject.none()
        near = Near(subject, subject.wide, subject.wide, None)
        found = {(self if isinstance(step, Rounded) else step).name: step.applies(near) for step in excuses.of_kind(Step)}
        return {name: mask & subject.left & ~_lost(subject) for name, mask in found.items()}


class ByRuns(Element):
    """An element that a run with noise explains."""

    name, cost = "run-with-noise", 5

    def applies(self, subject: Difference) -> dict[str, Any]:
        if subject.wide is None:
            return by_runs(subject, subject.left, None)
        lost = _lost(subject)
        found = by_runs(subject, subject.left & ~lost, subject.wide)
        for name, mask in by_runs(subject, lost, None).items():
            found[name] = found[name] | mask if name in found else mask
        return found


def _lost(subject: Difference) -> Any:
    """The elements that only the run in 64 bits has as NaN: more precision makes no NaN of a number; another kernel does."""
    return subject.left & (subject.wide != subject.wide) & (subject.want[3] == subject.want[3])


def by_runs(subject: Difference, mask: Any, wide: Any) -> dict[str, Any]:
    """The elements of a mask that runs with noise explain, by the names of the excuses."""
    rounding, found = subject.rounding, dict[str, Any]()
    if not bool(mask.any()) or subject.tensor not in rounding.moved:
        return found
    steps = excuses.of_kind(Step)
    for run in rounding.runs():
        other = rounding.elements(run.values, subject.tensor, subject.want)
        near = Near(subject, other, subject.want[3] if wide is None else wide, run.values)
        covered = mask & ~mask
        for step in steps:
            part = step.applies(near) & mask
            covered = covered | part
            if bool(part.any()):
                names = {step.name, *([run.kind] if run.kind else sources(rounding.model, subject.tensor, run.sources))}
                found.update({name: found[name] | part if name in found else part for name in names})
        mask = mask & ~covered
        if not bool(mask.any()):
            break
    return found

"""Elements that a second implementation of the call gives as the target does."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from rulefuzz.framework import Seen
from rulefuzz.model import Node, Values
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import is_float, said
from rulefuzz.oracle.excuses.difference import Difference, Element
from rulefuzz.oracle.excuses.measured import STEPS
from rulefuzz.oracle.excuses.noise import DIGITS, HALF, power


def by_second(subject: Difference, values: Values) -> Seen | None:
    """The tensor as a second implementation of its call gives it; None without one."""
    others = subject.framework.second(subject.node, values) if subject.node else None
    if others is None or subject.node is None:
        return None
    place = [out.id for out in subject.node.outputs].index(subject.tensor)
    return subject.framework.seen(others[place])


def weighs(node: Node, operation: str) -> bool:
    """Whether a call of this operation adds up weighted elements."""
    return any(said(node, row.arguments[0]) in row.arguments[1:] for row in unspecified.found("weighs", operation))


class LogarithmOfASoftmax(Element):
    """Logarithms of one softmax value, or of two subnormal ones that a few roundings separate."""

    name, cost = "logarithm-of-a-softmax", 0

    def applies(self, subject: Difference) -> Any:
        got, want, dtype = subject.got[3], subject.want[3], subject.want[2]
        if dtype not in DIGITS or not unspecified.has(self.name, subject.operation):
            return subject.none()
        unit = math.ldexp(1.0, 3 - power(dtype) - DIGITS[dtype])
        with np.errstate(over="ignore", invalid="ignore"):
            return abs(np.exp(got) - np.exp(want)) <= STEPS * unit


class Seconded(Element):
    """Half-precision, NaN and infinite elements that a second implementation gives as well: intermediate results may overflow
    or round in one order or precision and not in the reference's. If it gives other elements than the reference for half
    precision in 32 bits as well, it computes another function."""

    name, cost = "seconded", 4

    def applies(self, subject: Difference) -> Any:
        got, want = subject.got, subject.want
        if "float" not in want[2] or subject.node is None:
            return subject.none()
        endless = subject.left & ~(abs(got[3]) < float("inf")) if want[2] not in HALF else subject.left
        if not bool(endless.any()):
            return subject.none()
        values, limits = subject.check.reference.values, tolerance.bounds("neuri", want[2])
        second = by_second(subject, values)
        if second is None or compare.other_structure(second, want):
            return subject.none()
        covered = endless & ~compare.differing(got[3], second[3], *limits)
        if want[2] not in HALF or not bool(covered.any()):
            return covered
        framework = subject.framework
        half = [i for i in subject.node.refs() if framework.describe(values[i])[1] in HALF]
        wide = by_second(subject, values | {i: framework.narrowed(values[i], "float32") for i in half})
        return covered & ~compare.differing(wide[3], want[3], *limits) if wide and wide[1] == want[1] else covered


class WeightedSum(Element):
    """An adjacent integer where a weighted sum is rounded to an integer: 1 may be 0.9999999 before."""

    name, cost = "weighted-sum", 6

    def applies(self, subject: Difference) -> Any:
        if subject.node is None or "int" not in subject.want[2] or not weighs(subject.node, subject.operation):
            return subject.none()
        return compare.distance(subject.got[3], subject.want[3]) <= 1


class SkippedDiscontinuity(Element):
    """A discontinuity that the reference lacks (Resize without a region): a second implementation gives the target's result for
    the target's operands and another one for the reference's."""

    name, cost = "skipped-discontinuity", 7

    def applies(self, subject: Difference) -> Any:
        given, want = subject.check.given, subject.want
        if subject.node is None or not given.keys() & set(subject.node.refs()):
            return subject.none()
        values = subject.check.reference.values
        before, now = (by_second(subject, values | more) for more in ({}, given))
        if not before or not now or compare.other_structure(before, want) or compare.other_structure(now, want):
            return subject.none()
        differ = functools.partial(compare.differing, absolute=limits(want)[0], relative=limits(want)[1])
        return differ(before[3], now[3]) & ~differ(subject.got[3], now[3])


def limits(want: Seen) -> tuple[float, float]:
    """The tolerance between independent implementations: none for integers and booleans."""
    return tolerance.bounds("neuri", want[2]) if is_float(want[2]) else (0.0, 0.0)

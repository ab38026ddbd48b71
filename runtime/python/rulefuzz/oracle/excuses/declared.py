"""Differences that the target's file declares: approximations, optimizations that change results by design, missing types."""

from __future__ import annotations

import functools
from typing import Any

from rulefuzz.oracle import coarse, compare, tolerance
from rulefuzz.oracle.excuses.difference import INSIGNIFICANT, Difference, Element
from rulefuzz.oracle.excuses.excuse import Excuse


class Approximation(Element):
    """A function that the target approximates by design (APPROXIMATES), and all that is computed from it: within
    NeuRI's tolerance."""

    name, grade, cost = "approximation", INSIGNIFICANT, 1

    def applies(self, subject: Difference) -> Any:
        check, (got, want) = subject.check, (subject.got, subject.want)
        none = subject.none()
        if not check.target.approximates or "float" not in want[2] or not subject.any():
            return none
        if subject.tensor not in check.approximate() or subject.tensor in subject.rounding.exact():
            return none
        absolute, relative = tolerance.bounds("neuri", want[2])
        finite = abs(want[3])[abs(want[3]) < float("inf")]
        most = max(finite.reshape(-1).tolist(), default=1.0)
        return ~compare.differing(got[3], want[3], absolute * max(1.0, most), relative)


class Optimization(Element):
    """An optimization without which the target agrees. It is asked before runs of the reference, which cost more."""

    cost = 1
    kinds: tuple[str, ...]

    def applies(self, subject: Difference) -> Any:
        check = subject.check
        if not subject.any() or check.meant not in self.kinds or not check.is_meant(subject.tensor):
            return subject.none()
        return self.little(subject)

    def little(self, subject: Difference) -> Any:
        """The elements that differ by no more than it may cause."""
        return coarse.by_share(subject.check.meant, subject.got, subject.want)


class CoarsePass(Optimization):
    """An optimization that loses precision (COARSE): little, compared with the maximum element."""

    name, kinds = "coarse-pass", ("COARSE",)


class EightBitKernel(Optimization):
    """An 8-bit kernel instead of a float kernel (QUANTISED): the adjacent integer, unless only constants are
    dequantized before."""

    name, kinds = "8-bit-kernel", ("QUANTISED", "BOTH")


class MergedQuantization(Optimization):
    """A quantization that such a pass removes: at most twice as far as a quantization step of the model moves the tensor."""

    name, cost, kinds = "merged-quantization", 2, ("COARSE", "BOTH")

    def little(self, subject: Difference) -> Any:
        return coarse.stepped(subject.got, subject.want, functools.partial(subject.check.stepped, subject.tensor))


class NoScalars(Excuse):
    """One element in a dimension for a scalar, by a target without scalars (SCALARS)."""

    name = "no-scalars"


class NarrowIntegers(Excuse):
    """An integer beyond 32 bits, by a target that has none (NARROW), and all that is computed from it."""

    name = "no-64-bit-integers"

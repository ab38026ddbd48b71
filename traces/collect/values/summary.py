"""Summary of one output of an operator over all drawings of some variants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from traces.collect.values import classes
from traces.collect.values.classes import ANY, FINITE, Seen
from traces.collect.values.drawings import corners

MARGIN = 4
"""Factor by which elements may exceed the observed ones if they depend on the shapes."""
SAME = 1e-3
"""Relative difference below which values count as equal."""


@dataclass
class Summary:
    """One output over all drawings of all variants of a tuple of dtypes."""

    dtype: str
    finite: bool
    low: float
    high: float
    ends: tuple[float, float]
    """The minimum for all-low inputs and the maximum for all-high inputs that hold in every variant: the maximum of the
    minima, the minimum of the maxima."""
    steady: bool
    """True if the extremes are those of constant inputs and equal for records of different sizes."""

    def stays(self, kind: int) -> bool:
        """True if elements of a class stay in it and reach its end in each variant, as for copies, means and maxima."""
        if not self.finite or not classes.within(self.low, self.high, kind, self.dtype):
            return False
        low, high = classes.interval(kind, self.dtype)
        near = classes.slack(self.dtype)
        at_low, at_high = abs(self.ends[0] - low) <= near * abs(low), abs(self.ends[1] - high) <= near * abs(high)
        return self.dtype != "bool" and (at_low or at_high)

    def bounds(self) -> tuple[float, float]:
        """The range of the elements, with a margin if they may grow with the shapes."""
        if self.steady or self.dtype == "bool":
            return self.low, self.high
        low = self.low * MARGIN if self.low < 0 else self.low / MARGIN
        return low, self.high * MARGIN if self.high > 0 else self.high / MARGIN

    def kind(self, given: int | None) -> int:
        """The output's class if the widest input has the class `given`."""
        if not self.finite:
            return ANY
        if given is not None and self.stays(given):
            return min(given, FINITE)
        return next((kind for kind in range(FINITE) if classes.within(*self.bounds(), kind, self.dtype)), FINITE)

    def safe(self, given: int | None) -> bool:
        """True if it is finite, and stays so with larger shapes."""
        if not self.finite:
            return False
        if self.dtype not in classes.LIMITS or (given is not None and self.stays(given)):
            return True
        low, high = self.bounds()
        return max(-low, high) <= classes.LIMITS[self.dtype] * (1 + classes.SLACK)


def summarised(runs: Sequence[Sequence[Seen]], sizes: Sequence[int], inputs: int) -> Summary | None:
    """The summary of one output; None if it is always empty. `runs`: the drawings of each variant."""
    full = [(run, size) for run, size in zip(runs, sizes, strict=True) if not run[0].empty]
    if not full:
        return None
    dtype = full[0][0][0].dtype
    low, high = min(s.low for run, _ in full for s in run), max(s.high for run, _ in full for s in run)
    count = corners(inputs)
    at_ends = [[end for s in run[:count] for end in (s.low, s.high)] for run, _ in full]
    steady = len({size for _, size in full}) > 1 and all(
        math.isclose(a, b, rel_tol=SAME, abs_tol=1e-6) for other in at_ends[1:] for a, b in zip(at_ends[0], other, strict=True)
    )
    span = max(abs(low), abs(high)) * SAME
    steady = steady and min(at_ends[0]) - low <= span and high - max(at_ends[0]) <= span
    ends = (max(run[min(1, len(run) - 1)].low for run, _ in full), min(run[0].high for run, _ in full))
    return Summary(dtype, all(s.finite for run, _ in full for s in run), low, high, ends, steady)

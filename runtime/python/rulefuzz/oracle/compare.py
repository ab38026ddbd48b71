"""When two results differ; docs/reference/oracle.md specifies it.

Tensors are compared in the form of Framework.seen, whose arrays may be of any library. Repro scripts contain copies of the
first four functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulefuzz.framework import Seen


def differing(got: Any, want: Any, absolute: float = 0.0, relative: float = 0.0) -> Any:
    """The elements that differ: |got - want| > absolute + relative * |want|. NaN equals only NaN, infinity only itself."""
    if absolute == relative == 0.0:
        return (got != want) & ~((got != got) & (want != want))
    infinity = float("inf")
    near = (abs(got - want) <= absolute + relative * abs(want)) & (abs(got) < infinity) & (abs(want) < infinity)
    return ~((got == want) | ((got != got) & (want != want)) | near)


def other_structure(got: Seen, want: Seen) -> str:
    """How two results differ in layout, shape or dtype; "" if they do not."""
    if got[0] != want[0]:
        return "not a tensor of the same layout"
    if got[1] != want[1]:
        return f"shape {list(got[1])} instead of {list(want[1])}"
    if got[2] != want[2]:
        return f"dtype {got[2]} instead of {want[2]}"
    return ""


def other_elements(differ: Any, got: Seen, want: Seen) -> str:
    """How many elements differ, and the first; "" if none does."""
    mask = differ.reshape(-1).tolist()
    if True not in mask:
        return ""
    place = mask.index(True)
    at, left = [], place
    for size in reversed(want[1]):
        at.append(left % size)
        left //= size
    one, other = (getattr(x, "item", lambda x=x: x)() for x in (got[3].reshape(-1)[place], want[3].reshape(-1)[place]))
    return f"{sum(mask)} of {len(mask)} elements, first at {at[::-1]}: {one} instead of {other}"


def other_strides(got: Any, want: Any) -> str:
    """For targets that need not keep strides."""
    return ""


def difference(got: Seen, want: Seen, absolute: float = 0.0, relative: float = 0.0) -> str:
    """How two results differ; "" if they do not. Integers, booleans and strings are compared exactly."""
    structure = other_structure(got, want)
    if structure:
        return structure
    if "float" not in want[2] and "complex" not in want[2]:
        absolute = relative = 0.0
    return other_elements(differing(got[3], want[3], absolute, relative), got, want)


# ---- for the worker alone


def as_scalar(got: Seen, want: Seen) -> Seen:
    """The target's tensor in the other's shape, if one is a scalar and the other has shape (1,)."""
    if got[0] or want[0] or {got[1], want[1]} != {(), (1,)}:
        return got
    return got[0], want[1], got[2], got[3].reshape(want[1])


def same(first: Seen, second: Seen) -> bool:
    """Whether two results are equal, with NaN equal to NaN. Tensors that are not dense are not inspected."""
    return bool(first[0]) or not difference(first, second)


def distance(one: Any, other: Any) -> Any:
    """How far numbers are apart, in float64 if integers would wrap (numpy, unsigned) or torch has no kernel (unsigned)."""
    if isinstance(one, np.ndarray):
        return abs(one * np.float64(1) - other)
    if "uint" in str(one.dtype):
        one, other = one.double(), other.double()
    return abs(one - other) * 1.0


def other_signs(got: Seen, want: Seen) -> Any:
    """The equal elements, NaN among them, whose sign bits differ in some part."""
    one, other = np.asarray(got[3]), np.asarray(want[3])
    parts = [(one.real, other.real), (one.imag, other.imag)] if "complex" in want[2] else [(one, other)]
    signs = [np.signbit(a) != np.signbit(b) for a, b in parts]
    return np.logical_or.reduce(signs) & ~differing(one, other)

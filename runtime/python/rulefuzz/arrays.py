"""Tensors as numpy arrays, for the frameworks that convert to numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

HALF = ("float16", "bfloat16")
TINY = {"float16": 2.0**-24, "bfloat16": 2.0**-133}
"""The smallest number above zero."""


def is_float(dtype: str) -> bool:
    """Whether a dtype has a smallest step between its numbers."""
    return "float" in dtype or "complex" in dtype


def extent(array: Any) -> tuple[bool, Any, Any]:
    """Whether all elements are finite, and the minimum and maximum of those that are (None without any)."""
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    plain = array.astype(np.float64)
    usable = plain[np.isfinite(plain)]
    if not usable.size:
        return not plain.size, None, None
    return usable.size == plain.size, float(usable.min()), float(usable.max())


def wide(array: Any, dtype: str) -> Any:
    """The elements in the widest type of their kind."""
    if "complex" in dtype:
        return array.astype(np.complex128)
    return array.astype(np.float64) if "float" in dtype else array


def smallest_step(dtype: str, kind: Any) -> float:
    """The distance from 1 to the next number, for dtypes of numpy and registered ones."""
    if kind.kind in "fc":
        return float(np.finfo(kind).eps)
    return {"bfloat16": 2.0**-7}.get(dtype, 2.0**-2)


def _largest(array: Any) -> float:
    """The maximum finite magnitude; 0 without any."""
    sizes = abs(array)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


def ends(array: Any, dtype: str, step: float) -> Any:
    """The elements that are infinite, or overflow if they grow by a step: the extreme numbers of a dtype stand for infinity."""
    with np.errstate(over="ignore", invalid="ignore"):
        return ~np.isfinite((wide(array, dtype) * (1 + step)).astype(array.dtype))


def shaker(seed: int, lean: float = 0.0) -> Callable[[Any, str], Any]:
    """See Framework.shaker; for an array and its dtype."""
    generator = np.random.default_rng(seed)

    def shake(array: Any, dtype: str) -> Any:
        if not is_float(dtype):
            return array
        units = 2 if dtype in HALF else 8
        step = smallest_step(dtype, array.dtype) * units
        noise = (lean or generator.random(array.shape) * 2 - 1) * step
        before = wide(array, dtype)
        still = ends(array, dtype, step)
        moved = before * (1 + noise)
        if "complex" in dtype:  # a part is as exact as the whole number is large
            turn = (lean or generator.random(array.shape) * 2 - 1) * step
            moved = np.where(np.isfinite(moved), moved + 1j * turn * abs(moved), moved)
        if lean:
            moved = moved + (array != 0) * lean * smallest_step(dtype, array.dtype) * _largest(np.where(still, 0, moved))
        elif dtype in HALF:  # nonzero in implementations with more precision
            moved = moved + (array == 0) * generator.integers(-1, 2, array.shape) * TINY[dtype]
        return np.where(still, before, moved).astype(array.dtype)

    return shake

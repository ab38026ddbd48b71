"""Classes of element values: their ranges, tensors drawn from them, and the class of a result.

The classes form a chain, each containing the ones before it (runtime/include/ruletable.h). How the tensors of a call are
filled is a text, so that journals and pipes can carry it: one token per tensor; "2h,1r0" fills the first with the high
end of class 2 and the second with random elements of class 1. This file is independent of the framework.
"""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

UNIT, POSITIVE, SMALL, LARGE, FINITE, ANY = range(6)
COUNT = 6
NONE = 255
"""No class."""
LETTERS = "upslfa"
POOL = 1 << 12
"""Elements drawn once per dtype, class and mode; tensors are slices of it."""
SLACK = 0.01
"""Relative tolerance for rounding at a class's ends; SLACK8 for dtypes of at most 8 bits."""
SLACK8 = 0.07
LOW, HIGH, ZERO, ONE, MINUS, RANDOM, OWN = "l", "h", "z", "o", "m", "r", "x"
"""Modes of a token: one value everywhere; random elements that include the ends and (SMALL and wider) 0 and ±1, followed by
a seed; the framework's own fill (strings)."""

LIMITS: dict[str, float] = {
    "float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38,
    "float64": 1.7976931348623157e308, "complex32": 65504.0, "complex64": 3.4028234663852886e38,
    "complex128": 1.7976931348623157e308, "float8e4m3fn": 448.0, "float8e5m2": 57344.0, "float8e4m3fnuz": 240.0,
    "float8e5m2fnuz": 57344.0, "float8e8m0": 1.7014118346046923e38, "float4e2m1": 6.0,
}  # fmt: skip
"""The maximum element of dtypes that are not integers; of both parts if complex."""


@dataclass(frozen=True)
class Seen:
    """One output tensor, observed."""

    dims: tuple[int, ...]
    dtype: str
    finite: bool
    low: float
    high: float
    """Minimum and maximum of its finite elements; (inf, -inf) if there are none. Complex: over both parts."""

    @property
    def empty(self) -> bool:
        """True if nothing is known about its elements."""
        return self.low > self.high


def known(dtype: str) -> bool:
    """True if elements of this dtype have classes."""
    return dtype in LIMITS or dtype == "bool" or _integer(dtype) is not None


def narrow(dtype: str) -> bool:
    """True if elements overflow long before a float32 does (float16 and smaller), or are complex. Such calls can only restrict
    an operator's inputs to small elements."""
    return dtype in LIMITS and (LIMITS[dtype] < 1e6 or dtype.startswith("complex"))


@functools.lru_cache(64)
def _integer(dtype: str) -> tuple[int, int] | None:
    """The ends of a dtype of integers."""
    bits = dtype.removeprefix("u").removeprefix("int")
    if not dtype.removeprefix("u").startswith("int") or not bits.isdigit():
        return None
    return (0, 2 ** int(bits) - 1) if dtype.startswith("u") else (-(2 ** (int(bits) - 1)), 2 ** (int(bits) - 1) - 1)


@functools.lru_cache(1024)
def interval(kind: int, dtype: str) -> tuple[float, float]:
    """The ends of a class for a dtype; for ANY those of its finite elements."""
    if dtype == "bool":
        return (1, 1) if kind <= POSITIVE else (0, 1)
    ends = _integer(dtype)
    if ends is None:
        most = LIMITS[dtype]
        low, high = [(0.1, 0.9), (0.1, 5.0), (-5.0, 5.0), (-1e4, 1e4), (-most, most), (-most, most)][kind]
        return 0.1 if dtype == "float8e8m0" else max(low, -most), min(high, most)  # it has neither 0 nor a sign
    low, high = [(1, 1), (1, 5), (-5, 5), (-10000, 10000), ends, ends][kind]
    return max(low, ends[0]), min(high, ends[1])


def slack(dtype: str) -> float:
    """Relative error that rounding may add."""
    return SLACK8 if dtype.startswith(("float8", "float4")) else SLACK


def within(low: float, high: float, kind: int, dtype: str) -> bool:
    """True if finite elements from low to high belong to a class."""
    first, last = interval(kind, dtype)
    by = slack(dtype)
    return low >= first - by * abs(first) and high <= last + by * abs(last)


@functools.lru_cache(4096)
def pool(dtype: str, kind: int, mode: str) -> np.ndarray:
    """POOL elements: bool, int64, uint64, float64 or complex128, to be converted to the dtype."""
    low, high = interval(kind, dtype)
    single = {LOW: low, HIGH: high, ZERO: 0.0, ONE: 1.0, MINUS: -1.0}.get(mode[0])
    floating = dtype in LIMITS
    if kind == ANY and floating and mode[0] in (LOW, HIGH, ZERO):
        single = {LOW: -math.inf, HIGH: math.inf, ZERO: math.nan}[mode[0]]
    elif single is not None and not low <= single <= high:
        single = low if single < low else high
    kept = np.float64 if floating else np.bool_ if dtype == "bool" else np.uint64 if low >= 0 else np.int64
    if dtype.startswith("complex"):
        kept = np.complex128
    if single is not None:
        return np.full(POOL, complex(single, single) if kept is np.complex128 else single, kept)
    rng = np.random.Generator(np.random.PCG64(zlib.crc32(f"{dtype} {kind} {mode}".encode())))
    if kept is np.complex128:
        parts = [_random(rng, kind, low, high, np.float64) for _ in range(2)]
        both = np.empty(POOL, np.complex128)
        both.real, both.imag = parts  # not a + b*1j: infinities would become NaN
        return both
    return _random(rng, kind, low, high, kept)


def _random(rng: np.random.Generator, kind: int, low: float, high: float, kept: type) -> np.ndarray:
    if kept is not np.float64:
        drawn = rng.integers(int(low), int(high), POOL, endpoint=True, dtype=np.uint8 if kept is np.bool_ else kept)
    elif kind < FINITE:
        drawn = rng.uniform(low, high, POOL)
    else:
        drawn = rng.choice([-1.0, 1.0], POOL) * 10.0 ** rng.uniform(-10.0, math.log10(high) - 0.01, POOL)
    special: list[float] = [low, high]
    if kind >= SMALL:
        special += [value for value in (0, 1, -1) if low <= value <= high]
    if kind == ANY and kept is np.float64:
        special += [math.nan, math.inf, -math.inf]
    drawn = drawn.astype(kept)
    which = rng.integers(0, 2 * len(special), POOL)
    for place, value in enumerate(special):
        drawn[which == place] = kept(int(value)) if kept in (np.int64, np.uint64) else value
    return drawn


WARM = ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "complex64")
MODES = (LOW, HIGH, ZERO, ONE, MINUS, *(f"{RANDOM}{seed}" for seed in range(5)))


def warm(draw: Callable[[str, str], object] | None = None) -> None:
    """Draws the usual pools before the workers are forked, so that they share them. `draw` is called with each dtype and
    token."""
    for dtype in WARM:
        for kind in range(COUNT):
            for mode in MODES:
                pool(dtype, kind, mode)
                if draw:
                    draw(dtype, f"{kind}{mode}")


def piece(count: int, place: int) -> tuple[int, int] | None:
    """The slice of a pool for a tensor; None if the pool is too small. `place` numbers the tensors of a call, so that they
    differ."""
    start = place * 509 % (POOL - count + 1) if count <= POOL else 0
    return (start, start + count) if count <= POOL else None


def elements(dims: Sequence[int], dtype: str, token: str, place: int) -> np.ndarray:
    """An array of these dimensions, filled according to a token."""
    drawn, count = pool(dtype, int(token[0]), token[1:]), math.prod(dims)
    where = piece(count, place)
    return (np.resize(drawn, count) if where is None else drawn[slice(*where)]).reshape(tuple(dims))


@functools.lru_cache(4096)
def tokens(fill: str) -> tuple[str, ...]:
    """The tokens of a fill."""
    return tuple(fill.split(","))


def observe(array: np.ndarray | None, dims: Sequence[int], dtype: str) -> Seen:
    """Observations of an output; `array` has any ordered numpy dtype, or is None."""
    if array is None or not array.size or not known(dtype):
        return Seen(tuple(dims), dtype, True, math.inf, -math.inf)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    if array.dtype.kind != "f":
        return Seen(tuple(dims), dtype, True, float(array.min()), float(array.max()))
    low, high = float(array.min()), float(array.max())  # NaN if there is one
    finite = math.isfinite(low) and math.isfinite(high)
    return Seen(tuple(dims), dtype, finite, low if finite else 0.0, high if finite else 0.0)

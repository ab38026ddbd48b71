"""Elements of a model's inputs: a function of the model's `values`, the input's id, its class and its range.

docs/reference/file-formats.md lists the classes. Only numpy's integers are used, so that every machine gets the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

DEFAULT = "small"
BOUNDS = {"unit": (0.1, 0.9), "positive": (0.1, 5.0), "small": (-5.0, 5.0), "large": (-1e4, 1e4)}
"""Floats of a class, and the parts of complex numbers."""
WHOLE = {"unit": (1, 1), "positive": (1, 5), "small": (-5, 5), "large": (-10_000, 10_000)}
"""Integers of a class, both ends included; unsigned ones start at 0."""
NARROW = {"float8": 200.0, "float4": 6.0}
"""Maximum magnitude of narrow dtypes."""
ENDS = {"float16": (65504.0, 2.0**-14), "bfloat16": (255 * 2.0**120, 2.0**-126), "float32": (3.4028234663852886e38, 2.0**-126),
        "float64": (1.7976931348623157e308, 2.0**-1022)}  # fmt: skip
"""The maximum of a dtype, and its minimum normal number."""
_MASK = (1 << 64) - 1


def seed_of(values: int, identity: int) -> int:
    """The seed of a model's input."""
    return (values * 1000003 + identity) % (1 << 63)


def _bits(count: int, seed: int) -> np.ndarray:
    """The first numbers of splitmix64."""
    state = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed & _MASK)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = state ^ (state >> np.uint64(31))
    return mixed


def special(dtype: str, seed: int) -> tuple[float, ...]:
    """The eight numbers that a quarter of the floats of class `any` are: NaN, infinities, zeros, or large and small ones."""
    most, least = ENDS[dtype]
    return ((math.nan,) * 8, (math.inf, -math.inf) * 4, (0.0, -0.0, 1.0, -1.0) * 2,
            (100.0, -100.0, most, -most, least, -least, 100.0, -100.0))[seed % 4]  # fmt: skip


def limits(dtype: str, kind: str) -> tuple[int, int]:
    """The range of a class in a dtype, both ends included."""
    low, high = WHOLE[kind]
    name = dtype.lstrip("q")
    bits = int(name.lstrip("uint"))
    if name.startswith("u"):
        return max(low, 0), min(high, (1 << bits) - 1)
    return max(low, -(1 << bits - 1)), min(high, (1 << bits - 1) - 1)


def elements(shape: Sequence[int], dtype: str, seed: int, kind: str = DEFAULT,
             span: Sequence[int] | None = None) -> np.ndarray:  # fmt: skip
    """Elements as int64, float64, complex128, bool or bytes, which the framework converts. `span`: integers from low to high -
    1, divided by its third number if there is one."""
    count = math.prod(shape)
    with_special = kind == "any" and dtype in ENDS
    kind = DEFAULT if with_special else kind if kind in WHOLE else "large"  # wider ones come with a span
    bits = _bits(2 * count if dtype.startswith("complex") else count, seed)
    if span is not None or "int" in dtype or dtype == "string":
        low, last = (span[0], span[1] - 1) if span is not None else limits("int64" if dtype == "string" else dtype, kind)
        whole: np.ndarray = low + (bits % np.uint64(max(last - low + 1, 1))).astype(np.int64)
        if span is not None and len(span) == 3:
            return (whole / span[2]).reshape(tuple(shape))
        if dtype == "string":
            whole = np.array([str(abs(int(number))).encode() for number in whole], object)
        return whole.reshape(tuple(shape))
    if dtype == "bool":
        true = np.ones(count, bool) if kind in ("unit", "positive") else (bits >> np.uint64(63)).astype(bool)
        return true.reshape(tuple(shape))
    least, greatest = BOUNDS[kind]
    most = next((most for name, most in NARROW.items() if dtype.startswith(name)), greatest)
    real: np.ndarray = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53 * (greatest - least) + least
    real = real.clip(-most, most)
    if with_special:
        chosen = np.array(special(dtype, seed))[(bits >> np.uint64(2)) % np.uint64(8)]
        real = np.where(bits % np.uint64(4) == 0, chosen, real)
    if dtype.startswith("complex"):
        real = real[:count] + 1j * real[count:]
    return real.reshape(tuple(shape))

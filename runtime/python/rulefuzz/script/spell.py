"""Expressions for the elements of a tensor in a short script: all equal, counted, listed, or drawn from a seed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulefuzz import elements
from rulefuzz.model import DEFAULT, Tensor

HOWS = ("ones", "arange", "round", "exact")
"""From the simplest to the model's own elements."""
FEW = 12
"""Maximum number of elements that are listed even if drawn ones suffice."""
MOST = 48
"""Maximum number of listed elements."""
COUNTED = 100
FOUR_BITS = {"int4": "ml_dtypes.int4", "uint4": "ml_dtypes.uint4"}
"""Dtypes that numpy lacks and ml_dtypes has, for constants."""


class Unsayable(Exception):
    """The elements have no short expression."""


@dataclass(frozen=True)
class Filling:
    """The elements to be written as a framework's expression; exactly one field is set."""

    full: float | None = None
    counted: tuple[int, int] | None = None
    """The first element of 0, 1, ..., and the period (0: none)."""
    listed: Any = None
    """Nested lists."""
    drawn: tuple[float, float] | None = None
    """The bounds, without the upper one for integers."""
    mixed: str = ""
    """The model's own elements of a large tensor: an expression for a flat array, which calls MIXED."""


def is_whole(dtype: str) -> bool:
    """Whether the dtype is an integer."""
    return "int" in dtype


def is_fraction(tensor: Tensor) -> bool:
    """Whether its elements are integers divided by another."""
    return tensor.span is not None and len(tensor.span) == 3


def span_of_one(tensor: Tensor) -> tuple[int, ...]:
    """The range of the element closest to 1 that the tensor may have."""
    low, high, *divisor = tensor.span or (1, 2)
    number = min(max(divisor[0] if divisor else 1, low), high - 1)
    return number, number + 1, *divisor


def same_everywhere(tensor: Tensor) -> float:
    """That element."""
    number, _, *divisor = span_of_one(tensor)
    return number / divisor[0] if divisor else number


def filling(tensor: Tensor, values: int, how: str) -> Filling:
    """A tensor's elements in a model of these values. Raises Unsayable."""
    count = int(np.prod(tensor.shape, dtype=np.int64))
    if count == 0 or how == "ones":
        return Filling(full=same_everywhere(tensor))
    if how == "arange":
        return Filling(counted=_counted(tensor, count))
    seed = elements.seed_of(values, tensor.origin)
    array = elements.elements(tensor.shape, tensor.dtype, seed, tensor.kind or DEFAULT, tensor.span)
    if how == "round" and count > FEW:
        return Filling(drawn=_bounds(tensor))
    if count > MOST:
        return Filling(mixed=_mixed(tensor, count, seed))
    return Filling(listed=_listed(array, tensor.dtype, how == "round"))


MIXED = """def mixed(count, seed):  # splitmix64
    x = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
"""
"""The bits from which elements.elements makes numbers."""


def evaluated(text: str, names: dict[str, Any]) -> Any:
    """Evaluates an expression from `filling`; its numbers and dtypes were checked."""
    known = {**names, "np": np}
    if "ml_dtypes." in text:
        import ml_dtypes

        known["ml_dtypes"] = ml_dtypes
    exec(MIXED, known)
    return eval(text, known)


def mixing(texts: Iterable[str]) -> list[str]:
    """The lines that a script needs for these expressions, imports first."""
    return ["import numpy as np", *MIXED.splitlines(), ""] if any("mixed(" in text for text in texts) else []


def importing(texts: Iterable[str]) -> list[str]:
    """The imports that a script needs for these expressions, besides numpy."""
    return ["import ml_dtypes"] if any("ml_dtypes." in text for text in texts) else []


def _mixed(tensor: Tensor, count: int, seed: int) -> str:
    """The expression that computes elements.elements."""
    if "complex" in tensor.dtype or tensor.dtype == "string" or tensor.dtype.startswith(("float8", "float4", "bfloat")):
        raise Unsayable(f"{count} elements of {tensor.dtype}")
    bits, kind = f"mixed({count}, {seed})", tensor.kind or DEFAULT
    if tensor.span is not None or is_whole(tensor.dtype):
        low, last = (tensor.span[0], tensor.span[1] - 1) if tensor.span else elements.limits(tensor.dtype, kind)
        divided = f" / {tensor.span[2]}" if tensor.span and len(tensor.span) == 3 else ""
        text = f"({bits} % np.uint64({max(last - low + 1, 1)})).astype(np.int64) + {low}"
        return f"({text}){divided}" if divided else text
    if tensor.dtype == "bool":
        return f"({bits} >> np.uint64(63)).astype(bool)" if kind not in ("unit", "positive") else f"np.ones({count}, bool)"
    if kind == "any":
        raise Unsayable(f"{count} special floats")
    least, most = elements.BOUNDS[kind]
    return f"({bits} >> np.uint64(11)) * 2.0**-53 * {most - least!r} + {least!r}"


def _counted(tensor: Tensor, count: int) -> tuple[int, int]:
    if tensor.dtype in ("bool", "string") or "complex" in tensor.dtype or tensor.kind == "unit" or count > COUNTED \
            or is_fraction(tensor):
        raise Unsayable("elements that cannot be counted")
    low, high = tensor.span[:2] if tensor.span else (1 if tensor.kind == "positive" else 0, count)
    if tensor.dtype in FOUR_BITS and tensor.span is None and low + count - 1 > elements.limits(tensor.dtype, "large")[1]:
        raise Unsayable("more elements than the dtype has")
    return low, high - low if tensor.span and high - low < count else 0


def _bounds(tensor: Tensor) -> tuple[float, float]:
    if tensor.dtype in ("bool", "string") or "complex" in tensor.dtype:
        raise Unsayable(f"elements of {tensor.dtype} that are drawn")
    if tensor.span:
        low, high, *divisor = tensor.span
        return (low / divisor[0], high / divisor[0]) if divisor else (low, high)
    kind = tensor.kind or DEFAULT
    if kind == "any":
        raise Unsayable("special floats that are drawn")
    if not is_whole(tensor.dtype):
        return elements.BOUNDS[kind]
    low, last = elements.WHOLE[kind]
    if kind == "large" or (tensor.dtype.startswith("u") and low < 0):
        low, last = 0, min(last, 100)
    return low, last + 1


def _listed(array: Any, dtype: str, rounded: bool) -> Any:
    if dtype == "string":
        return np.vectorize(lambda item: item.decode("ascii"), otypes=[object])(array).tolist()
    if rounded and array.dtype.kind in "fc":
        return array.round(1).tolist()
    if dtype in ("float16", "float32"):  # with no more digits than needed
        short = array.astype(dtype)
        return np.array([float(str(item)) for item in short.reshape(-1)]).reshape(short.shape).tolist()
    return array.tolist()


def list_text(listed: Any) -> str:
    """The literal of a list, whose elements may be NaN or infinite."""
    return re.sub(r"\b(nan|inf)\b", r'float("\1")', repr(listed))


def numpy_text(tensor: Tensor, said: Filling) -> str:
    """The expression in numpy, if it has the dtype."""
    dtype = {"bool": "bool", "string": "object", **FOUR_BITS}.get(tensor.dtype, f"np.{tensor.dtype}")
    if dtype.startswith("ml_dtypes.") and not tensor.constant:
        raise Unsayable(f"{tensor.dtype}, which onnxruntime does not take from numpy")
    if dtype.startswith("np.") and not hasattr(np, tensor.dtype):
        raise Unsayable(f"{tensor.dtype}, which numpy has not")
    if said.full is not None:
        if dtype == "object":
            return f"np.full({tensor.shape!r}, {str(said.full)!r}, object)"
        whole = f"np.ones({tensor.shape!r}, {dtype})"
        return whole if said.full == 1 else f"np.full({tensor.shape!r}, {said.full!r}, {dtype})"
    if said.counted is not None:
        count = int(np.prod(tensor.shape, dtype=np.int64))
        first, again = said.counted
        ends = f"{first}, {first + count}" if first and not again else f"{count}"
        text = f"np.arange({ends}, dtype={dtype}).reshape({tensor.shape!r})"
        return f"({text} % {again} + {first}).astype({dtype})" if again else text
    if said.drawn is not None:
        draw = "integers" if is_whole(tensor.dtype) or (tensor.span and not is_fraction(tensor)) else "uniform"
        low, high = said.drawn
        return f"np.random.default_rng(0).{draw}({low!r}, {high!r}, {tensor.shape!r}).astype({dtype})"
    if said.mixed:
        return f"({said.mixed}).reshape({tensor.shape!r}).astype({dtype})"
    return f"np.array({list_text(said.listed)}, {dtype})"

"""A concrete call as plain values, and the same call symbolised. Knows no framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any
Values = tuple[int, ...]


@dataclass(frozen=True)
class TensorSpec:
    """A tensor without its elements."""

    dims: Values
    dtype: str
    given: Any = None
    """The elements, nested like the dimensions, of a small tensor of integers; a hint, see restate."""
    extent: Values | None = None
    """The smallest element and the largest + 1 of a tensor of integers, (0, 0) if it has none; a hint."""
    range: Values | None = None
    """Low and high of a tensor that stands for all those with elements in low..high-1."""
    held: str = ""
    """What the call takes the tensor in, if not as it is: a variable, a list, …"""


def of_integers(dims: Values, dtype: str, elements: Any, most: int) -> TensorSpec:
    """The tensor with its hints; `elements` is a numpy array of integers, told one by one up to `most` and rank 2."""
    given = elements.tolist() if elements.ndim <= 2 and elements.size <= most else None
    return TensorSpec(dims, dtype, given, (int(elements.min()), int(elements.max()) + 1) if elements.size else (0, 0))


@dataclass(frozen=True)
class Elements:
    """Integers, nested in lists to the tensor's rank, that a call takes as a tensor and whose values matter one by one."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Literal:
    """A fixed value that only its text stands for: a dtype, a layout, an enumeration member."""

    text: str


class Unsupported(Exception):
    """The value has no place in a record (a function, a slice, a sparse tensor, …)."""


@dataclass
class Call:
    """One symbolised call: `args` in the format of the record files, `values` of s0, s1, …"""

    api: str
    args: list[Json]
    values: Values
    source: str = ""
    expect_failure: bool = False

"""A concrete call as plain values, and its symbolic form. Independent of any framework."""

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
    """The elements of a small integer tensor, nested like its dimensions; a hint, see restate."""
    extent: Values | None = None
    """The minimum element and the maximum + 1 of an integer tensor, (0, 0) if it is empty; a hint."""
    range: Values | None = None
    """Low and high of a tensor that stands for all tensors with elements in low..high-1."""
    held: str = ""
    """How the call wraps the tensor, if at all: in a variable, a list, …"""


def of_integers(dims: Values, dtype: str, elements: Any, most: int) -> TensorSpec:
    """The tensor with its hints. `elements` is a numpy array of integers, listed one by one up to `most` elements and rank
    2."""
    given = elements.tolist() if elements.ndim <= 2 and elements.size <= most else None
    return TensorSpec(dims, dtype, given, (int(elements.min()), int(elements.max()) + 1) if elements.size else (0, 0))


@dataclass(frozen=True)
class Elements:
    """Integers that a call takes as a tensor and whose values matter one by one, nested in lists to the tensor's rank."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Literal:
    """A fixed value that is only text: a dtype, a layout, an enumeration member."""

    text: str


class Unsupported(Exception):
    """A record cannot hold the value (a function, a slice, a sparse tensor, …)."""


@dataclass
class Call:
    """One symbolised call: `args` in the format of the record files, `values` of s0, s1, …"""

    api: str
    args: list[Json]
    values: Values
    source: str = ""
    expect_failure: bool = False

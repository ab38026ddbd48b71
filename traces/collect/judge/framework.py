"""The interface that a framework's adapter implements: it runs calls and describes their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from traces.collect.call.spec import Json, Values

Output = tuple[Values, str]
"""Dimensions and dtype of one output tensor."""

FILLS = ("normal", "wild", "wild2", "wild3", "ones", "zeros", "small", "low")
"""How input tensors are filled: N(0,1); three groups of values to ±10^6; and the benign ones. A tensor with a range takes
its elements from it, both ends included; "low" is like "normal", but all of these are the minimum."""
ROWS = "rows"
"""Another fill: elements that ascend along the last dimension, similar in each row, like corners of overlapping boxes."""
CONSTANT = ("zeros", "ones")
BENIGN = ("zeros", "small", "ones")
"""Fills under which a rejection counts: among many small integers one is 0, which a divisor may not be."""
WILD = ("wild", "wild2", "wild3")
LOWEST = "low"


class NotTensors(Exception):
    """The call returned something other than dense tensors."""


class Framework(Protocol):
    """One framework, as the collector uses it."""

    name: str
    version: str

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """Compiles a call for `run` and `deterministic`."""

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs the call; raises rulefuzz.framework's Rejected or Unanswered, or NotTensors."""

    def deterministic(self, call: Any, values: Values) -> bool:
        """Whether three runs on the same input give the same elements."""


@runtime_checkable
class Wishing(Protocol):
    """A framework that proposes dtypes to try."""

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """Tuples of input dtypes that the operator may accept."""


@runtime_checkable
class Fencing(Protocol):
    """A framework that gives some operators tensors behind fences (fence.py)."""

    def is_fenced(self, api: str) -> bool:
        """True if this operator's calls have fences: if a call dies, it read beyond its input."""


@runtime_checkable
class Telling(Protocol):
    """A framework that knows the parameters of user-defined operators better than Python does."""

    def parameters(self, api: str) -> list[tuple[str, str, bool, bool]]:
        """Name, type as in an annotation ("?": unknown), whether it is optional, whether it has no name."""


def ranged_elements(count: int, low: int, high: int, fill: str, place: int) -> np.ndarray:
    """int64 elements in low..high-1 (low < high unless empty), the maximum first and the minimum last."""
    if fill == "low" or high - low <= 1:
        return np.full(count, low, np.int64)
    drawn = np.random.Generator(np.random.PCG64(place + sum(fill.encode()))).integers(low, high, count)
    if count:
        drawn[-1] = low
        drawn[0] = high - 1
    return drawn

"""What a framework must offer to be collected from: an adapter of it runs calls and describes what they return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from traces.collect.call.spec import Json, Values

Output = tuple[Values, str]
"""Dimensions and dtype of one output tensor."""

FILLS = ("normal", "wild", "wild2", "wild3", "ones", "zeros", "small", "low")
"""How input tensors are filled: N(0,1); three groups of values to ±10^6; and the benign ones. A tensor with a range takes
its elements from there, both ends among them; "low" is as "normal", but all of these are the lowest."""
ROWS = "rows"
"""One more: elements that ascend along the last dimension, much the same in each row, as the corners of boxes that overlap."""
CONSTANT = ("zeros", "ones")
BENIGN = ("zeros", "small", "ones")
"""What a refusal must hold for: of many small integers one is 0, which a divisor may not be."""
WILD = ("wild", "wild2", "wild3")
LOWEST = "low"


class NotTensors(Exception):
    """The call returned something else than dense tensors."""


class Framework(Protocol):
    """One framework, as the collector uses it."""

    name: str
    version: str

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """A callable form of a call, for `run` and `fingerprint`."""

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs the call; raises rulefuzz.framework's Rejected or Unanswered, or NotTensors."""

    def deterministic(self, call: Any, values: Values) -> bool:
        """Whether three runs on the same input give the same elements."""


@runtime_checkable
class Wishing(Protocol):
    """A framework that knows dtypes to try."""

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """Tuples of input dtypes that the operator may accept."""


@runtime_checkable
class Fencing(Protocol):
    """A framework that gives the calls of some operators tensors behind fences (fence.py)."""

    def is_fenced(self, api: str) -> bool:
        """Whether this operator's calls have such: one that dies was given too little."""


@runtime_checkable
class Telling(Protocol):
    """A framework that knows the parameters of a user's own operators better than Python does."""

    def parameters(self, api: str) -> list[tuple[str, str, bool, bool]]:
        """Name, type as an annotation has it ("?": nothing says it), whether it may be left out, whether it has no name."""


def ranged_elements(count: int, low: int, high: int, fill: str, place: int) -> np.ndarray:
    """int64 elements in low..high-1 (low < high if there are any), the highest first and the lowest last."""
    if fill == "low" or high - low <= 1:
        return np.full(count, low, np.int64)
    drawn = np.random.Generator(np.random.PCG64(place + sum(fill.encode()))).integers(low, high, count)
    if count:
        drawn[-1] = low
        drawn[0] = high - 1
    return drawn

"""Runs of a model's calls stored as functions, branches of an If, or bodies of a Loop. See docs/reference/file-formats.md."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

KINDS = ("function", "if", "loop")
CONTROLS = {"if": ("bool", 0, 1), "loop": ("int64", 1, 3)}
"""The dtype of a control, and its minimum and maximum."""
CONSTANTS = ("", "initializers", "nodes")
"""Where constants are that only one body uses: outside, or within it as initializers or Constant nodes."""
MOST = 8
"""Maximum number per model."""


class Input(Protocol):
    """A model's input."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""

    @property
    def dtype(self) -> str:
        """Its dtype."""

    @property
    def span(self) -> tuple[int, ...] | None:
        """The range of its elements."""


@dataclass(frozen=True, slots=True)
class Body:
    """A run of nodes."""

    kind: str
    first: int
    last: int
    """Indices of nodes, both included."""
    control: int = -1
    """The input that selects the branch or the number of iterations; -1 for a function."""
    told: int = 0
    """Its value."""
    constants: str = ""
    """One of CONSTANTS."""

    @property
    def places(self) -> range:
        """The indices of its nodes."""
        return range(self.first, self.last + 1)


def _told(kind: str, control: int, inputs: Iterable[Input], used: Collection[int]) -> int:
    """The value of a control. Raises ValueError."""
    if kind == "function":
        if control != -1:
            raise ValueError("a function has no control")
        return 0
    dtype, low, high = CONTROLS[kind]
    t = next((t for t in inputs if t.id == control), None)
    if t is None or control in used or t.shape or t.dtype != dtype or t.span is None or t.span[1] != t.span[0] + 1:
        raise ValueError(f"the control of a {kind} must be an unused scalar input of {dtype} with a range of one value")
    if not low <= t.span[0] <= high:
        raise ValueError(f"the control of a {kind} must be {low} to {high}, got {t.span[0]}")
    return t.span[0]


def _disjoint(bodies: Sequence[Body]) -> bool:
    """Whether no node is in two functions or two subgraphs, and every function is either inside a subgraph or outside."""
    for i, one in enumerate(bodies):
        for other in bodies[:i]:
            common = set(one.places) & set(other.places)
            alike = (one.kind == "function") == (other.kind == "function")
            function = one if one.kind == "function" else other
            if common and (alike or len(common) != len(function.places)):
                return False
    return True


def read(items: Any, nodes: int, inputs: Sequence[Input], used: Collection[int]) -> tuple[Body, ...]:
    """Reads the bodies of a model's JSON. `nodes`: their number; `used`: the tensors that they use. Raises ValueError, and
    whatever malformed JSON raises."""
    if not isinstance(items, list) or len(items) > MOST:
        raise ValueError(f"bodies: expected a list of at most {MOST}")
    found = []
    for item in items:
        kind, first, last, control = item["kind"], int(item["first"]), int(item["last"]), int(item.get("control", -1))
        if kind not in KINDS or not 0 <= first <= last < nodes:
            raise ValueError("a body must be a function, if or loop over existing nodes")
        constants = item.get("constants", "")
        if constants not in CONSTANTS or (constants and kind == "function"):
            raise ValueError("constants of an if or a loop must be initializers or nodes")
        found.append(Body(kind, first, last, control, _told(kind, control, inputs, used), constants))
    if not _disjoint(found):
        raise ValueError("bodies overlap, or a function is partly within another body")
    return tuple(found)

"""Runs of a model's calls stored as functions, branches of an If, or bodies of a Loop or Scan. See
docs/reference/file-formats.md."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rulefuzz.regions import kinds

KINDS = ("function", "if", "loop", "scan", *kinds.KINDS)
CONTROLS = {"if": ("bool", 0, 1), "loop": ("int64", 0, 3)}
"""The dtype of a control, and its minimum and maximum. Other kinds have none."""
FORMS = {"if": ("computed",), "loop": ("computed", "count", "condition", "while", "stacked"), "scan": ("states",)}
"""The forms of a kind besides the plain one; runtime/model/bodies.h explains them."""
TRIPS, DEPTH, AXIS = 3, 3, 2
"""Maximum number of trips of a scan, of subgraphs within each other, and of a scan's axis."""
CONSTANTS = ("", "initializers", "nodes")
"""The place of constants that only one body uses: outside, or within it as initializers or Constant nodes."""
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
    """The input that selects the branch or the number of iterations; -1 without one."""
    told: int = 0
    """Its value; the trips of a scan."""
    constants: str = ""
    """One of CONSTANTS."""
    form: str = ""
    """One of FORMS, or the plain one."""
    axis: int = 0
    """Of a scan: modulo the rank of the stacked tensor."""
    reverse: bool = False
    """Of a scan: from the last slice on."""
    variant: int = 0
    """Of a region: details of its transform."""

    @property
    def is_region(self) -> bool:
        """Whether it is a region: calls of a torch model within a transform."""
        return self.kind in kinds.KINDS

    @property
    def places(self) -> range:
        """The indices of its nodes."""
        return range(self.first, self.last + 1)


def _told(item: Any, kind: str, control: int, inputs: Iterable[Input], used: Collection[int]) -> int:
    """The value of a control, or the trips of a scan. Raises ValueError."""
    if kind not in CONTROLS:
        trips = int(item["trips"]) if kind == "scan" else 0
        if control != -1 or not (kind == "scan") <= trips <= TRIPS:
            raise ValueError(f"a {kind} has no control, and a scan 1 to {TRIPS} trips")
        return trips
    dtype, low, high = CONTROLS[kind]
    t = next((t for t in inputs if t.id == control), None)
    if t is None or control in used or t.shape or t.dtype != dtype or t.span is None or t.span[1] != t.span[0] + 1:
        raise ValueError(f"the control of a {kind} must be an unused scalar input of {dtype} with a range of one value")
    if not low <= t.span[0] <= high:
        raise ValueError(f"the control of a {kind} must be {low} to {high}, got {t.span[0]}")
    return t.span[0]


def parents(bodies: Sequence[Body]) -> list[int]:
    """The subgraph that each subgraph is within; -1: none. An outer one comes first."""
    found = []
    for i, one in enumerate(bodies):
        around = [k for k in range(i) if "function" not in (one.kind, bodies[k].kind) and one.first in bodies[k].places]
        found.append(around[-1] if around else -1)
    return found


def _nested(bodies: Sequence[Body]) -> bool:
    """Whether no node is in two functions, and each function or subgraph is inside or outside of every subgraph before it. At
    most DEPTH subgraphs are within each other."""
    for i, one in enumerate(bodies):
        for other in bodies[:i]:
            common = set(one.places) & set(other.places)
            functions = [body for body in (one, other) if body.kind == "function"]
            inner = functions[0] if functions else one
            if common and (len(functions) == 2 or len(common) != len(inner.places)):
                return False
    around, depths = parents(bodies), [0] * len(bodies)
    for i, parent in enumerate(around):
        depths[i] = 1 + (depths[parent] if parent >= 0 else 0)
    return max(depths, default=0) <= DEPTH


def read(items: Any, nodes: int, inputs: Sequence[Input], used: Collection[int]) -> tuple[Body, ...]:
    """Reads the bodies of a model's JSON. `nodes`: their number; `used`: the tensors that they use. Raises ValueError, and the
    exceptions of malformed JSON."""
    if not isinstance(items, list) or len(items) > MOST:
        raise ValueError(f"bodies: expected a list of at most {MOST}")
    found = []
    for item in items:
        kind, first, last, control = item["kind"], int(item["first"]), int(item["last"]), int(item.get("control", -1))
        if kind not in KINDS or not 0 <= first <= last < nodes:
            raise ValueError("a body must be a function, if, loop, scan or kind of region over existing nodes")
        constants, form, reverse = item.get("constants", ""), item.get("form", ""), item.get("reverse", False)
        if constants not in CONSTANTS or (constants and kind == "function"):
            raise ValueError("constants of a subgraph must be initializers or nodes")
        axis = int(item["axis"]) if kind == "scan" else 0
        if form not in ("", *FORMS.get(kind, ())) or abs(axis) > AXIS or reverse not in (False, *([True] * (kind == "scan"))):
            raise ValueError(f"a form, axis or direction that no {kind} has")
        variant = int(item.get("variant", 0))
        if not 0 <= variant < (kinds.VARIANTS if kind in kinds.KINDS else 1):
            raise ValueError(f"a region has a variant below {kinds.VARIANTS}")
        told = _told(item, kind, control, inputs, used)
        found.append(Body(kind, first, last, control, told, constants, form, axis, reverse, variant))
    if not _nested(found):
        raise ValueError("bodies overlap or are too deep, or a function is partly within another body")
    return tuple(found)

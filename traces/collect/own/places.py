"""The parameters of a function that nobody has called yet: from a schema that it carries, as custom operators do, or from its
Python signature.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """A parameter: its type as text, "" where nothing tells it, and whether it may be left out."""

    name: str
    type: str
    optional: bool
    positional_only: bool = False
    default: Any = None


def places(function: Any) -> list[Place] | None:
    """The parameters in order; None where nothing tells them."""
    schema = _schema(function)
    if schema is not None:
        return [Place(a.name, str(a.type), a.has_default_value(), default=a.default_value) for a in schema.arguments]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    taken = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return [_place(parameter) for parameter in taken]


def _schema(function: Any) -> Any:
    """The schema of an overload, or of the first overload of a packet."""
    found = getattr(function, "_schema", None)
    names: Sequence[str] = function.overloads() if found is None and callable(getattr(function, "overloads", None)) else ()
    return getattr(getattr(function, names[0]), "_schema", None) if names else found


def _place(parameter: inspect.Parameter) -> Place:
    written = parameter.annotation
    text = "" if written is parameter.empty else written.__name__ if isinstance(written, type) else str(written)
    optional = parameter.default is not parameter.empty
    if not text and optional and parameter.default is not None:
        text = type(parameter.default).__name__
    return Place(parameter.name, text, optional, parameter.kind == parameter.POSITIONAL_ONLY,
                 parameter.default if optional else None)  # fmt: skip

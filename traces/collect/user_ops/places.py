"""The parameters of a function without known calls: from the schema that custom operators carry, or from its Python
signature.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from traces.collect.judge.framework import Framework, Telling


@dataclass(frozen=True)
class Place:
    """A parameter: its type as text ("" if unknown), and whether it is optional."""

    name: str
    type: str
    optional: bool
    positional_only: bool = False
    default: Any = None


def places(function: Any) -> list[Place] | None:
    """The parameters in order; None if unknown."""
    schema = _schema(function)
    if schema is not None:
        return [Place(a.name, str(a.type), a.has_default_value(), default=a.default_value) for a in schema.arguments]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    taken = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return [_place(parameter) for parameter in taken]


def told_by(framework: Framework, api: str, function: Any) -> list[Place] | None:
    """The same, from a framework that knows them."""
    if isinstance(framework, Telling):
        return [Place(name, text, optional, by_place) for name, text, optional, by_place in framework.parameters(api)]
    return places(function)


def placed(arguments: Sequence[tuple[str, Any]], places: Sequence[Place] | None) -> list[tuple[str, bool, Any]]:
    """Name, whether it is positional, and value: nameless ones first, in order, with omitted ones between them. If the
    parameters are unknown, all are positional."""
    if places is None:
        return [(name, True, value) for name, value in arguments]
    values, nameless = dict(arguments), [place for place in places if place.positional_only]
    last = max((at for at, place in enumerate(nameless, 1) if place.name in values), default=0)
    names = {place.name for place in nameless}
    return [*((place.name, True, values.get(place.name, place.default)) for place in nameless[:last]),
            *((name, False, value) for name, value in arguments if name not in names)]  # fmt: skip


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

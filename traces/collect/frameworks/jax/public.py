"""JAX's public functions: their names, parameters, and the reason if a record cannot hold their calls."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import jax

PLACES = ("jax.numpy", "jax.lax", "jax.nn", "jax.scipy", "jax.random", "jax.image")
"""Modules with public functions; their public submodules belong to them."""
FUNCTION = re.compile(r"Callable\b")
OBJECT = re.compile(r"\b(AxisName|GatherDimensionNumbers|ScatterDimensionNumbers|RaggedDotDimensionNumbers|IO\[bytes\]|"
                    r"BlockScaleConfig|OpaqueTrace)\b")  # fmt: skip
"""Types of arguments that are neither arrays nor literals."""
RETURNED = re.compile(r"Callable\b|Initializer\b")
ACTING = re.compile(r"\.(save\w*|load|fromfile|from_dlpack|frombuffer|printoptions|set_printoptions|get_printoptions|"
                    r"array_\w+|\w*_p|with_sharding_constraint|pcast|create_token|after_all)$")  # fmt: skip
"""Functions that read or write files, change the process, or take objects of the system."""


@dataclass(frozen=True)
class Parameter:
    """A parameter, and its type as text."""

    name: str
    type: str
    optional: bool
    by_name: bool
    """True if it is passed by keyword only."""
    many: bool = False
    """True if it stands for any number of positional arguments."""


def _functions(module: ModuleType, name: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    seen.add(id(module))
    place = ".".join(name.split(".")[:2])
    for part in sorted(dir(module)):
        value = getattr(module, part)
        if part.startswith("_"):
            continue
        if isinstance(value, ModuleType):
            if value.__name__.startswith(place) and id(value) not in seen:
                yield from _functions(value, f"{name}.{part}", seen)
        elif callable(value) and not inspect.isclass(value):
            yield f"{name}.{part}", value


@functools.cache
def functions() -> dict[str, Callable[..., Any]]:
    """The public functions by name, sorted. Classes do not count."""
    found: dict[str, Callable[..., Any]] = {}
    for place in PLACES:
        module: Any = functools.reduce(getattr, place.split(".")[1:], jax)
        found.update(_functions(module, place, set()))
    return dict(sorted(found.items()))


def signature(function: Any) -> inspect.Signature | None:
    """Python's signature; that of the function inside a ufunc, which itself takes *args. None if there is none."""
    try:
        return inspect.signature(getattr(function, "_func", function))
    except (TypeError, ValueError):
        return None


def _type(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


@functools.cache
def parameters(api: str) -> tuple[Parameter, ...]:
    """The parameters of a public function; empty if Python has no signature of it."""
    found = signature(functions()[api])
    return tuple(
        Parameter(p.name, _type(p.annotation), p.default is not p.empty, p.kind is p.KEYWORD_ONLY, p.kind is p.VAR_POSITIONAL)
        for p in (found.parameters.values() if found else ())
        if p.kind is not p.VAR_KEYWORD
    )


def obstacle(api: str) -> str | None:
    """Why records cannot hold the calls of a function, if so."""
    if ACTING.search(api):
        return "reads or writes files, or changes the process"
    found = signature(functions()[api])
    if found is not None and RETURNED.search(_type(found.return_annotation)):
        return "returns a function"
    required = [p for p in parameters(api) if not p.optional]
    if not required:
        return "takes no argument that must be given" if not parameters(api) else None
    for parameter in required:
        if FUNCTION.search(parameter.type):
            return f"takes a function: {parameter.name}"
        if OBJECT.search(parameter.type):
            return f"takes an object that is no array: {parameter.name}"
    return None

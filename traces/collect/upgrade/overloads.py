"""The signatures of a framework's APIs as text for SIGNATURES.tsv, in the form of PyTorch's operator schemas.

    Tensor input, int[2] kernel_size, int[2] stride=[], *, bool ceil_mode=False

A parameter is a type, a name and, unless it is required, a default. `*` stands before keyword-only parameters. `...` behind
a type: the positional arguments from here on are its items. docs/reference/file-formats.md has the types."""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

UNTYPED = "any"
"""The type of a parameter without known type."""
_NAMED = {bool: "bool", int: "int", float: "float", str: "str", complex: "Scalar"}
_CONTAINERS = (list, tuple)


def default_text(value: Any) -> str:
    """A default as a literal; other values become None, like an omitted argument."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, bytes):
        return repr(value.decode("ascii", "replace"))
    if isinstance(value, _CONTAINERS):
        return f"[{','.join(map(default_text, value))}]"
    return "None"


def parameter(kind: str, name: str, default: Any = inspect.Parameter.empty) -> str:
    """One parameter as text."""
    return f"{kind} {name}" + ("" if default is inspect.Parameter.empty else f"={default_text(default)}")


def annotated(annotation: Any, tensors: Sequence[type]) -> str:
    """The type of an annotation; "" for any other."""
    if annotation in _NAMED:
        return _NAMED[annotation]
    if isinstance(annotation, type) and annotation in tensors:
        return "Tensor"
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        kinds = [annotated(part, tensors) for part in inside if part is not type(None)]
        optional = "?" if type(None) in inside else ""
        return kinds[0] + optional if len(kinds) == 1 and kinds[0] else ""
    if origin in _CONTAINERS and inside:
        item = annotated(inside[0], tensors)
        return item + "[]" if item else ""
    return ""


def of_python(function: Any, tensors: Sequence[type], known: Mapping[str, str]) -> str | None:
    """The signature of a Python function. `known` has types for parameters without an annotation. None if Python has no
    signature of it, or one with packed keywords."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    texts, keyword = [], False
    for p in parameters:
        kind = annotated(p.annotation, tensors) or known.get(p.name) or _of_default(p.default)
        if p.kind is p.VAR_POSITIONAL:
            texts.append(f"{UNTYPED}... {p.name}")
            keyword = True
            continue
        if p.kind is p.KEYWORD_ONLY and not keyword:
            texts.append("*")
            keyword = True
        texts.append(parameter(kind, p.name, p.default))
    return ", ".join(texts)


def _of_default(default: Any) -> str:
    """The type of a default: a bool or a text. A number may stand for other numbers and lists."""
    return _NAMED[type(default)] if isinstance(default, (bool, str)) else UNTYPED

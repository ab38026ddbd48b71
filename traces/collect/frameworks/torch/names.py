"""The arguments of a torch call as plain values with names: from signatures for Python functions, from operator schemas for
built-in ones.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch._jit_internal import boolean_dispatched

from traces.collect.call.spec import Literal, TensorSpec, Unsupported, of_integers

OPAQUE = (torch.dtype, torch.layout, torch.memory_format, torch.device)
GIVEN = 8
"""Integer tensors with at most this many elements are listed one by one."""


def _has_integers(value: torch.Tensor) -> bool:
    return not (value.is_floating_point() or value.is_complex() or value.dtype == torch.bool or value.device.type != "cpu")


def plain(value: Any) -> Any:
    """A torch argument as the plain values that symbolise takes."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized or value.is_nested:
            raise Unsupported("an input is not a dense tensor")
        dims, dtype = tuple(value.shape), str(value.dtype)[len("torch.") :]
        if _has_integers(value):
            return of_integers(dims, dtype, value.detach().numpy(), GIVEN)
        return TensorSpec(dims, dtype)
    if isinstance(value, OPAQUE):
        return Literal(repr(str(value)) if isinstance(value, torch.device) else str(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def _kind(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if isinstance(value, (list, tuple)):
        return "List"
    return {bool: "bool", int: "number", float: "number", complex: "number", str: "str", type(None): "None"}.get(
        type(value), "other"
    )


def _accepts(schema_type: str, kind: str) -> bool:
    optional = schema_type.startswith("Optional[")
    bare = schema_type[len("Optional[") : -1] if optional else schema_type
    if kind == "None":
        return optional
    if kind == "Tensor":
        return bare == "Tensor"
    if kind == "List":
        return bare.startswith("List[")
    if kind == "bool":
        return bare in ("bool", "number")
    if kind == "number":
        return bare in ("number", "int", "float", "Tensor") or bare.startswith(("List[int", "List[float"))
    return bare in ("str", "int", "number") or kind == "other"


def _schema_names(api: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[str] | None:
    """Names of the positional arguments, from the first operator schema that accepts them."""
    parts = api.split(".")
    base = parts[-1] if parts[1] in ("nn", "Tensor") or len(parts) == 2 else f"{parts[1]}_{parts[-1]}"
    for name in (base, parts[-1]):
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
            arguments = [a for a in schema.arguments if not a.is_out]
            names = [a.name for a in arguments]
            places = [a for a in arguments if not a.kwarg_only]
            if len(args) > len(places) or not set(kwargs) <= set(names) | {"input"} or set(kwargs) & set(names[: len(args)]):
                continue  # a keyword argument is not positional as well: arange(1, end=3)
            if all(_accepts(str(a.type), _kind(v)) for a, v in zip(places, args, strict=False)):
                given = names[: len(args)]
                return ["input" if n == "self" and parts[1] != "Tensor" else n for n in given]
    return None


def _python_names(function: Any, count: int) -> list[str] | None:
    if inspect.isfunction(function):
        function = boolean_dispatched.get(function, {}).get("if_true", function)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind == parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}{i}" for i in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return names[:count] if len(names) >= count else None


def named(api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[str, bool, Any]]:
    """The arguments as (name, positional, value); argN if the name is unknown."""
    if api.startswith("torch.Tensor.") and len(args) > 2 and all(type(a) is int for a in args[1:]):
        folded = _schema_names(api, [args[0], list(args[1:])], kwargs)
        if folded is not None and _schema_names(api, args, kwargs) is None:  # x.view(2, 3) equals x.view((2, 3))
            args = [args[0], list(args[1:])]
    names = _python_names(function, len(args)) or _schema_names(api, args, kwargs)
    if names is None:
        names = [f"arg{i}" for i in range(len(args))]
        if args and isinstance(args[0], torch.Tensor):
            names[0] = "self" if api.startswith("torch.Tensor.") else "input"
            if len(names) == 2 and api.endswith("__"):
                names[1] = "other"
    positional = [(name, True, value) for name, value in zip(names, args, strict=True)]
    return positional + [(name, False, value) for name, value in kwargs.items()]


def name_arguments(api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[str, bool, Any]]:
    """The same with plain values."""
    return [(name, positional, plain(value)) for name, positional, value in named(api, function, args, kwargs)]

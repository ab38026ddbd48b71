"""PyTorch's public functions and methods: signatures of those in Python, operator schemas of the others."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import torch
from torch._jit_internal import boolean_dispatched

from traces.collect.upgrade import overloads
from traces.collect.upgrade.public import Signature, joined

PLACES = ("torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
"""Modules with public functions."""


def _found(api: str) -> Any:
    value: Any = torch
    for name in api.split(".")[1:]:
        value = getattr(value, name, None)
    return value


def _is_function(value: Any) -> bool:
    module = getattr(value, "__module__", None) or "torch"
    return callable(value) and not isinstance(value, type) and module.startswith("torch")


def _of_python(function: Any) -> Signature | None:
    if not inspect.isfunction(function):
        return None
    function = boolean_dispatched.get(function, {}).get("if_true", function)
    signature = inspect.signature(function)
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    return Signature(list(signature.parameters), [text])


def _operator(api: str) -> str:
    """The name of an API's operators: `linalg_norm`."""
    parts = api.split(".")
    return parts[-1] if parts[1] in ("nn", "Tensor") or len(parts) == 2 else f"{parts[1]}_{parts[-1]}"


def _schemas(api: str) -> list[Any]:
    """The operators that a call can reach: of tensors, without `out`, without named dimensions."""
    found = torch._C._jit_get_schemas_for_operator(f"aten::{_operator(api)}")
    usable = [s for s in found if not any(a.is_out for a in s.arguments) and not re.search(_UNREACHABLE, str(s))]
    return sorted(usable, key=lambda s: [_takes(a) for a in s.arguments])


def _takes(argument: Any) -> int:
    """Order of overloads that differ in one parameter: PyTorch first tries those that accept fewer values."""
    order = {"Tensor": 0, "int": 1, "number": 2}
    return order.get(str(argument.type).removeprefix("Optional[").removesuffix("]"), 3)


_UNREACHABLE = "|".join((
    "Dimname", r"\bt\[\]", "Storage", r"\(str self", r"\((int|float|complex|bool)(\[\])? (a|self|n|x)\b", r", \.\.\.\)",
))  # fmt: skip
"""Operators of TorchScript's own types and of named dimensions, which Python's functions of that name do not call."""


def _parameters(schema: Any, *, method: bool) -> str:
    """The parameters of an operator, under the names that Python uses."""
    text = str(schema).partition("(")[2].rpartition(" -> ")[0].removesuffix(")")
    text = re.sub(r"\([a-z!| \->*]*\)", "", text).replace("SymInt", "int").replace(", ", ",")
    parts = re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text)
    if not method:
        parts = [re.sub(r"^(\S+) self$", r"\1 input", part) for part in parts]
    free = [part for part in parts if part != "*"][1 if method else 0 :]
    packed = [part for part in parts[1 if method else 0 :][: parts.index("*") if "*" in parts else None] if part != "*"]
    if free and len(packed) == 1 and re.match(r"int\[\] ", packed[0]):
        parts[parts.index(packed[0])] = packed[0].replace("int[]", "int[]...", 1)
    return ", ".join(parts)


class TorchPublic:
    """See public.Public."""

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"torch": torch.__version__}

    def apis(self) -> list[str]:
        """The names of the public functions and methods."""
        names = [f"{place}.{name}" for place in PLACES for name in dir(_found(place)) if not name.startswith("_")]
        return sorted(name for name in names if _is_function(_found(name)))

    def signature(self, api: str) -> Signature | None:
        """Of a Python function, or of the operators of that name."""
        function = _found(api)
        if function is None:
            return None
        schemas = torch._C._jit_get_schemas_for_operator(f"aten::{_operator(api)}")
        named = [([a.name for a in s.arguments], str(s)) for s in schemas if not any(a.is_out for a in s.arguments)]
        if inspect.isfunction(function) or not named:
            return _of_python(function)
        return Signature(joined([names for names, _ in named]), sorted(text for _, text in named))

    def overloads(self, api: str) -> Sequence[str]:
        """See public.Public. An operator's schema has the types that a Python function leaves open."""
        function, method = _found(api), ".Tensor." in api
        if function is None:
            return []
        texts = [_parameters(schema, method=method) for schema in _schemas(api)]
        if not inspect.isfunction(function):
            return list(dict.fromkeys(texts))
        function = boolean_dispatched.get(function, {}).get("if_true", function)
        known: dict[str, str] = {}
        for schema in _schemas(api):
            for part in _parameters(schema, method=method).split(", "):
                kind, _, name = part.partition("=")[0].partition(" ")
                known.setdefault(name, kind.removesuffix("..."))
        known.pop("self", None)
        if method:
            known["self"] = "Tensor"
        text = overloads.of_python(function, (torch.Tensor,), known)
        return [text] if text is not None else list(dict.fromkeys(texts))


def load() -> TorchPublic:
    """See public.load."""
    return TorchPublic()

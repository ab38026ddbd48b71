"""PyTorch's public functions and methods: signatures of those in Python, operator schemas of the others."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch._jit_internal import boolean_dispatched

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
        parts = api.split(".")
        base = parts[-1] if parts[1] in ("nn", "Tensor") or len(parts) == 2 else f"{parts[1]}_{parts[-1]}"
        schemas = torch._C._jit_get_schemas_for_operator(f"aten::{base}")
        named = [([a.name for a in s.arguments], str(s)) for s in schemas if not any(a.is_out for a in s.arguments)]
        if inspect.isfunction(function) or not named:
            return _of_python(function)
        return Signature(joined([names for names, _ in named]), sorted(text for _, text in named))


def load() -> TorchPublic:
    """See public.load."""
    return TorchPublic()

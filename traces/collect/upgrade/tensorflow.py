"""TensorFlow's raw operators, by their definitions."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import op_def_registry

from traces.collect.upgrade.overloads import UNTYPED, parameter
from traces.collect.upgrade.public import Signature

_KINDS = {"int": "int", "float": "float", "bool": "bool", "string": "str", "type": "dtype", "list(int)": "int[]",
          "list(float)": "float[]", "list(string)": "str[]", "shape": "int[]"}  # fmt: skip
"""Types of attributes, by their names in operator definitions."""


def _kinds(definition: Any) -> dict[str, str]:
    """The types of an operator's parameters."""
    kinds = {a.name: _KINDS.get(a.type, UNTYPED) for a in definition.attr}
    several = {a.name: "[]" if a.number_attr or a.type_list_attr else "" for a in definition.input_arg}
    return kinds | {name: f"Tensor{suffix}" for name, suffix in several.items()}


class TensorFlowPublic:
    """See public.Public."""

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"tensorflow": tf.__version__}

    def apis(self) -> list[str]:
        """The names of the raw operators."""
        return sorted(f"tf.raw_ops.{name}" for name in dir(tf.raw_ops) if not name.startswith("_"))

    def signature(self, api: str) -> Signature | None:
        """From the function in raw_ops; the argument `name` of every operator is omitted."""
        function = getattr(tf.raw_ops, api.rsplit(".", 1)[-1], None)
        if function is None:
            return None
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "name"]
        text = ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters)
        return Signature([p.name for p in parameters], [f"({text})"])

    def overloads(self, api: str) -> Sequence[str]:
        """See public.Public. Raw operators take keywords only."""
        name = api.rsplit(".", 1)[-1]
        function, definition = getattr(tf.raw_ops, name, None), op_def_registry.get(name)
        if function is None or definition is None:
            return []
        kinds = _kinds(definition)
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "name"]
        return [", ".join(["*", *(parameter(kinds.get(p.name, UNTYPED), p.name, p.default) for p in parameters)])]


def load() -> TensorFlowPublic:
    """See public.load."""
    return TensorFlowPublic()

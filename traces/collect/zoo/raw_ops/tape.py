"""The raw operators that a program of TensorFlow calls eagerly, with data flow.

A tensor that depends on no element of the program's arguments is a constant, and the call that made it is not recorded. Small
constants are written out, but floats only if they are scalars: others are inputs, such as weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_callbacks

from traces.collect.call.spec import Json, Literal
from traces.collect.frameworks.tensorflow import defs
from traces.collect.frameworks.tensorflow.recorder import arguments
from traces.collect.zoo.eager.taped import Call, Tape, Tensor

WRITTEN = 16
"""Maximum elements of a constant that is written out."""
SHAPES = frozenset(("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"))
"""Results depend on shapes only."""


class Unwritten(Exception):
    """A value that no model can have, such as a variable."""


def _elements(array: Any) -> Json:
    if array.ndim:
        return [_elements(part) for part in array]
    return {"const": repr(array.item())}


def _described(tensor: Any, constant: bool) -> Tensor:
    if tensor.dtype in (tf.resource, tf.variant, tf.string):
        return Tensor(tuple(tensor.shape), tensor.dtype.name, 0.0, 0.0, constant)
    array = tensor.numpy()
    extent = (0.0, 0.0)
    if array.size and array.dtype.kind != "c":
        extent = (float(array.min()), float(array.max()))
    return Tensor(tuple(array.shape), tensor.dtype.name, *extent, constant)


class Recorder:
    """A callback of TensorFlow that fills a tape."""

    def __init__(self, given: Sequence[Any]) -> None:
        self.tape = Tape()
        self._kept: list[Any] = []
        """All tensors seen, so that no two have one id."""
        self._names: dict[int, str] = {}
        self._definitions: dict[str, defs.Definition | None] = {}
        for tensor in given:
            self._add(tensor, constant=False)

    def _definition(self, op: str) -> defs.Definition | None:
        if op not in self._definitions:
            known = hasattr(tf.raw_ops, op) and defs.obstacle(op) is None
            self._definitions[op] = defs.define(op) if known else None
        return self._definitions[op]

    def _add(self, tensor: Any, constant: bool) -> str:
        self._names[id(tensor)] = name = f"t{len(self.tape.tensors)}"
        self.tape.tensors[name] = _described(tensor, constant)
        self._kept.append(tensor)
        return name

    def _name(self, tensor: Any) -> str:
        return self._names.get(id(tensor)) or self._add(tensor, constant=True)

    def _tensor(self, tensor: Any) -> Json:
        """An operand: written out, or a reference."""
        if tensor.dtype in (tf.resource, tf.variant, tf.string):
            raise Unwritten
        array = tensor.numpy()
        name = self._name(tensor)
        small = (array.size <= WRITTEN and array.dtype.kind in "biu") or (array.dtype.kind == "f" and not array.ndim)
        if small and self.tape.tensors[name].constant and np.isfinite(array).all():
            return {"elements": _elements(array), "dtype": tensor.dtype.name}
        return {"ref": name}

    def _value(self, value: Any) -> Json:
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return value
        return {"const": value.text if isinstance(value, Literal) else repr(value)}

    def _call(self, op: str, inputs: Sequence[Any], told: dict[str, Any]) -> Call:
        """A call without outputs. Raises Unwritten."""
        definition = self._definition(op)
        if definition is None:
            raise Unwritten
        args: list[Json] = []
        for name, by_position, value in arguments(definition, list(inputs), told, self._tensor):
            args.append({"name": name, "pos": by_position, "value": self._value(value)})
        return Call(f"tf.raw_ops.{op}", args, list(refs_in([arg["value"] for arg in args])))

    def __call__(self, op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        """The callback; it does not change TensorFlow's outputs."""
        if graph is not None:
            return
        op = op_type.decode() if isinstance(op_type, bytes) else op_type
        made = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        flat = [tensor for item in inputs for tensor in (item if isinstance(item, (list, tuple)) else [item])]
        constant = op in SHAPES or all(self.tape.tensors[self._name(tensor)].constant for tensor in flat)
        names = [self._add(tensor, constant) for tensor in made]
        if constant or not made:
            return
        told = {(k.decode() if isinstance(k, bytes) else k): v for k, v in zip(attrs[::2], attrs[1::2], strict=True)}
        try:
            call = self._call(op, inputs, told)
        except (Unwritten, ValueError, TypeError, IndexError, AttributeError):
            call = Call(op)
        call.output = names
        self.tape.calls.append(call)


def refs_in(value: Json) -> list[str]:
    """The references in a value, in order."""
    if isinstance(value, list):
        return [name for item in value for name in refs_in(item)]
    return [value["ref"]] if "ref" in value else []


def record(program: Callable[..., Any], given: Sequence[Any]) -> Tape:
    """The calls of a program on its arguments. A model must be built before, so that its weights are constants."""
    recorder = Recorder(given)
    op_callbacks.add_op_callback(recorder)
    try:
        program(*given)
    finally:
        op_callbacks.remove_op_callback(recorder)
    return recorder.tape

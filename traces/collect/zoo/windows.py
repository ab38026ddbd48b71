"""Windows as model lines (docs/reference/file-formats.md), with the tensors of a run.

A tensor from elsewhere becomes an input, of the class or the range of its observed elements. Small constants, and tensors
from elsewhere that follow from shapes, are written out; other constants become constants of the model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper

from traces.collect.zoo.calls import Calls, Names

WRITTEN = 16
"""Maximum elements of a constant that is written out."""
MOST = 8192
"""Maximum elements of a tensor."""
TENSORS = 128
"""Maximum tensors."""
INPUTS = 4
"""Maximum inputs that are not constants."""
DTYPES = frozenset("bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 float32 float64".split())
Json = Any


class Unfit(Exception):
    """A window that cannot be written."""


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return repr(value.decode())
    return repr(float(value)) if isinstance(value, float) else str(int(value))


def _constant(value: Any) -> Json:
    if isinstance(value, (list, tuple)):
        return [_constant(item) for item in value]
    if isinstance(value, onnx.TensorProto):
        array = numpy_helper.to_array(value)
        return {"const": repr((array.dtype.name, list(array.shape), array.flatten().tolist()))}
    return {"const": _text(value)}


def _nested(array: Any) -> Json:
    if array.ndim:
        return [_nested(part) for part in array]
    return {"const": _text(float(array) if array.dtype.kind == "f" else int(array))}


class Window:
    """One window being written."""

    def __init__(self, calls: Calls, names: Names, nodes: list[onnx.NodeProto]) -> None:
        self._calls, self._names, self._nodes = calls, names, nodes
        self._arrays = calls.arrays
        self._fixed = calls.constants | calls.shaped
        self._ids: dict[str, int] = {}
        self._inputs: list[Json] = []

    def _tensor(self, name: str) -> Json:
        array = self._arrays.get(name)
        if not isinstance(array, np.ndarray) or array.dtype.name not in DTYPES or array.size > MOST or 0 in array.shape:
            raise Unfit("tensor")
        self._ids[name] = len(self._ids)
        return {"id": self._ids[name], "shape": list(array.shape), "dtype": array.dtype.name}

    def _input(self, name: str) -> None:
        made, array = self._tensor(name), self._arrays[name]
        if array.dtype.kind in "iu":
            made["range"] = [int(array.min()), int(array.max()) + 1]
        elif array.dtype.kind == "f" and array.min() >= 0:
            made["values"] = "unit" if array.min() >= 0.1 and array.max() <= 0.9 else "positive"
        if name in self._fixed:
            made["constant"] = True
        self._inputs.append(made)

    def _is_written(self, name: str) -> bool:
        array = self._arrays.get(name)
        if name not in self._fixed or not isinstance(array, np.ndarray):
            return False
        plain = array.dtype.name in DTYPES and array.dtype.name != "float16" and array.size <= WRITTEN
        return plain and (array.dtype.kind != "f" or bool(np.isfinite(array).all()))

    def _argument(self, name: str) -> Json:
        if not name:
            return {"const": "None"}
        if name in self._ids:
            return {"ref": self._ids[name]}
        return {"elements": _nested(self._arrays[name]), "dtype": self._arrays[name].dtype.name}

    def _call(self, node: onnx.NodeProto) -> Json:
        schema, api = self._names.schema(node.op_type, self._calls.opset), self._names.api(node.op_type, self._calls.opset)
        args: list[Json] = []
        for place, name in enumerate(node.input):
            formal = schema.inputs[min(place, len(schema.inputs) - 1)]
            if formal.option == defs.OpSchema.FormalParameterOption.Variadic:
                values = [self._argument(other) for other in node.input[place:]]
                args.append({"name": formal.name, "pos": True, "value": values})
                break
            args.append({"name": formal.name, "pos": True, "value": self._argument(name)})
        for attribute in sorted(node.attribute, key=lambda a: a.name):
            value = helper.get_attribute_value(attribute)
            if not isinstance(value, (int, float, bytes, list, onnx.TensorProto)) or attribute.name not in schema.attributes:
                raise Unfit("attribute")
            args.append({"name": attribute.name, "pos": False, "value": _constant(value)})
        if not all(node.output):
            raise Unfit("omitted output")
        if len(node.output) != sum(o.option == defs.OpSchema.FormalParameterOption.Single for o in schema.outputs):
            args.append({"name": "outputs", "pos": False, "value": {"const": str(len(node.output))}})
        return {"op": api, "api": api, "args": args, "outputs": [self._tensor(name) for name in node.output]}

    def line(self) -> Json:
        """The model. Raises Unfit."""
        made = {name for node in self._nodes for name in node.output}
        for name in dict.fromkeys(name for node in self._nodes for name in node.input if name and name not in made):
            if not self._is_written(name):
                self._input(name)
        if not 1 <= sum(not t.get("constant") for t in self._inputs) <= INPUTS:
            raise Unfit("inputs")
        nodes = [self._call(node) for node in self._nodes]
        if len(self._ids) > TENSORS:
            raise Unfit("tensors")
        taken = {name for node in self._nodes for name in node.input}
        outputs = [self._ids[name] for name in self._ids if name in made and name not in taken]
        return {"model": 1, "framework": "onnx", "seed": 0, "index": 0, "values": 0, "inputs": self._inputs, "nodes": nodes,
                "outputs": outputs}  # fmt: skip

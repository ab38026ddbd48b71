"""A call as a model of one node: its inputs, attributes and outputs from the symbols' values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from rulefuzz.framework import Rejected
from rulefuzz.frameworks.onnx_evaluate import (
    IR_VERSION,
    OPSET,
    OUTPUTS,
    attribute,
    constant,
    element_type,  # fmt: skip
)
from rulefuzz.frameworks.own import onnx as onnx_own
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx.elements import Pools
from traces.collect.judge.framework import ranged_elements

COUNTS_OUTPUTS = "num_outputs"
"""An attribute that must equal the number of outputs; if it is smaller, onnx's inference reads beyond its arrays."""


class Input:
    """One tensor of the model: a graph input or a constant."""

    def __init__(self, value: Json, place: int) -> None:
        self.name, self.dtype, self._place = f"i{place}", value["dtype"], place
        self.is_constant = "elements" in value
        if self.is_constant:
            self._elements = _numbers(value["elements"])
            return
        self._dims = [int(symbol[1:]) for symbol in value["tensor"]]
        self._range = [int(symbol[1:]) for symbol in value["range"]] if "range" in value else None

    def dims(self, values: Values) -> list[int]:
        """The tensor's dimensions."""
        return [values[i] for i in self._dims]

    def array(self, values: Values, fill: str, pools: Pools) -> np.ndarray:
        """The tensor's elements."""
        if self.is_constant:
            kind = object if self.dtype == "string" else helper.tensor_dtype_to_np_dtype(element_type(self.dtype))
            return np.array(self._elements(values), dtype=kind)
        dims = self.dims(values)
        if self._range is None:
            return pools.tensor(dims, self.dtype, fill, self._place)
        low, high = (values[i] for i in self._range)
        return ranged_elements(math.prod(dims), low, high, fill, self._place).astype(self.dtype).reshape(dims)


def _numbers(value: Json) -> Callable[[Values], Any]:
    """A function that builds an attribute or a constant tensor's elements from the symbols' values."""
    if isinstance(value, str):
        index = int(value[1:])
        return lambda values: values[index]
    if isinstance(value, list):
        parts = [_numbers(item) for item in value]
        return lambda values: [part(values) for part in parts]
    fixed = constant(value["const"])
    return lambda values: fixed


class OnnxCall:
    """A compiled call: symbols' values to a model, with the last model's session."""

    def __init__(self, schema: Any, opset: int, args: Sequence[Json]) -> None:
        self.schema, self.opset = schema, opset
        self.inputs: list[Input] = []
        self.node_inputs: list[str] = []
        self.attributes: list[tuple[str, Any, Callable[[Values], Any]]] = []
        self.outputs = schema.min_output
        self.by_reference = opset > OPSET or isinstance(schema, onnx_own.Own)
        self.problem = ""
        for arg in args:
            if arg["pos"]:
                for value in arg["value"] if isinstance(arg["value"], list) else [arg["value"]]:
                    self._input(value)
            elif arg["name"] == OUTPUTS and "const" in arg["value"]:
                self.outputs = constant(arg["value"]["const"])
            elif arg["name"] in schema.attributes:
                self.attributes.append((arg["name"], schema.attributes[arg["name"]].type, _numbers(arg["value"])))
            else:
                self.problem = f"no attribute {arg['name']}"
        self.names = [f"o{i}" for i in range(self.outputs)]
        self.strings = any(input.dtype == "string" for input in self.inputs)
        self.built: tuple[Values, Any] | None = None
        """The last input and its session, evaluator or exception."""
        self.inferred: list[tuple[list[int | None] | None, str]] = []
        """onnx's inferred outputs of the last input."""

    def _input(self, value: Json) -> None:
        if isinstance(value, (str, list)) or "seen" in value:
            self.problem = "a number or a list in place of a tensor"
        elif "const" in value:
            self.node_inputs.append("")
        else:
            self.inputs.append(Input(value, len(self.inputs)))
            self.node_inputs.append(self.inputs[-1].name)

    def model(self, values: Values, *, fed: bool = False) -> onnx.ModelProto:
        """The model for an input. `fed`: constant tensors are also graph inputs without a default value."""
        if self.problem:
            raise Rejected(f"onnx: {self.problem}")
        node = onnx.NodeProto(op_type=self.schema.name, input=self.node_inputs, output=self.names)
        try:
            for name, kind, build in self.attributes:
                value = build(values)
                node.attribute.append(attribute(name, kind or onnx_own.kind_of(value), value))
                if name == COUNTS_OUTPUTS and node.attribute[-1].i != self.outputs:
                    raise Rejected(f"onnx: {name} is not the number of outputs")
            onnx_own.complete(node, self.schema)
            graph = onnx.GraphProto(name="g", node=[node], output=[onnx.ValueInfoProto(name=name) for name in self.names])
            for tensor in self.inputs:
                if tensor.is_constant:
                    array = tensor.array(values, "", None)  # type: ignore[arg-type]
                    if not fed:
                        graph.initializer.append(onnx.numpy_helper.from_array(array, tensor.name))
                        continue
                    dims = list(array.shape)
                else:
                    dims = tensor.dims(values)
                graph.input.append(helper.make_tensor_value_info(tensor.name, element_type(tensor.dtype), dims))
        except (ValueError, TypeError, OverflowError) as error:
            raise Rejected(f"onnx: {error}") from error
        return onnx.ModelProto(ir_version=IR_VERSION if self.opset <= OPSET else 13, graph=graph,
                               opset_import=onnx_own.opsets([self.schema], self.opset),
                               functions=onnx_own.functions([self.schema]))  # fmt: skip

    @property
    def classes(self) -> list[Any]:
        """The additional operators that the reference evaluator needs."""
        return onnx_own.classes([self.schema])

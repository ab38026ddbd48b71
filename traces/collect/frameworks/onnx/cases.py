"""onnx's node test cases as plain values, and calls made from them, also for other versions of an operator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.onnx_evaluate import (
    OUTPUTS,
    dtype_of_element_type,
)
from traces.collect.call.spec import Literal, TensorSpec, Unsupported, of_integers

CASES, SCHEMA = "nodes", "schema"
GIVEN = 12
"""Integer tensors with at most this many elements are listed one by one."""
GIVEN_FLOATS = 8
TYPES = defs.OpSchema.AttrType
OPTION = defs.OpSchema.FormalParameterOption
Arguments = list[tuple[str, bool, Any]]


@dataclass
class Case:
    """One node with its inputs, as plain values."""

    name: str
    inputs: list[Any]
    """For each input of the node: its elements, None if it is missing."""
    attributes: dict[str, Any]
    outputs: int
    source: str = CASES


@dataclass
class Found:
    """The cases of an operator, and why others are unusable."""

    cases: list[Case] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def _elements(value: Any) -> np.ndarray:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def _case(model: onnx.ModelProto, data: Sequence[Any]) -> Case:
    """The case of a model of one node; raises Unsupported."""
    node = model.graph.node[0]
    known: dict[str, Any] = {tensor.name: tensor for tensor in model.graph.initializer}
    for value_info, value in zip(model.graph.input, data, strict=False):
        known[value_info.name] = value
        if not value_info.type.HasField("tensor_type"):
            raise Unsupported("takes a sequence or an optional")
    inputs = [None if name == "" else _elements(known[name]) for name in node.input]
    attributes = {}
    for attribute in node.attribute:
        if attribute.ref_attr_name or attribute.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS):
            raise Unsupported("takes a graph")
        attributes[attribute.name] = helper.get_attribute_value(attribute)
    named = [i for i, name in enumerate(node.output) if name]
    return Case(model.graph.name, inputs, attributes, named[-1] + 1 if named else 1)


def node_cases() -> dict[str, Found]:
    """The node test cases by operator. Expanded functions are skipped, since they have several nodes."""
    found: dict[str, Found] = defaultdict(Found)
    for test in collect_testcases(None):
        if test.model is None or len(test.model.graph.node) != 1:
            continue
        node = test.model.graph.node[0]
        name = onnx_domains.named(node.domain, node.op_type) if node.domain else node.op_type
        try:
            found[name].cases.append(_case(test.model, test.data_sets[0][0]))
        except Unsupported as error:
            found[name].dropped.append(str(error))
    return found


def _spec(array: np.ndarray) -> TensorSpec:
    if array.dtype.kind in "OUS":
        return TensorSpec(array.shape, "string")
    dtype = dtype_of_element_type(helper.np_dtype_to_tensor_dtype(array.dtype))
    if dtype in ("int64", "int32"):
        return of_integers(array.shape, dtype, array, GIVEN)
    if dtype in ("float32", "bool") and array.ndim <= 1 and array.size <= GIVEN_FLOATS:
        texts = [{"const": repr(item)} for item in array.ravel().tolist()]
        return TensorSpec(array.shape, dtype, texts if array.ndim else texts[0], (0, 0))  # only elements, no range
    return TensorSpec(array.shape, dtype)


def _tensor_text(tensor: onnx.TensorProto) -> Literal:
    array = numpy_helper.to_array(tensor)
    if array.size > GIVEN:
        raise Unsupported("an attribute is a tensor of many elements")
    elements = [str(item) if array.dtype.kind in "OUS" else item for item in array.ravel().tolist()]
    if any(isinstance(item, float) and not np.isfinite(item) for item in elements):
        raise Unsupported("an attribute is a tensor with infinities")
    return Literal(repr((dtype_of_element_type(tensor.data_type), list(array.shape), elements)))


def _attribute(kind: Any, value: Any) -> Any:
    if kind == TYPES.STRING:
        return value.decode() if isinstance(value, bytes) else value
    if kind == TYPES.STRINGS:
        return [item.decode() if isinstance(item, bytes) else item for item in value]
    if kind == TYPES.FLOAT:
        return float(value)
    if kind == TYPES.INT:
        return int(value)
    if kind == TYPES.INTS:
        return [int(item) for item in value]
    if kind == TYPES.FLOATS:
        return [float(item) for item in value]
    if kind == TYPES.TENSOR:
        return _tensor_text(value)
    raise Unsupported(f"an attribute is of type {kind.name}")


def formal_of(schema: Any, place: int) -> Any | None:
    if place < len(schema.inputs):
        return schema.inputs[place]
    last = schema.inputs[-1] if schema.inputs else None
    return last if last is not None and last.option == OPTION.Variadic else None


def older(case: Case, newer: Any, schema: Any) -> Case:
    """The case for another version of the operator: inputs that are attributes there become attributes; attributes and
    inputs that it lacks are dropped."""
    attributes = {name: value for name, value in case.attributes.items() if name in schema.attributes}
    kept = []
    for place, value in enumerate(case.inputs):
        formal = formal_of(newer, place)
        name = formal.name if formal is not None else ""
        same = next((a for a in schema.attributes if a.lower() == name.lower() and a not in newer.attributes), None)
        if same is None:
            kept.append(value)
        elif value is not None:
            one = schema.attributes[same].type in (TYPES.INT, TYPES.FLOAT)
            attributes[same] = value.ravel().tolist()[0] if one and value.size else value.ravel().tolist()
    kept = kept[: min(len(kept), schema.max_input)]
    return replace(case, inputs=kept, attributes=attributes, outputs=min(case.outputs, schema.max_output))


def arguments(case: Case, schema: Any) -> Arguments:
    """The arguments of a call: inputs by position, a variadic one as a list, then attributes by name, sorted."""
    inputs = list(case.inputs)
    while inputs and inputs[-1] is None:
        inputs.pop()
    made: Arguments = []
    for place, value in enumerate(inputs):
        formal = formal_of(schema, place)
        if formal is None:
            raise Unsupported("more inputs than the operator takes")
        plain = None if value is None else _spec(value)
        if formal.option != OPTION.Variadic:
            made.append((formal.name, True, plain))
        elif made and made[-1][0] == formal.name:
            made[-1][2].append(plain)
        else:
            made.append((formal.name, True, [plain]))
    for name in sorted(case.attributes):
        made.append((name, False, _attribute(schema.attributes[name].type, case.attributes[name])))
    if case.outputs != schema.min_output:
        made.append((OUTPUTS, False, Literal(repr(case.outputs))))
    return made


def flags(schema: Any, cases: Sequence[Case]) -> frozenset[str]:
    """Integer attributes that are 0 or 1 by default and in all cases: flags, not sizes."""
    found = set()
    for name, attribute in schema.attributes.items():
        if attribute.type != TYPES.INT:
            continue
        values = {case.attributes[name] for case in cases if name in case.attributes}
        stated = bool(attribute.default_value.type)
        if stated:
            values.add(helper.get_attribute_value(attribute.default_value))
        if values <= {0, 1} and (stated or len(values) > 1):
            found.add(name)
    return frozenset(found)

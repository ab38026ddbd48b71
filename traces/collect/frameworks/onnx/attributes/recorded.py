"""Records as cases: the calls of a version of an operator as plain values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onnx
from onnx import helper

from rulefuzz.frameworks.onnx_evaluate import OUTPUTS, constant, element_type
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx.calls.forms import filled
from traces.collect.frameworks.onnx.cases import Case

SOURCE = "versions"
ROWS = 3
"""Accepted records of a signature that become cases."""


def _plain(value: Json, values: Values) -> Any:
    if isinstance(value, str):
        return values[int(value[1:])]
    if isinstance(value, list):
        return [_plain(item, values) for item in value]
    return constant(value["const"]) if isinstance(value, dict) else value


def array_of(value: Json, values: Values) -> np.ndarray | None:
    """An input; None if it is omitted."""
    if "const" in value:
        return None
    if "elements" in value:
        kind = object if value["dtype"] == "string" else helper.tensor_dtype_to_np_dtype(element_type(value["dtype"]))
        return np.array(_plain(value["elements"], values), dtype=kind)
    dims = [values[int(symbol[1:])] for symbol in value["tensor"]]
    if "range" in value:
        low, high = (values[int(symbol[1:])] for symbol in value["range"])
        return (np.arange(int(np.prod(dims, dtype=int))) % max(high - low, 1) + low).astype(value["dtype"]).reshape(dims)
    return filled(dims, value["dtype"])


def _attribute(value: Any) -> Any:
    """The value as onnx.helper returns it. A tensor is written as its dtype, dimensions and elements."""
    if isinstance(value, tuple):
        dtype, dims, elements = value
        return helper.make_tensor("", element_type(dtype), dims, elements)
    return value


def case_of(api: str, args: list[Json], array: Callable[[Json], np.ndarray | None], values: Values = ()) -> Case:
    """The case of a call, with 0 outputs if it has no argument `outputs`. `array` gives its inputs, and `values` the values of
    symbols."""
    inputs: list[np.ndarray | None] = []
    attributes: dict[str, Any] = {}
    outputs = 0
    for arg in args:
        value = arg["value"]
        if arg["pos"]:
            inputs += [array(item) for item in (value if isinstance(value, list) else [value])]
        elif arg["name"] == OUTPUTS:
            outputs = int(constant(value["const"]))
        else:
            attributes[arg["name"]] = _attribute(_plain(value, values))
    return Case(api, inputs, attributes, outputs, SOURCE)


def cases(record: Json, minimum: int) -> Iterator[Case]:
    """Some accepted calls of a signature, spread; `minimum`: the outputs of a call without the argument `outputs`."""
    rows = arglist.full(record) or record["pass"]
    for values, _ in arglist.spread(rows, ROWS):
        made = case_of(record["api"], record["args"], functools.partial(array_of, values=values), values)
        made.outputs = made.outputs or minimum
        yield made


def same_value(one: Any, two: Any) -> bool:
    """Whether two values of an attribute are equal; tensors never are."""
    if isinstance(one, onnx.TensorProto) or isinstance(two, onnx.TensorProto):
        return False
    return bool(one == two)

"""Argument combinations that no test case shows, from the schemas; and guessed calls of operators without cases."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import helper

from rulefuzz.frameworks.onnx_evaluate import (
    dtype_name,
    element_type,
)
from traces.collect.call.spec import Unsupported
from traces.collect.frameworks.onnx.cases import OPTION, SCHEMA, TYPES, Case, formal_of


def forms(case: Case, schema: Any, switches: frozenset[str]) -> Iterator[Case]:
    """The case with attributes omitted, given and flipped, and with optional inputs omitted."""
    optional = [name for name in sorted(case.attributes) if not schema.attributes[name].required]
    made = replace(case, source=SCHEMA)
    if len(optional) > 1:
        yield replace(made, attributes={k: v for k, v in case.attributes.items() if k not in optional})
    for name in optional:
        yield replace(made, attributes={k: v for k, v in case.attributes.items() if k != name})
    for name in sorted(switches):
        stated = case.attributes.get(name)
        if stated is None:
            attribute = schema.attributes[name]
            stated = helper.get_attribute_value(attribute.default_value) if attribute.default_value.type else 0
        yield replace(made, attributes={**case.attributes, name: 1 - stated})
    for name, attribute in sorted(schema.attributes.items()):
        if name not in case.attributes and attribute.default_value.type and name not in switches:
            value = helper.get_attribute_value(attribute.default_value)
            yield replace(made, attributes={**case.attributes, name: value})
    for place in range(len(case.inputs) - 1, 0, -1):
        formal = formal_of(schema, place)
        if formal is None or formal.option != OPTION.Optional:
            break
        yield replace(made, inputs=case.inputs[:place])
    for count in range(schema.min_output, min(schema.max_output, schema.min_output + 3) + 1):
        if count != case.outputs:
            yield replace(made, outputs=count)


def coded(case: Case, schema: Any, names: Iterable[str]) -> Iterator[tuple[str, Case]]:
    """The case with each dtype that the first output may have as the value of each of these attributes; with that dtype."""
    for name in sorted(names):
        for dtype in allowed_dtypes(schema, schema.outputs[0].type_str) if schema.outputs else ():
            yield dtype, replace(case, attributes={**case.attributes, name: element_type(dtype)}, source=SCHEMA)


def allowed_dtypes(schema: Any, type_str: str) -> list[str]:
    """The dtypes of a type variable, sorted."""
    allowed = next((sorted(c.allowed_type_strs) for c in schema.type_constraints if c.type_param_str == type_str), [type_str])
    return [name for name in map(dtype_name, allowed) if name is not None]


PROBE_DIMS = ((2, 3), (2, 3, 4), (2, 3, 4, 5), (2,), (4, 4), (1, 4, 6, 6), (1, 5), ())
PROBES = 6
"""Probes kept of an operator without cases."""


def first_dtype(schema: Any, type_str: str) -> str:
    names = allowed_dtypes(schema, type_str)
    if not names:
        raise Unsupported("takes a sequence or an optional")
    return next((wish for wish in ("float32", "int64", "bool", "string") if wish in names), names[0])


def filled(dims: Sequence[int], dtype: str) -> np.ndarray:
    if dtype == "string":
        return np.full(dims, "a", dtype=object)
    return np.ones(dims, helper.tensor_dtype_to_np_dtype(element_type(dtype)))


GUESSED = (TYPES.INT, TYPES.FLOAT, TYPES.INTS, TYPES.FLOATS, TYPES.STRING, TYPES.STRINGS, TYPES.TENSOR)


def _guesses(attribute: Any) -> list[Any]:
    if attribute.type == TYPES.INT:
        return [1, 2]
    if attribute.type == TYPES.FLOAT:
        return [1.0]
    if attribute.type == TYPES.INTS:
        return [[2], [2, 2], [2, 2, 2]]
    if attribute.type == TYPES.FLOATS:
        return [[1.0, 1.0], [1.0, 1.0, 2.0, 2.0]]
    if attribute.type == TYPES.STRING:
        return ["a"]
    if attribute.type == TYPES.STRINGS:
        return [["a", "b"]]
    if attribute.type == TYPES.TENSOR:
        return [helper.make_tensor("", onnx.TensorProto.FLOAT, [2], [1.0, 2.0])]
    raise Unsupported(f"an attribute that it requires is of type {attribute.type.name}")


def probes(schema: Any) -> Iterator[Case]:
    """Guessed calls: the required inputs at several ranks, small required attributes; raises Unsupported."""
    required = [formal for formal in schema.inputs if formal.option != OPTION.Optional]
    types = [first_dtype(schema, formal.type_str) for formal in required]
    few = len(required) <= 2
    ranks = itertools.product(PROBE_DIMS, repeat=len(required)) if few else (((d,) * len(required)) for d in PROBE_DIMS)
    wanted = {name: _guesses(a) for name, a in sorted(schema.attributes.items()) if a.required}
    seeds = [{"seed": 1.0}] if "seed" in schema.attributes else [{}]
    choices = [dict(zip(wanted, values, strict=True)) for values in itertools.product(*wanted.values())]
    if not wanted and not required:  # no inputs, only attributes: try each alone
        others = [(name, a) for name, a in sorted(schema.attributes.items()) if a.type in GUESSED]
        choices += [{name: guess} for name, a in others for guess in _guesses(a)[:1]]
    for dims, attributes, seed in itertools.product(list(ranks), choices, seeds):
        inputs = [filled(d, t) for d, t in zip(dims, types, strict=True)]
        yield Case("probe", inputs, {**attributes, **seed}, schema.min_output, SCHEMA)

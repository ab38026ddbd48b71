"""Calls of one version of an operator as calls of another, as far as their schemas agree by name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from onnx import helper

from rulefuzz.frameworks.onnx_evaluate import element_type
from traces.collect.call.spec import Unsupported
from traces.collect.frameworks.onnx.calls.forms import allowed_dtypes, first_dtype
from traces.collect.frameworks.onnx.cases import OPTION, TYPES, Case

NUMBERS = (TYPES.INT, TYPES.FLOAT)
LISTS = (TYPES.INTS, TYPES.FLOATS)


def _by_name(case: Case, schema: Any) -> list[tuple[str, list[Any]]]:
    """The inputs by formal name; a variadic one has several."""
    found: list[tuple[str, list[Any]]] = []
    for place, value in enumerate(case.inputs):
        if place < len(schema.inputs):
            found.append((schema.inputs[place].name.lower(), [value]))
        elif found:
            found[-1][1].append(value)
    return found


def _as_input(value: Any, formal: Any, schema: Any) -> list[np.ndarray]:
    """The value of an attribute as an input: a number as a scalar, or as a vector of one element."""
    allowed = allowed_dtypes(schema, formal.type_str)
    floats = isinstance(value, float) or (isinstance(value, list) and any(isinstance(item, float) for item in value))
    dtype = next((name for name in (("float32",) if floats else ("int64", "int32", "float32")) if name in allowed), None)
    if dtype is None or isinstance(value, (str, bytes)) or not isinstance(value, (int, float, list)):
        return []
    array = np.array(value, helper.tensor_dtype_to_np_dtype(element_type(dtype)))
    return [array] if array.ndim else [array, array.reshape(1)]


def _as_attribute(value: np.ndarray, kind: Any) -> Any:
    """The elements of an input as the value of an attribute of this type; None if they do not fit."""
    items = [float(item) if kind in (TYPES.FLOAT, TYPES.FLOATS) else int(item) for item in value.ravel().tolist()]
    if kind in NUMBERS:
        return items[0] if len(items) == 1 else None
    return items if kind in LISTS else None


def _attributes(case: Case, inputs: dict[str, list[Any]], target: Any) -> dict[str, Any]:
    found = {}
    for name, attribute in target.attributes.items():
        given = next((value for old, value in case.attributes.items() if old.lower() == name.lower()), None)
        if given is None and name.lower() in inputs and name.lower() not in {f.name.lower() for f in target.inputs}:
            value = inputs[name.lower()][0]
            numeric = value is not None and value.dtype.kind in "biuf"
            given = _as_attribute(value, attribute.type) if numeric else None
        if given is not None:
            found[name] = given
    return found


def translations(case: Case, source: Any, target: Any) -> Iterator[Case]:
    """The case of a version for another one. An input that is an attribute there becomes one, and the reverse; attributes and
    inputs that it lacks are dropped. Several if a number becomes an input, or if the source lacks a required one."""
    inputs = dict(_by_name(case, source))
    attributes = {name.lower(): value for name, value in case.attributes.items()}
    known = {formal.name.lower() for formal in target.inputs} | {name.lower() for name in target.attributes}
    choices: list[Sequence[list[Any]]] = []
    for place, formal in enumerate(target.inputs):
        name = formal.name.lower()
        old = source.inputs[place].name.lower() if place < len(source.inputs) else ""
        if name in inputs and not (formal.option == OPTION.Single and inputs[name][0] is None):
            choices.append([inputs[name]])
        elif old in inputs and old not in known and name not in attributes:  # renamed
            choices.append([inputs[old]])
        elif name in attributes and name not in {other.lower() for other in target.attributes}:
            choices.append([[array] for array in _as_input(attributes[name], formal, target)] or [[None]])
        elif formal.option == OPTION.Single:
            choices.append([[array] for array in _unknown(target, formal, case)])
        else:
            choices.append([[None]])
    for chosen in itertools.product(*choices):
        made = [value for values in chosen for value in values]
        while made and made[-1] is None:
            made.pop()
        yield replace(case, inputs=made, attributes=_attributes(case, inputs, target),
                      outputs=max(target.min_output, min(case.outputs, target.max_output)))  # fmt: skip


def _unknown(schema: Any, formal: Any, case: Case) -> Iterator[np.ndarray]:
    """Vectors for an input that the source lacks: two elements for each dimension of the first input, and an empty one."""
    dtype = first_dtype(schema, formal.type_str)
    if dtype == "string":
        raise Unsupported("takes strings")
    rank = 0 if not case.inputs or case.inputs[0] is None else case.inputs[0].ndim
    for length in dict.fromkeys((2 * rank, 0)):
        yield np.zeros((length,), helper.tensor_dtype_to_np_dtype(element_type(dtype)))

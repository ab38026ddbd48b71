"""Operators of other ONNX domains than the default one: com.microsoft from onnxruntime's list, ai.onnx.ml from onnx's.

An API names the domain with underscores: onnx.com_microsoft.Gelu, onnx.ai_onnx_ml.LabelEncoder. Each operator has one version,
the newest that onnxruntime has, and is valid in every operator set of the default domain from FIRST_SETS on.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import onnx
import onnxruntime.capi.onnxruntime_pybind11_state as onnxruntime_state
from onnx import defs

DOMAINS = ("ai.onnx.ml", "com.microsoft")
TYPES = defs.OpSchema.AttrType
OPTION = defs.OpSchema.FormalParameterOption


@dataclass(frozen=True)
class Attribute:
    """An attribute, with the names of OpSchema.Attribute."""

    name: str
    type: Any
    required: bool
    default_value: Any
    description: str


@dataclass(frozen=True)
class Formal:
    """An input or output, with the names of OpSchema.FormalParameter."""

    name: str
    type_str: str
    option: Any
    description: str


@dataclass(frozen=True)
class Schema:
    """An operator, with the names of OpSchema."""

    name: str
    domain: str
    since_version: int
    doc: str
    attributes: Mapping[str, Attribute]
    inputs: Sequence[Formal]
    outputs: Sequence[Formal]
    type_constraints: Sequence[Any]
    min_input: int
    max_input: int
    min_output: int
    max_output: int
    deprecated: bool


def named(domain: str, name: str) -> str:
    """com_microsoft.Gelu, the API's name without the framework."""
    return f"{domain.replace('.', '_')}.{name}"


def _attribute(name: str, found: Any) -> Attribute:
    default = onnx.AttributeProto.FromString(found._default_value)
    return Attribute(name, TYPES(int(found.type)), found.required, default, found.description)


def _formal(found: Any) -> Formal:
    return Formal(found.name, found.typeStr, getattr(OPTION, found.option.name), found.description)


def _schema(found: Any) -> Schema:
    attributes = {name: _attribute(name, a) for name, a in sorted(found.attributes.items())}
    return Schema(found.name, found.domain, found.since_version, found.doc, attributes, list(map(_formal, found.inputs)),
                  list(map(_formal, found.outputs)), found.type_constraints, found.min_input, found.max_input, found.min_output,
                  found.max_output, found.deprecated)  # fmt: skip


@functools.cache
def schemas() -> dict[str, Schema]:
    """The schemas by name, each in its newest version. Old versions of onnxruntime list none."""
    found: dict[str, Schema] = {}
    listed = getattr(onnxruntime_state, "get_all_operator_schema", list)
    for schema in sorted(listed(), key=lambda s: (s.domain, s.name, s.since_version)):
        if schema.domain in DOMAINS:
            found[named(schema.domain, schema.name)] = _schema(schema)
    return found


@functools.cache
def version(domain: str) -> int:
    """The version of a domain that models import."""
    return max((schema.since_version for schema in schemas().values() if schema.domain == domain), default=1)

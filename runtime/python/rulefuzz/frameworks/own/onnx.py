"""User-defined ONNX operators (own.py): their signatures, and the parts of models that define them.

    class NAME(OpRun)     with an op_domain: onnx's reference evaluator runs it. Inputs, attributes and outputs are those of
                          op_schema, or else the parameters of _run. Targets run op_function instead, a FunctionProto of the
                          same name and domain
    FunctionProto         in its own domain: both the reference evaluator and targets run it

Both are found by name in a module. The type of an input or attribute may be unknown; the value implies it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import onnx
from onnx import defs, helper
from onnx.reference.op_run import OpRun

from rulefuzz import own
from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.onnx_evaluate import FIRST_OPSET, OPSET
from rulefuzz.model import Raised

TYPES = defs.OpSchema.AttrType
WORDS = {TYPES.INT: "int", TYPES.INTS: "list[int]", TYPES.FLOAT: "float"}
"""Annotations of attribute types."""
OPTION = defs.OpSchema.FormalParameterOption


@dataclass(frozen=True)
class Attribute:
    """An attribute; its type is None if the value implies it."""

    type: Any = None
    required: bool = False
    default: Any = None
    """The default that a node gets, since the reference evaluator ignores defaults in functions."""


@dataclass(frozen=True)
class Parameter:
    """An input or an attribute, with its annotated type ("" if there is none)."""

    name: str
    type: str
    optional: bool
    is_input: bool


@dataclass(frozen=True)
class Own:
    """An operator, with the names of OpSchema."""

    name: str
    domain: str
    parameters: Sequence[Parameter]
    attributes: Mapping[str, Attribute]
    inputs: Sequence[Any] = ()
    type_constraints: Sequence[Any] = ()
    min_output: int = 1
    since_version: int = FIRST_OPSET
    newest: int = OPSET
    classes: Sequence[type[OpRun]] = ()
    """The class for the reference evaluator, unless it is a function."""
    function: Any = None
    """Its FunctionProto, if any."""
    functions: Sequence[Any] = field(default=())
    """The FunctionProto for the reference evaluator, unless it is a class."""


def find(api: str) -> Own | None:
    """The operator; None if the user did not name it. Raises BadOwn."""
    return operator(api, own.functions()[api]) if api in own.functions() else None


def check() -> None:
    """Raises BadOwn if a named operator is invalid."""
    for api in own.functions():
        find(api)


def operator(api: str, found: Any) -> Own:
    """The operator that a module has under the API's name. Raises BadOwn."""
    if isinstance(found, onnx.FunctionProto):
        if not found.domain:
            raise own.BadOwn(f"{api} is a function of ONNX's own domain")
        return _of_function(found)
    if not isinstance(found, type) or not issubclass(found, OpRun):
        raise own.BadOwn(f"{api} is neither a subclass of onnx.reference.op_run.OpRun nor a FunctionProto")
    if not getattr(found, "op_domain", ""):
        raise own.BadOwn(f"{api} needs its own op_domain")
    return _of_class(api, found)


def _opsets(function: Any) -> tuple[int, int]:
    """The operator sets of models with a function."""
    said = [item.version for item in function.opset_import if not item.domain]
    return (said[0], said[0]) if said else (FIRST_OPSET, OPSET)


def _of_function(found: Any) -> Own:
    kinds = {a.name: Attribute(TYPES(a.type), default=a) for a in found.attribute_proto}
    attributes = {**{name: Attribute(required=True) for name in found.attribute}, **kinds}
    parameters = [Parameter(name, "Tensor", optional=False, is_input=True) for name in found.input]
    parameters += [Parameter(name, "?", optional=False, is_input=False) for name in found.attribute]
    parameters += [
        Parameter(name, WORDS[a.type], optional=True, is_input=False) for name, a in kinds.items() if a.type in WORDS
    ]
    oldest, newest = _opsets(found)
    return Own(found.name, found.domain, parameters, attributes, min_output=len(found.output), since_version=oldest,
               newest=newest, function=found, functions=(found,))  # fmt: skip


def _of_class(api: str, found: Any) -> Own:
    function = getattr(found, "op_function", None)
    oldest, newest = FIRST_OPSET, OPSET
    if function is not None:
        if not isinstance(function, onnx.FunctionProto) or (function.name, function.domain) != (
            found.__name__,
            found.op_domain,
        ):
            raise own.BadOwn(f"{api}.op_function is not a FunctionProto of its name and domain")
        oldest, newest = _opsets(function)
    rest: dict[str, Any] = {"since_version": oldest, "newest": newest, "classes": (found,), "function": function}
    schema = getattr(found, "op_schema", None)
    if schema is None:
        inputs, attributes = _of_signature(found._run)
        return Own(found.__name__, found.op_domain, [*inputs, *attributes], {p.name: Attribute() for p in attributes}, **rest)
    kinds = {name: Attribute(a.type, a.required) for name, a in sorted(schema.attributes.items())}
    parameters = []
    for p in schema.inputs:
        text = "list[Tensor]" if p.option == OPTION.Variadic else "Tensor"
        parameters.append(Parameter(p.name, text, p.option == OPTION.Optional, is_input=True))
    parameters += [Parameter(name, WORDS.get(a.type, "?"), not a.required, is_input=False) for name, a in kinds.items()]
    return Own(found.__name__, found.op_domain, [p for p in parameters if p.type != "?" or not p.optional], kinds,
               schema.inputs, schema.type_constraints, schema.min_output, **rest)  # fmt: skip


def _of_signature(run: Any) -> tuple[list[Parameter], list[Parameter]]:
    """Inputs and attributes: parameters without a default or annotated as arrays are inputs."""
    inputs, attributes = [], []
    for parameter in list(inspect.signature(run).parameters.values())[1:]:
        text = parameter.annotation if isinstance(parameter.annotation, str) else inspect.formatannotation(parameter.annotation)
        text, optional = "" if text == "inspect._empty" else text, parameter.default is not parameter.empty
        if parameter.kind == parameter.VAR_POSITIONAL:
            inputs.append(Parameter(parameter.name, "list[Tensor]", optional=False, is_input=True))
        elif parameter.kind == parameter.VAR_KEYWORD:
            continue
        elif parameter.kind != parameter.KEYWORD_ONLY and (not optional or "ndarray" in text):
            inputs.append(Parameter(parameter.name, "Tensor", optional, is_input=True))
        else:
            text = text or (type(parameter.default).__name__ if optional and parameter.default is not None else "?")
            attributes.append(Parameter(parameter.name, text, optional, is_input=False))
    return inputs, attributes


# ---- values and models


def kind_of(value: Any) -> Any:
    """The attribute type of this value."""
    if isinstance(value, (list, tuple)):
        return {str: TYPES.STRINGS, float: TYPES.FLOATS}.get(type(value[0]) if value else int, TYPES.INTS)
    return {str: TYPES.STRING, float: TYPES.FLOAT}.get(type(value), TYPES.INT)


def complete(node: Any, schema: Any) -> None:
    """Gives a node its domain and the defaults of its attributes."""
    if schema.domain:
        node.domain = schema.domain
    if not isinstance(schema, Own):
        return
    there = {attribute.name for attribute in node.attribute}
    node.attribute.extend(a.default for name, a in schema.attributes.items() if a.default is not None and name not in there)


def opsets(schemas: Iterable[Any], opset: int) -> list[Any]:
    """The operator set imports of a model."""
    versions = {schema.domain: 1 if isinstance(schema, Own) else onnx_domains.version(schema.domain)
                for schema in schemas if schema.domain}  # fmt: skip
    return [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, version) for domain, version in versions.items())]


def functions(schemas: Iterable[Any], *, of_targets: bool = False) -> list[Any]:
    """The functions of a model, for the reference evaluator or for targets. Raises Raised if a target cannot run an
    operator."""
    found = {}
    for schema in schemas:
        if not isinstance(schema, Own):
            continue
        if of_targets and schema.function is None:
            why = f"{schema.domain}.{schema.name} has no function body that a target could run"
            raise Raised(NotImplementedError(why))
        for function in (schema.function,) if of_targets else schema.functions:
            found[function.domain, function.name] = function
    return list(found.values())


def classes(schemas: Iterable[Any]) -> list[type[OpRun]]:
    """The classes for the reference evaluator."""
    return list(dict.fromkeys(c for schema in schemas if isinstance(schema, Own) for c in schema.classes))

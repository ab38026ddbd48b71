"""TensorFlow's operator definitions: inputs, attributes, their types and limits, and reasons why one cannot be recorded."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import types_pb2
from tensorflow.python.framework import kernels, op_def_registry

DTYPES = (
    "float32", "int32", "int64", "string", "bool", "float64", "complex64", "complex128", "uint8", "int8", "int16", "uint16",
    "uint32", "uint64", "float16", "bfloat16", "quint8", "qint8", "qint32", "qint16", "quint16",
)  # fmt: skip
"""The dtypes to try, in order of preference."""

SKIPPED = (
    (re.compile(r"^(Collective|Nccl|AllToAll$|CrossReplicaSum$|Send$|Recv$|Infeed|Outfeed|WorkerHeartbeat)"),
     "talks to other processes"),
    (re.compile(r"TPU|^XlaSparse|SparseCore|Minibatch|^ConvertTo(List|Coo)|^GlobalIterId$"), "needs a TPU"),
    (re.compile(r"PyFunc"), "calls Python"),
    (re.compile(r"DataService|^Iterator|^MultiDeviceIterator|^Queue|^Reader|^Barrier|^Stack|Mutex|Summary(Writer|$)|^Write.*Summary"
                r"|^TensorArray.*V3$|^Lookup|^InitializeTable|RandomSeedGenerator|^Delete|^Destroy|SeedGenerator|^BoostedTrees|^TensorForest"
                r"|^ConditionalAccumulator|^ResourceAccumulator|^Dummy"),
     "takes a queue, a reader, a table or the like"),
    (re.compile(r"^(Stage|Unstage|(Ordered)?Map(Incomplete|Peek|Size|Unstage))|^GetSession"),
     "waits for or looks into a container"),
    (re.compile(r"^(ReadFile|MatchingFiles|Restore|RecordInput|LoadAndRemap|GenerateVocab|ImmutableConst)"
                r"|Dump|^DebugIdentityV|Snapshot\w*Dataset"),
     "reads or writes files"),
    (re.compile(r"^(Enter|Exit|Merge|NextIteration|LoopCond|FakeParam|Placeholder(V2)?)$"),
     "belongs to graphs: has no eager form"),
)  # fmt: skip
"""Names of operators that have side effects outside or wait for others."""


@dataclass(frozen=True)
class Input:
    """One input. `dtype` if it is fixed, else the attribute that holds it; a list has an attribute for its length."""

    name: str
    dtype: str
    type_attr: str
    number_attr: str
    type_list_attr: str


@dataclass(frozen=True)
class Attribute:
    """One attribute. `given`: it is passed explicitly; otherwise the inputs determine it."""

    name: str
    kind: str
    default: Any
    has_default: bool
    allowed: tuple[Any, ...]
    minimum: int
    given: bool


@dataclass(frozen=True)
class Definition:
    """One raw operator."""

    name: str
    inputs: tuple[Input, ...]
    attributes: tuple[Attribute, ...]


def _dtype(number: int) -> str:
    return str(tf.as_dtype(number).name)


def _shape(value: Any) -> list[int] | None:
    return None if value.unknown_rank else [int(dim.size) for dim in value.dim]


def _plain(kind: str, value: Any) -> Any:
    """An attribute's value as a Python object."""
    if kind.startswith("list("):
        inner = kind[len("list(") : -1]
        items = getattr(value.list, {"string": "s", "int": "i", "float": "f", "bool": "b"}.get(inner, inner))
        converters: dict[str, Callable[[Any], Any]] = {"string": bytes.decode, "type": _dtype, "shape": _shape}
        one = converters.get(inner, lambda item: item)
        return [one(item) for item in items]
    if kind == "string":
        return value.s.decode("utf-8", "replace")
    if kind == "type":
        return _dtype(value.type)
    if kind == "shape":
        return _shape(value.shape)
    return {"int": value.i, "float": value.f, "bool": value.b}[kind]


def obstacle(name: str) -> str | None:
    """Why the operator cannot be recorded, from its definition alone, or None."""
    definition = op_def_registry.get(name)
    if definition is None:
        return "has no definition"
    for pattern, reason in SKIPPED:
        if pattern.search(name):
            return reason
    for verb, args in (("takes", definition.input_arg), ("returns", definition.output_arg)):
        if any(arg.is_ref for arg in args):
            return f"{verb} a reference"
    if any(arg.type == types_pb2.DT_RESOURCE for arg in definition.output_arg):
        return "returns a resource"
    for attribute in definition.attr:
        if "func" in attribute.type:
            return "takes a function"
        if attribute.type == "tensor":
            return "takes a tensor as attribute"
    if not definition.output_arg and not any(arg.type == types_pb2.DT_RESOURCE for arg in definition.input_arg):
        return "returns no tensor"
    if 0 < definition.deprecation.version <= tf.version.GRAPH_DEF_VERSION:
        return "removed from TensorFlow"
    return None if _kernels(name) else "has no kernel for the CPU"


def _kernels(name: str) -> list[Any]:
    return [kernel for kernel in kernels.get_registered_kernels_for_op(name).kernel if kernel.device_type == "CPU"]


def _kernel_types(found: list[Any], attr: str) -> set[str] | None:
    """The dtypes for which a kernel exists; None if one accepts any."""
    types: set[str] = set()
    for kernel in found:
        own = [c.allowed_values.list.type for c in kernel.constraint if c.name == attr]
        if not own:
            return None
        types |= {_dtype(number) for number in own[0]}
    return types


def _renamed(found: Any, parameters: list[str]) -> dict[str, str]:
    """The arguments that raw_ops names differently, old name to new, in the same order."""
    told = {name for arg in found.input_arg for name in (arg.type_attr, arg.number_attr, arg.type_list_attr)}
    old = [arg.name for arg in (*found.input_arg, *found.attr) if arg.name not in parameters and arg.name not in told]
    known = {arg.name for arg in (*found.input_arg, *found.attr)}
    new = [name for name in parameters if name not in known and name != "name"]
    return dict(zip(old, new, strict=False))


def define(name: str) -> Definition:
    """The operator's definition."""
    found = op_def_registry.get(name)
    parameters = inspect.signature(getattr(tf.raw_ops, name)).parameters
    renamed = _renamed(found, list(parameters))
    inputs = tuple(
        Input(renamed.get(arg.name, arg.name), dtype, arg.type_attr, arg.number_attr, arg.type_list_attr)
        for arg, dtype in ((arg, _dtype(arg.type) if arg.type else "") for arg in found.input_arg)
    )
    attributes = []
    on_cpu = _kernels(name)
    for attr in found.attr:
        has_default = attr.HasField("default_value")
        default = _plain(attr.type, attr.default_value) if has_default else None
        allowed: tuple[Any, ...] = ()
        if attr.HasField("allowed_values"):
            kind = attr.type if attr.type.startswith("list(") else f"list({attr.type})"
            allowed = tuple(_plain(kind, attr.allowed_values))
        if attr.type == "type" and (types := _kernel_types(on_cpu, attr.name)) is not None:
            allowed = tuple(dtype for dtype in allowed if dtype in types) or tuple(sorted(types))
        minimum = int(attr.minimum) if attr.has_minimum else -(1 << 30)
        name_given = renamed.get(attr.name, attr.name)
        attributes.append(Attribute(name_given, attr.type, default, has_default, allowed, minimum, name_given in parameters))
    return Definition(name, inputs, tuple(attributes))

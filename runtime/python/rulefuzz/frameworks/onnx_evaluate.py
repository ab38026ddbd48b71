"""Evaluates ONNX calls: names, schemas and attributes, onnx's inference, and onnxruntime's answers. The adapter runs models
with it, the collector single calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import defs, helper
from onnx.onnx_cpp2py_export import shape_inference

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks import onnx_arrays
from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.domains.onnx_sets import FIRST_SETS

NAMED_OPSET = 26
"""The operator set whose operators have no version in the names of APIs."""
FIRST_OPSET = 7
"""The oldest operator set that onnxruntime promises to support."""
FIRST_IR_VERSION, LAST_IR_VERSION = 7, 10
"""The oldest version of the file format that the oldest onnxruntime reads, and the newest that models need."""
OUT_OF_MEMORY = ("Failed to allocate", "bad_alloc", "bad allocation", "Unable to allocate", "out of memory",
                 "exceeds the maximum", "too big")  # fmt: skip
NO_KERNEL = "Could not find an implementation"
OUTPUTS = "outputs"
"""The pseudo-argument with the number of a node's outputs, if that is not the minimum."""
_NAMES = {"float": "float32", "double": "float64"}


def dtype_name(type_name: str) -> str | None:
    """float32 for tensor(float); None for other kinds."""
    match = re.fullmatch(r"tensor\((\w+)\)", type_name)
    return _NAMES.get(match[1], match[1]) if match else None


def element_type(name: str) -> int:
    """TensorProto.FLOAT for float32."""
    return int(getattr(onnx.TensorProto, {"float32": "FLOAT", "float64": "DOUBLE"}.get(name, name.upper())))


def dtype_of_element_type(number: int) -> str:
    """float32 for TensorProto.FLOAT."""
    name = str(onnx.TensorProto.DataType.Name(number)).lower()
    return _NAMES.get(name, name)


def constant(text: str) -> Any:
    """The value of a constant's text."""
    if text.lstrip("-") in ("inf", "nan"):
        return float(text)
    return ast.literal_eval(text)


def ir_version(opset: int) -> int:
    """The IR version of the oldest release of ONNX that has the operator set."""
    return min(int(row[1]) for row in helper.VERSION_TABLE if row[2] >= opset)


def in_format_of(model: Any, opset: int) -> Any:
    """The model in the IR version that belongs to an operator set. Before version 4, initializers are inputs, too."""
    model.ir_version = ir_version(opset)
    if model.ir_version < 4:
        for tensor in model.graph.initializer:
            model.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    return model


def split_name(api: str) -> tuple[str, int | None]:
    """("Add", 7) for onnx.Add_7, ("Add", None) for onnx.Add, ("com_microsoft.Gelu", None) for onnx.com_microsoft.Gelu."""
    match = re.fullmatch(r"onnx\.((?:[a-z_]+\.)?[A-Za-z0-9]+)(?:_(\d+))?", api)
    if match is None:
        raise ValueError(f"not an ONNX operator: {api}")
    return match[1], int(match[2]) if match[2] else None


def history() -> dict[str, list[Any]]:
    """The schemas of the default domain's operators, oldest first."""
    found: dict[str, list[Any]] = {}
    for schema in sorted(defs.get_all_schemas_with_history(), key=lambda s: (s.name, s.since_version)):
        if schema.domain == "":
            found.setdefault(schema.name, []).append(schema)
    return found


def schema_and_opset(api: str, schemas: dict[str, list[Any]]) -> tuple[Any, int]:
    """An API's schema, and the newest operator set in which it is valid, at most OPSET if possible."""
    name, version = split_name(api)
    if "." in name and version is None:
        return onnx_domains.schemas()[name], OPSET
    versions = schemas[name]
    if version is None:
        return next(schema for schema in reversed(versions) if schema.since_version <= OPSET), OPSET
    place = next(i for i, schema in enumerate(versions) if schema.since_version == version)
    last = versions[place + 1].since_version - 1 if place + 1 < len(versions) else OPSET
    return versions[place], min(last, OPSET) if version <= OPSET else version


def _said(schema: Any) -> Any:
    """All parts of a schema except its dtypes."""
    attributes = {
        name: (a.type, a.required, a.default_value.SerializeToString(), a.description.split())
        for name, a in schema.attributes.items()
    }
    tensors = [(t.name, t.option, t.type_str, t.description.split()) for side in (schema.inputs, schema.outputs) for t in side]
    return schema.doc.split(), attributes, len(schema.inputs), tensors


def alike(schema: Any, schemas: dict[str, list[Any]]) -> list[Any]:
    """The schema and earlier ones, newest first, as long as only dtypes differ."""
    if schema.domain:
        return [schema]
    before = [other for other in schemas[schema.name] if other.since_version < schema.since_version]
    found = [schema]
    for other in reversed(before):
        if other.deprecated or _said(other) != _said(schema):
            break
        found.append(other)
    return found


def _takes(schema: Any, formal: Sequence[Any], dtypes: Sequence[str]) -> bool:
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    for i, dtype in enumerate(dtypes):
        type_str = formal[min(i, len(formal) - 1)].type_str
        if dtype and dtype not in map(dtype_name, allowed.get(type_str, [type_str])):
            return False
    return True


def oldest_opset(versions: Sequence[Any], inputs: Sequence[str], outputs: Sequence[str]) -> int:
    """The oldest operator set in which a call of these dtypes ("" for an omitted input) means the same. For a call of another
    domain, the oldest set of the default domain with which it loads. `versions`: from `alike`."""
    newest = versions[0]
    oldest = FIRST_SETS.get(onnx_domains.named(newest.domain, newest.name), newest.since_version)
    for schema in versions[1:]:
        if not _takes(schema, schema.inputs, inputs) or not _takes(schema, schema.outputs, outputs):
            break
        oldest = schema.since_version
    return int(oldest)


def attribute(name: str, kind: Any, value: Any) -> onnx.AttributeProto:
    """An attribute of the schema's type; a tensor is (dtype, dimensions, elements)."""
    made = onnx.AttributeProto(name=name, type=kind.value)
    types = defs.OpSchema.AttrType
    if kind == types.INT:
        made.i = value
    elif kind == types.FLOAT:
        made.f = value
    elif kind == types.STRING:
        made.s = value.encode()
    elif kind == types.INTS:
        made.ints.extend(value)
    elif kind == types.FLOATS:
        made.floats.extend(value)
    elif kind == types.STRINGS:
        made.strings.extend(item.encode() for item in value)
    elif kind == types.TENSOR:
        dtype, dims, elements = value
        made.t.CopyFrom(helper.make_tensor("", element_type(dtype), dims, elements))
    else:
        raise Rejected(f"onnx: attribute {name} has type {kind}")
    return made


def memory_ran_out(message: str) -> bool:
    return any(sign in message for sign in OUT_OF_MEMORY)


def infer(serialised: bytes) -> onnx.ModelProto:
    """The model with all types and shapes that onnx infers. Raises Rejected."""
    try:
        return onnx.ModelProto.FromString(shape_inference.infer_shapes(serialised, True, True, True))
    except MemoryError as error:
        raise Unanswered("out of memory") from error
    except Exception as error:
        if memory_ran_out(str(error)):
            raise Unanswered("out of memory") from error
        raise Rejected(f"onnx: {error}") from error


def inferred_outputs(model: onnx.ModelProto) -> list[tuple[list[int | None] | None, str]]:
    """The inferred dimensions (None if unknown) and dtype of each output."""
    found: list[tuple[list[int | None] | None, str]] = []
    for output in model.graph.output:
        tensor = output.type.tensor_type
        dims = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
        found.append((dims if tensor.HasField("shape") else None, dtype_of_element_type(tensor.elem_type)))
    return found


def contradicts(dims: Sequence[int | None] | None, true: Sequence[int]) -> bool:
    """Whether an output contradicts its inferred dimensions."""
    if dims is None:
        return False
    return len(dims) != len(true) or any(dim not in (None, real) for dim, real in zip(dims, true, strict=True))


def session_options() -> onnxruntime.SessionOptions:
    """One thread, no optimization, no log."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    return options


def ort_value(array: np.ndarray, dtype: str) -> Any:
    """An OrtValue, also of dtypes that numpy lacks."""
    return onnx_arrays.value_of(np.ascontiguousarray(array).reshape(array.shape), element_type(dtype))


def _reads(opset: int, ir_version: int) -> bool:
    """Whether onnxruntime reads files of an operator set and a version of the format."""
    info = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    graph = onnx.GraphProto(name="g", node=[helper.make_node("Identity", ["x"], ["y"])], input=[info])
    graph.output.append(onnx.ValueInfoProto(name="y"))
    model = onnx.ModelProto(ir_version=ir_version, graph=graph, opset_import=[helper.make_opsetid("", opset)])
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"])
    except Exception:
        return False
    return True


def _newest() -> tuple[int, int]:
    """The newest operator set, and the newest version of the format, that this onnx and onnxruntime support."""
    opset = min(NAMED_OPSET, defs.onnx_opset_version())
    while opset > FIRST_OPSET and not _reads(opset, FIRST_IR_VERSION):
        opset -= 1
    ir_version = min(LAST_IR_VERSION, onnx.IR_VERSION)
    while ir_version > FIRST_IR_VERSION and not _reads(opset, ir_version):
        ir_version -= 1
    return opset, ir_version


OPSET, IR_VERSION = _newest()
"""The newest operator set that onnxruntime supports, at most NAMED_OPSET, and the version of the format of models.
onnx may have newer operator sets, which the reference evaluator runs."""


class NoKernel(Exception):
    """onnxruntime has no kernel for the operator with these dtypes."""


def refusal(error: Exception) -> Exception:
    """Classifies an error of onnxruntime for a call."""
    message = str(error)
    if NO_KERNEL in message:
        return NoKernel(message)
    if isinstance(error, MemoryError) or memory_ran_out(message):
        return Unanswered("out of memory")
    if "can't be converted to MLDataType" in message:
        return NoKernel(message)
    return Rejected(f"onnxruntime: {message}")

"""Arrays, tensors of files, and OrtValues of all element types, with any version of numpy, onnx and onnxruntime.

onnx before 1.19 has types of its own in place of those of ml_dtypes, and onnxruntime before 1.20 makes no OrtValues of them.
Scripts copy these functions.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnxruntime


def numpy_type(kind: Any) -> Any:
    """The numpy dtype of an element type; ml_dtypes has those that numpy lacks."""
    name = onnx.TensorProto.DataType.Name(kind).lower().replace("float8e", "float8_e")
    names = {"float": "float32", "double": "float64", "string": "object", "float4e2m1": "float4_e2m1fn"}
    name = names.get(name, name).replace("e8m0", "e8m0fnu")
    return np.dtype(getattr(ml_dtypes, name, name))


def type_of(dtype: Any) -> Any:
    """The element type of a numpy dtype."""
    if dtype.kind in "OUS":
        return onnx.TensorProto.STRING
    return next(kind for kind in onnx.TensorProto.DataType.values() if kind and numpy_type(kind) == dtype)


def proto_of(array: Any, name: Any) -> Any:
    """A file's tensor of an array."""
    if array.dtype.isbuiltin == 1 or array.dtype == object:
        return onnx.numpy_helper.from_array(array, name)
    kind, bits = type_of(array.dtype), array.reshape(-1).view(np.uint8 if array.itemsize == 1 else np.uint16)
    if array.dtype.name in ("int4", "uint4", "float4_e2m1fn"):  # two per byte, the first in the low bits
        bits = np.pad(bits & 15, (0, bits.size % 2))
        bits = bits[::2] | bits[1::2] << 4
    return onnx.TensorProto(name=name, data_type=kind, dims=array.shape, raw_data=bits.tobytes())


def value_of(array: Any, kind: Any) -> Any:
    """An OrtValue of an array: of its bits and the element type if numpy lacks the dtype."""
    if array.dtype.isbuiltin == 1:
        return onnxruntime.OrtValue.ortvalue_from_numpy(array)
    if hasattr(onnxruntime.OrtValue, "ortvalue_from_numpy_with_onnx_type"):
        bits = array.view(np.uint8 if array.itemsize == 1 else np.uint16)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, kind)
    bits = onnx.TensorProto(name="x", data_type=kind, dims=array.shape, raw_data=array.tobytes())
    node = onnx.NodeProto(op_type="Identity", input=["x"], output=["y"])
    graph = onnx.GraphProto(name="g", node=[node], initializer=[bits], output=[onnx.ValueInfoProto(name="y")])
    sets = [onnx.OperatorSetIdProto(version=13 if kind == onnx.TensorProto.BFLOAT16 else 19)]
    text = onnx.ModelProto(ir_version=8, graph=graph, opset_import=sets).SerializeToString()
    return onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"]).run_with_ort_values(["y"], {})[0]


def array_of(tensor: Any) -> Any:
    """The elements, also of dtypes that numpy lacks."""
    if isinstance(tensor, np.ndarray):
        return tensor
    with contextlib.suppress(RuntimeError):
        return tensor.numpy()
    dtype, shape = numpy_type(tensor.element_type()), tuple(tensor.shape())
    size = math.prod(shape) * dtype.itemsize
    if dtype.name in ("int4", "uint4", "float4_e2m1fn") or size != getattr(tensor, "tensor_size_in_bytes", lambda: size)():
        raise NotImplementedError(f"the elements of {tensor.data_type()}")
    return np.frombuffer(ctypes.string_at(tensor.data_ptr(), size) if size else b"", dtype).reshape(shape)


NEEDS = (numpy_type, value_of)
"""The functions that `value_of` and targets need, for scripts."""

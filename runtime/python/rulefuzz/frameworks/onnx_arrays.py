"""Arrays, tensors of files, and OrtValues of all element types, with any version of numpy, onnx and onnxruntime.

onnx before 1.19 has types of its own in place of those of ml_dtypes, and onnxruntime before 1.20 makes no OrtValues of them.
Scripts copy these functions, and targets import them before it is known that onnx is installed, so each has its own imports.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
from typing import Any

import numpy as np


def numpy_type(kind: Any) -> Any:
    """The numpy dtype of an element type; ml_dtypes has those that numpy lacks."""
    import ml_dtypes
    from onnx import TensorProto

    name = TensorProto.DataType.Name(kind).lower().replace("float8e", "float8_e")
    names = {"float": "float32", "double": "float64", "string": "object", "float4e2m1": "float4_e2m1fn"}
    name = names.get(name, name).replace("e8m0", "e8m0fnu")
    return np.dtype(getattr(ml_dtypes, name, name))


numpy_type = functools.cache(numpy_type)  # not as a decorator, which scripts would copy


def type_of(dtype: Any) -> Any:
    """The element type of a numpy dtype."""
    from onnx import TensorProto

    if dtype.kind in "OUS":
        return TensorProto.STRING
    for kind in TensorProto.DataType.values()[1:]:
        with contextlib.suppress(TypeError):  # ml_dtypes lacks it, too
            if numpy_type(kind) == dtype:
                return kind
    raise NotImplementedError(f"onnx has no element type for {dtype}")


def is_packed(dtype: Any) -> bool:
    """Whether files and onnxruntime keep two elements in a byte, the first in the low bits."""
    return dtype.name in ("int4", "uint4", "float4_e2m1fn")


def packed(array: Any) -> Any:
    """The bits of an array of a dtype that numpy lacks, as files, onnxruntime and OpenVINO keep them."""
    import numpy as np

    if not is_packed(array.dtype):
        return array.view(np.uint8 if array.itemsize == 1 else np.uint16)
    bits = np.pad(array.reshape(-1).view(np.uint8) & 15, (0, array.size % 2))
    return bits[::2] | bits[1::2] << 4


def unpacked(data: Any, dtype: Any, shape: Any) -> Any:
    """The array with these bits."""
    import math

    import numpy as np

    if not is_packed(dtype):
        return data.view(dtype).reshape(shape)
    both = np.stack([data.view(np.uint8) & 15, data.view(np.uint8) >> 4], axis=-1).reshape(-1)
    return both[: math.prod(shape)].view(dtype).reshape(shape)


def proto_of(array: Any, name: Any) -> Any:
    """A file's tensor of an array."""
    from onnx import TensorProto, numpy_helper

    if array.dtype.isbuiltin == 1 or array.dtype == object:
        return numpy_helper.from_array(array, name)
    return TensorProto(name=name, data_type=type_of(array.dtype), dims=array.shape, raw_data=packed(array).tobytes())


def array_from(tensor: Any) -> Any:
    """The array of a file's tensor."""
    from onnx import numpy_helper

    return numpy_helper.to_array(tensor).astype(numpy_type(tensor.data_type))


def value_of(array: Any, kind: Any) -> Any:
    """An OrtValue of an array: of its bits and the element type if numpy lacks the dtype."""
    import numpy as np
    import onnx
    import onnxruntime

    if array.dtype.isbuiltin == 1:
        return onnxruntime.OrtValue.ortvalue_from_numpy(array)
    if hasattr(onnxruntime.OrtValue, "ortvalue_from_numpy_with_onnx_type"):
        bits = packed(array)
        if is_packed(array.dtype):  # in an array of the shape, which has room to spare
            bits = np.pad(bits, (0, array.size - bits.size)).reshape(array.shape)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, kind)
    given = onnx.TensorProto(name="x", data_type=kind, dims=array.shape, raw_data=array.tobytes())
    node = onnx.NodeProto(op_type="Identity", input=["x"], output=["y"])
    graph = onnx.GraphProto(name="g", node=[node], initializer=[given], output=[onnx.ValueInfoProto(name="y")])
    sets = [onnx.OperatorSetIdProto(version=13 if kind == onnx.TensorProto.BFLOAT16 else 19)]
    text = onnx.ModelProto(ir_version=8, graph=graph, opset_import=sets).SerializeToString()
    return onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"]).run_with_ort_values(["y"], {})[0]


def array_of(tensor: Any) -> Any:
    """The elements of an OrtValue or an array, also of dtypes that numpy lacks."""
    if isinstance(tensor, np.ndarray):
        return tensor
    dtype, shape = numpy_type(tensor.element_type()), tuple(tensor.shape())
    with contextlib.suppress(RuntimeError):
        return tensor.numpy().view(dtype)  # float8 comes as uint8
    size = math.prod(shape) * dtype.itemsize
    if is_packed(dtype):
        data = ctypes.string_at(tensor.data_ptr(), (size + 1) // 2) if size else b""
        return unpacked(np.frombuffer(data, np.uint8), dtype, shape)
    if size != getattr(tensor, "tensor_size_in_bytes", lambda: size)():
        raise NotImplementedError(f"the elements of {tensor.data_type()}")
    return np.frombuffer(ctypes.string_at(tensor.data_ptr(), size) if size else b"", dtype).reshape(shape)


KEEPERS = (is_packed, packed, unpacked)
"""The functions that value_of and array_of call; scripts copy them."""

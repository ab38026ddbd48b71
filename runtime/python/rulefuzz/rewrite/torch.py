"""torch models exported to ONNX, in onnxruntime without optimizations: a difference is the exporter's.

Each function stands alone, imports included, since repro scripts hold copies of it.
"""

from __future__ import annotations

from typing import Any

from rulefuzz.dynamic.torch import REFUSES
from rulefuzz.rewrite.onnx import session_of

EXPORT = """
class Module(torch.nn.Module):
    def forward(self, *inputs):
        return model(*inputs)
"""
"""The start of a target's PLAIN; it ends with RUN, after it defined `written`."""
RUN = """
import onnxruntime as ort
none = ort.SessionOptions()
none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(written.model_proto.SerializeToString(), none)
fed = {info.name: x.numpy() for info, x in zip(written.model_proto.graph.input, inputs)}
actual = torch.from_numpy(session.run(None, fed)[0])
"""
UNSUPPORTED = ("No ONNX function found for", "No decompositions registered", "Could not find an implementation")


def program(function: Any, example: Any, dims: Any = ()) -> Any:
    """torch.export's program of a function, with dynamic dimensions if `dims` names any. Raises NotImplementedError if
    torch.export rejects the function, since that is torch.export's failure."""
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    module = function if isinstance(function, torch.nn.Module) else Module()
    given = tuple({i: torch.export.Dim.DYNAMIC for i, name in enumerate(names) if name} for names in dims)
    shapes = {"dynamic_shapes": {"inputs": given} if module is not function else given} if dims else {}
    try:
        exported = torch.export.export(module, tuple(example), strict=False, **shapes)
    except Exception as error:
        raise NotImplementedError(f"torch.export rejects the model: {error}") from error
    return exported


def pure_program(function: Any, example: Any, dims: Any = ()) -> Any:
    """The same without calls that write. Raises NotImplementedError if the function writes to an input as well, which files of
    other formats cannot express."""
    functional = program(function, example, dims).run_decompositions({})
    if functional.graph_signature.user_inputs_to_mutate:
        raise NotImplementedError("the model writes to an input")
    return functional


def value_from(tensor: Any, kind: Any) -> Any:
    """The OrtValue of a tensor."""
    import onnxruntime
    import torch

    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if dense.dtype in (torch.float16, torch.float32, torch.float64) or not dense.is_floating_point():
        return onnxruntime.OrtValue.ortvalue_from_numpy(dense.numpy())
    bits = dense.view(torch.uint16 if dense.element_size() == 2 else torch.uint8).numpy()  # numpy lacks the dtype
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, kind)


def tensor_from(value: Any) -> Any:
    """The tensor of an OrtValue."""
    import ctypes
    import math

    import onnx
    import torch

    name = onnx.TensorProto.DataType.Name(value.element_type()).lower()
    names = {"float": "float32", "double": "float64"}
    dtype = getattr(torch, names.get(name, name.replace("float8e", "float8_e")))
    shape = value.shape()
    size = math.prod(shape) * dtype.itemsize
    if not size:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(ctypes.string_at(value.data_ptr(), size)), dtype=dtype).reshape(shape)


def caller(model: Any) -> Any:
    """Runs an exported ONNX model on tensors."""
    session = session_of(model)
    infos = [(info.name, info.type.tensor_type.elem_type) for info in model.graph.input]
    outputs = [info.name for info in model.graph.output]

    def call(*inputs: Any) -> Any:
        fed = {name: value_from(tensor, kind) for (name, kind), tensor in zip(infos, inputs)}
        return [tensor_from(value) for value in session.run_with_ort_values(outputs, fed)]

    return call


def exported(function: Any, example: Any, stage: Any, dims: Any, opset: int) -> Any:
    """The session of the function, exported by torch.onnx.export to an operator set."""
    import torch

    whole = pure_program(function, example, dims)
    call = caller(torch.onnx.export(whole, (), dynamo=True, opset_version=opset, verbose=False).model_proto)
    stage("run")
    return call


NEEDS = (program, pure_program, value_from, tensor_from, session_of, caller, exported)
"""The functions of this file and those that they call; scripts copy them."""
__all__ = ["EXPORT", "NEEDS", "REFUSES", "RUN", "UNSUPPORTED", "exported", "program", "pure_program"]

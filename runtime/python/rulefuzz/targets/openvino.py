"""OpenVINO: the ONNX model, compiled by the CPU plugin in full precision, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.frameworks.onnx_arrays import is_packed, packed, unpacked
from rulefuzz.targets import Dynamic

FRAMEWORK = "onnx"
REQUIRES = ("openvino==2026.4.1",)
IMPORTS = ("openvino",)
UNSUPPORTED = ("Unsupported", "No primitive", "not supported", "input element type must be", "with dynamic rank",
               "operate with dynamic", "axis of TopK is unknown", "has to be known (static)", "must be static", "static rank",
               "No nested TensorIterator", "num_scan_outputs can't be negative", "Number of Scan node inputs")  # fmt: skip
PLAIN = ("""
import openvino
import io
loaded = openvino.Core().read_model(io.BytesIO(model.SerializeToString()))
compiled = openvino.Core().compile_model(loaded, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(list(inputs.values()))[0]
""",)
DYNAMIC = Dynamic(PLAIN)


def refusal(graph: Any, error: str) -> Exception:
    """The meaning of an error for a graph. Only the first node that it names counts; the others are consequences."""
    import re

    places = {name: i for i, node in enumerate(graph.node) for name in (node.name, *node.output)}
    lacks = re.search(r"No conversion rule found for operations: (\w+)", error)
    told = re.findall(r"-- (\w+)-\d+ with a message:\n(.*?)(?:\n\n|\Z)", error, re.DOTALL)
    if lacks or not told:
        return NotImplementedError(f"OpenVINO does not convert {lacks[1]}") if lacks else RuntimeError(error)
    operator, message = min(told, key=lambda one: places.get("".join(re.findall(r"<Node\(\w+\): (\w+)", one[1])), len(places)))
    infos = [info for info in (*graph.input, *graph.value_info) if info.type.tensor_type.HasField("shape")]
    dims = {i.name: [d.dim_value if d.HasField("dim_value") else None for d in i.type.tensor_type.shape.dim] for i in infos}
    dims |= {"": [], **{tensor.name: list(tensor.dims) for tensor in graph.initializer}}
    said = f"{operator}: {message.splitlines()[-1]}"
    if any(node.op_type == operator and not dims.keys() >= set(node.input) for node in graph.node):
        return NotImplementedError(said)  # of unknown rank before it runs: a Squeeze without axes, of named dimensions
    for name, sizes in re.findall(r"(?:Constant|Parameter) (\w+)\[0\]:\w+\[([\d,]*)\]", message):
        if None not in (own := dims.get(name, [None])) and str(own) != (its := f"[{sizes.replace(',', ', ')}]"):
            said = f"{operator}: shape {own} is treated as {its}"  # which makes its other messages wrong
    return RuntimeError(said)


NEEDS = (refusal, is_packed, packed, unpacked)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None], configure: Any = None) -> Callable[..., Any]:
    """The compiled model's infer request."""
    import io

    import ml_dtypes
    import numpy as np
    import onnx
    import openvino

    core, kinds = openvino.Core(), openvino.Type
    lacking = {"bfloat16": kinds.bf16, "int4": kinds.i4, "uint4": kinds.u4}  # by numpy
    exact = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": 1}
    try:
        compiled = (configure or core.compile_model)(core.read_model(io.BytesIO(model.SerializeToString())), "CPU", exact)
    except RuntimeError as error:
        raise refusal(onnx.shape_inference.infer_shapes(model).graph, str(error)) from error
    if kinds.f64 in [port.element_type for port in (*compiled.inputs, *compiled.outputs)]:
        raise NotImplementedError("OpenVINO computes float64 in float32")
    request = compiled.create_infer_request()
    # OpenVINO drops unused inputs and renames others. Before IR version 4, initializers follow the inputs.
    places = {port.get_node().get_friendly_name(): i for i, port in enumerate(compiled.inputs)}
    named = [(i, places.pop(info.name)) for i, info in enumerate(model.graph.input[: len(example)]) if info.name in places]
    taken_by_nodes = {name for node in model.graph.node for name in node.input}
    others = [i for i in range(len(example)) if model.graph.input[i].name in taken_by_nodes and i not in dict(named)]
    if len(others) != len(places) > 0:
        raise NotImplementedError("OpenVINO does not report which inputs it dropped")
    fed = [*named, *zip(others, sorted(places.values()))]
    stage("run")

    def given(array: Any) -> Any:
        if array.dtype == object or array.dtype.isbuiltin == 1:  # a copy of the elements
            return openvino.Tensor(array.astype(str) if array.dtype == object else array, shared_memory=False)
        if array.dtype.name not in lacking:
            raise NotImplementedError(f"cannot pass {array.dtype} to OpenVINO")
        return openvino.Tensor(packed(array), openvino.Shape(array.shape), lacking[array.dtype.name])

    def taken(tensor: Any) -> Any:
        for name, kind in lacking.items():
            if kind == tensor.element_type:
                return unpacked(np.array(tensor.data), np.dtype(getattr(ml_dtypes, name)), tuple(tensor.shape))
        return tensor.str_data.astype(object) if tensor.element_type == kinds.string else tensor.data.copy()

    def call(*inputs: Any) -> Any:
        for i, place in fed:
            request.set_input_tensor(place, given(inputs[i]))
        request.infer()
        return [taken(request.get_tensor(info.name)) for info in model.graph.output]

    return call

"""MNN: the ONNX model, converted with all optimizations, on one CPU thread in high precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.printed import heard

FRAMEWORK = "onnx"
REQUIRES = ("MNN==3.6.1",)
IMPORTS = ("_tools", "MNN")
SCALARS = False
NARROW = True
APPROXIMATES = ("conv", "gelu")  # by transforms of large windows; by a tanh, in spite of its attribute
PLAIN = ("""
import _tools  # MNN.tools.mnnconvert without what it reports to MNN's makers
from MNN import expr, nn
onnx.save(model, "model.onnx")
_tools.mnnconvert("mnnconvert -f ONNX --modelFile model.onnx --MNNModel model.mnn --bizCode model".split())
manager = nn.create_runtime_manager(({"backend": "CPU", "precision": "high"},))
module = nn.load_module_from_file("model.mnn", list(inputs), [model.graph.output[0].name], runtime_manager=manager)
output = module.forward([expr.const(x, list(x.shape), expr.NCHW) for x in inputs.values()])[0]
output = expr.convert(output, expr.NCHW) if output.data_format == expr.NC4HW4 else output
actual = np.array(output.read()).reshape(tuple(output.shape)).astype(expected.dtype)
""",)


def refusal(said: str, failed: Exception) -> Exception:
    """Unsupported if MNN reports a missing operator or feature. An operator that fails to convert is supported."""
    import re

    own, words = "Convert Onnx's Op .* , type = (.*), failed", "(?:n.t |only |no |un)support(?!: O)|not const$"
    lacks = re.search(rf"(?im)^(?:\[.*: )?(?!{own})(.*(?:{words}).*)", said)
    missing = set(re.findall(r"ONNX::(\w+)", said)) - set(re.findall(own, said))
    if lacks or missing:
        return NotImplementedError(f"MNN does not support this: {lacks[2].strip() if lacks else min(missing)}")
    tried = re.search(f"(?:Start to .*|The model has random OP.*|(.*))\n{own}", said)  # the second is printed once per process
    return RuntimeError(f"MNN fails to convert {tried[2]}: {tried[1] or 'no message'}") if tried else failed


NEEDS = (heard, refusal)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The converted model as a module, without MNN.tools, a wrapper of the converter that reports on users by pip."""
    import os

    import _tools
    import numpy as np
    import onnx
    from MNN import expr, nn

    kinds = {"float32": expr.float, "int32": expr.int, "int64": expr.int, "bool": expr.int, "uint8": expr.uint8}
    graph = onnx.shape_inference.infer_shapes(model).graph
    dtypes = {info.type.tensor_type.elem_type for info in (*graph.input, *graph.value_info, *graph.output)}  # 1: float32
    if not all(info.type.tensor_type.elem_type for info in graph.output):
        raise NotImplementedError("onnx infers no dtype for an output")
    wanted = [np.dtype(onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)) for info in graph.output]
    for dtype in [array.dtype for array in example] + wanted:
        if dtype.name not in kinds:
            raise NotImplementedError(f"cannot pass {dtype} to MNN")
    with open(os.memfd_create("onnx"), "wb", 0) as read, open(os.memfd_create("mnn"), "wb", 0) as written:
        source, made = (f"/proc/self/fd/{file.fileno()}" for file in (read, written))
        read.write(model.SerializeToString())
        args = f"mnnconvert -f ONNX --modelFile {source} --MNNModel {made} --bizCode model"
        done, said = heard(lambda: _tools.mnnconvert(args.split()))
        if str(unable := refusal(said, RuntimeError("" if done else "MNN fails to convert it"))):
            raise unable
        runtime = nn.create_runtime_manager(({"backend": "CPU", "precision": "high", "numThread": 1},))
        takes, gives = ([info.name for info in side] for side in (model.graph.input[: len(example)], model.graph.output))
        try:
            module = nn.load_module_from_file(made, takes, gives, runtime_manager=runtime)
        except SystemError as error:
            raise RuntimeError("MNN fails to load the converted model") from error
    stage("run")

    def given(array: Any) -> Any:
        kind = kinds[array.dtype.name]
        narrow = array.astype("int32") if kind == expr.int else array
        if not np.array_equal(narrow, array, equal_nan=array.dtype.kind == "f"):
            raise NotImplementedError("MNN has only 32-bit integers")
        return expr.const(np.ascontiguousarray(narrow), list(array.shape), expr.NCHW, kind)

    def taken(var: Any, dtype: Any) -> Any:
        plain = expr.convert(var, expr.NCHW) if var.data_format == expr.NC4HW4 else var
        if (array := plain.read() if 0 not in plain.shape else np.empty(0)) is None:  # the binding cannot read empty tensors
            raise NotImplementedError("MNN does not compute this output")
        return np.array(array).reshape(tuple(plain.shape)).astype(dtype)

    def call(*arrays: Any) -> Any:
        passed = [given(array) for array in arrays]
        found = module.forward(passed)
        if len(found) < len(wanted):
            said = heard(lambda: module.forward(passed))[1].strip()
            unable = NotImplementedError if "Create execution error" in said and dtypes != {1} else RuntimeError
            raise refusal(said, unable("MNN returns nothing: " + said.rpartition("\n")[2]))
        return [taken(var, dtype) for var, dtype in zip(found, wanted)]

    return call

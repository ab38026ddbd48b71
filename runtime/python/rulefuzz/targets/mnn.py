"""MNN: the ONNX model converted with all its optimisations and run on one thread of the processor, in high precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.printed import heard

FRAMEWORK = "onnx"
REQUIRES = ("MNN==3.6.1",)
IMPORTS = ("_tools", "MNN")
SCALARS = False
NARROW = True
NEEDS = (heard,)
APPROXIMATES = ("conv", "gelu")  # by transforms of large windows; by a tanh, whatever its attribute says
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


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The converted model as a module.

    MNN has integers of 32 bits and no bools: it gets these, and what it returns becomes what ONNX infers. The converter is
    called without the script around it, MNN.tools, which runs pip to report on its user. What it cannot do MNN says on standard
    output only (code=2: not supported), whether it returns nothing then or what is wrong.
    """
    import os
    import re

    import _tools
    import numpy as np
    import onnx
    from MNN import expr, nn

    kinds = {"float32": ("float32", expr.float), "int32": ("int32", expr.int), "int64": ("int32", expr.int),
             "bool": ("int32", expr.int), "uint8": ("uint8", expr.uint8)}  # fmt: skip
    inferred = [info.type.tensor_type.elem_type for info in onnx.shape_inference.infer_shapes(model).graph.output]
    if 0 in inferred:
        raise NotImplementedError("onnx infers no dtype for an output")
    wanted = [np.dtype(onnx.helper.tensor_dtype_to_np_dtype(kind)) for kind in inferred]
    for dtype in [array.dtype for array in example] + wanted:
        if dtype.name not in kinds:
            raise NotImplementedError(f"the target passes no {dtype} to MNN")
    with open(os.memfd_create("onnx"), "wb", 0) as read, open(os.memfd_create("mnn"), "wb", 0) as written:
        read.write(model.SerializeToString())
        onnx_path, mnn_path = (f"/proc/self/fd/{file.fileno()}" for file in (read, written))
        args = ["mnnconvert", "-f", "ONNX", "--modelFile", onnx_path, "--MNNModel", mnn_path, "--bizCode", "model"]
        done, said = heard(lambda: _tools.mnnconvert(args))
        lacks = re.search("[^:\n]*(n.t support|unsupported).*", said, re.IGNORECASE)
        if lacks or not done:
            raise NotImplementedError(f"MNN does not convert it: {lacks[0].strip() if lacks else ''}")
        runtime = nn.create_runtime_manager(({"backend": "CPU", "precision": "high", "numThread": 1},))
        names = [[info.name for info in side] for side in (model.graph.input, model.graph.output)]
        try:
            module = nn.load_module_from_file(mnn_path, *names, runtime_manager=runtime)
        except SystemError as error:
            raise NotImplementedError("MNN does not load what it converted") from error
    stage("run")

    def given(array: Any) -> Any:
        dtype, kind = kinds[array.dtype.name]
        narrow = array.astype(dtype)
        if not np.array_equal(narrow, array, equal_nan=array.dtype.kind == "f"):
            raise NotImplementedError("MNN has integers of 32 bits")
        return expr.const(np.ascontiguousarray(narrow), list(array.shape), expr.NCHW, kind)

    def taken(var: Any, dtype: Any) -> Any:
        plain = expr.convert(var, expr.NCHW) if var.data_format == expr.NC4HW4 else var
        shape = tuple(plain.shape)
        array = plain.read() if 0 not in shape else np.empty(shape)  # the binding fails to read nothing
        if array is None:
            raise NotImplementedError("MNN computes no such output")
        return np.array(array).reshape(shape).astype(dtype)

    def call(*arrays: Any) -> Any:
        passed = [given(array) for array in arrays]
        found = module.forward(passed)
        if len(found) < len(wanted):
            said = heard(lambda: module.forward(passed))[1].strip().rpartition("\n")[2]
            raise (NotImplementedError if said.startswith("code=2 ") else RuntimeError)(f"MNN returns nothing: {said}")
        return [taken(var, dtype) for var, dtype in zip(found, wanted)]

    return call

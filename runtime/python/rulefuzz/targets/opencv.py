"""OpenCV: the ONNX model in the DNN module's new engine, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import TYPED, typed_copy

FRAMEWORK = "onnx"
REQUIRES = ("opencv-python-headless==5.0.0.93",)
IMPORTS = ("cv2",)
SCALARS = False
NARROW = True
UNSUPPORTED = ("type() == CV_32F", "outtype == CV_8U")
PLAIN = ("""
import cv2
net = cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8), cv2.dnn.ENGINE_NEW)
for name, x in inputs.items():
    net.setInput(x, name)
actual = np.array(net.forward(model.graph.output[0].name))
""",)
NEEDS = TYPED


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The network."""
    import cv2
    import numpy as np
    import onnx

    cv2.setNumThreads(1)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    taken = ("float32", "int8", "uint8", "int32", "int64", "bool")
    if any(array.dtype.name not in taken or 0 in array.shape or array.ndim == 0 for array in example):
        raise NotImplementedError("OpenCV has no matrices of this dtype, without elements or of rank 0")
    typed = typed_copy(model, example)
    if onnx.TensorProto.DOUBLE in [info.type.tensor_type.elem_type for info in typed.graph.output]:
        raise NotImplementedError("OpenCV computes float64 in float32")
    net = cv2.dnn.readNetFromONNX(np.frombuffer(typed.SerializeToString(), np.uint8), cv2.dnn.ENGINE_NEW)
    if net.empty():  # and the operators on standard error
        raise NotImplementedError(f"OpenCV does not load {', '.join(sorted({node.op_type for node in model.graph.node}))}")
    fed = [info.name for info in model.graph.input]
    outputs = [info.name for info in model.graph.output]
    stage("run")

    def call(*inputs: Any) -> Any:
        for name, array in zip(fed, inputs):
            net.setInput(array, name)
        return [np.array(array) for array in net.forward(outputs)]

    return call

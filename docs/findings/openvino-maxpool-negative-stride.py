"""OpenVINO: MaxPool with indices accepts a negative stride (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,4] x) => (y, i) { y, i = MaxPool <kernel_shape = [2], strides = [-1]> (x) }""")
INPUTS = [np.array([[[1, 2, 3, 4]]], np.float32)]
print("expected: an error, strides are positive", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit(print("rejected:", " ".join(str(error).split())[:200]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

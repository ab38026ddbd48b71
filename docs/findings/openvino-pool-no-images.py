"""OpenVINO: pooling of an empty batch is rejected (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
g (float[0,1,1,1] x) => (float[0,1,1,1] y) {
  y = AveragePool <kernel_shape = [1, 1]> (x)
}""")
INPUTS = [np.zeros((0, 1, 1, 1), np.float32)]
print("expected:", INPUTS[0].dtype, INPUTS[0].shape, flush=True)
core = openvino.Core()
try:
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
    actual = compiled(INPUTS)[0]
except RuntimeError as error:
    sys.exit("actual: " + next(line for line in str(error).splitlines() if "zero" in line))
print("result:  ", actual.dtype, actual.shape)

"""OpenVINO: LRN of size 5 with a named number of channels does not run (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (float[1,c,2,2] x) => (float[1,c,2,2] y) {
  y = LRN <size = 5, alpha = 0.0> (x)
}""")
INPUTS = [np.ones((1, 2, 2, 2), np.float32)]
print("expected:", INPUTS[0].dtype, INPUTS[0].shape, flush=True)
core = openvino.Core()
try:
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_NUM_THREADS": 2})
    actual = compiled(INPUTS)[0]
except RuntimeError as error:
    print("actual:  ", " ".join(str(error).split())[-160:])
    sys.exit(1)
print("result:  ", actual.dtype, actual.shape)

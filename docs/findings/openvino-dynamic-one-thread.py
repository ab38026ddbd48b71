"""OpenVINO: single-threaded inference ignores shape mismatches (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[n,m] x, float[k] z) => (float[a,b] y) { y = Add (x, z) }""")
X = np.ones((1, 2), np.float32)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_NUM_THREADS": 1})
compiled([X, np.ones(2, np.float32)])
print("expected: an error", flush=True)
try:
    actual = compiled([X, np.ones(3, np.float32)])[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

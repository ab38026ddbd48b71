"""OpenVINO: LSTM ignores input_forget (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3,1,1] x, float[1,4,1] w) => (float[1,1,1] y) { all, y = LSTM <hidden_size = 1, input_forget = 1> (x, w, w) }""")
print("expected:", [[[0.58693796]]], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.ones((3, 1, 1), np.float32), np.ones((1, 4, 1), np.float32)])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
sys.exit(not np.allclose(actual, 0.58693796, 1e-4))

"""OpenVINO dies of a recurrent layer of no sequences: OpenVINO 2026.4.1. Exit code 1: the bug is there; 0: it is not. The process dies of it."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 14]>
g (float[2,0,2] x) => (float[1,0,2] y) <float[1,2,2] w = {1,1,1,1}, float[1,2,2] r = {1,1,1,1}> { z, y = RNN <hidden_size = 2> (x, w, r) }""")
INPUTS = [np.ones((2, 0, 2), np.float32)]
EXPECTED = np.zeros((1, 0, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape))

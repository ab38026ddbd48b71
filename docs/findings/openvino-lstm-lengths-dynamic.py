"""OpenVINO: LSTM with a dynamic number of steps ignores sequence_lens (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 14]>
g (float[N,2,1] x, int32[2] l) => (float[1,2,1] y) <float[1,4,1] w = {1,1,1,1}, float[1,4,1] r = {1,1,1,1}> {
  z, y = LSTM <hidden_size = 1> (x, w, r, , l)
}""")
INPUTS = [np.ones((3, 2, 1), np.float32), np.array([0, 3], np.int32)]
EXPECTED = np.array([[[0], [0.7887658]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

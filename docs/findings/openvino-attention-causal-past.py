"""OpenVINO: causal Attention ignores the past if queries and keys are equally many (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 24]>
g (float[1,1,2,1] q, float[1,1,1,1] k, float[1,1,1,1] v, float[1,1,1,1] pk, float[1,1,1,1] pv) => (float[1,1,2,1] y) {
  y, a, b = Attention <is_causal = 1> (q, k, v, , pk, pv)
}""")
INPUTS = [np.ones((1, 1, 2, 1), np.float32), *(np.full((1, 1, 1, 1), i, np.float32) for i in (1, 1, 1, 0))]
EXPECTED = np.full((1, 1, 2, 1), 0.5, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.allclose(actual, EXPECTED)))

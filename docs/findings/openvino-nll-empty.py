"""OpenVINO: NegativeLogLikelihoodLoss of an empty tensor divides by zero (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[1,1,0] x, int64[1,0] t, float[1] w) => (float y) { y = NegativeLogLikelihoodLoss <reduction = "mean"> (x, t, w) }""")
INPUTS = [np.ones((1, 1, 0), np.float32), np.zeros((1, 0), np.int64), np.ones(1, np.float32)]
EXPECTED = np.array(np.nan, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.isnan(actual)))

"""OpenVINO: NegativeLogLikelihoodLoss accepts fewer weights than classes (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,5] x, float[3] w) => (float y) <int64[2] t = {0, 4}> { y = NegativeLogLikelihoodLoss <reduction = "sum"> (x, t, w) }""")
INPUTS = [np.ones((2, 5), np.float32), np.ones(3, np.float32)]
print("expected: an error", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    print("error:", " ".join(str(error).split())[:300])
    sys.exit(0)
sys.exit(f"actual: {actual.dtype} {actual.shape} {actual.tolist()}")

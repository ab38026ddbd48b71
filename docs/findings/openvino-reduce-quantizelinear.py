"""OpenVINO: QuantizeLinear after ReduceMax or ReduceMin truncates (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,2,1] x) => (uint8[1,1,1] y) <int64[1] c = {1}, float s = {2}, uint8 z = {0}> {
  u = ReduceMax <keepdims = 1> (x, c)
  y = QuantizeLinear (u, s, z)
}""")
INPUTS = [np.full((1, 2, 1), 1.1, np.float32)]
EXPECTED = np.array([[[1]]], np.uint8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

"""OpenVINO: QuantizeLinear after DepthToSpace and Transpose returns float32 (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,2,2,2] x) => (int8[1,2,2,2] y) <float s = {0.5}, int8 z = {0}> {
  t = DepthToSpace <blocksize = 1> (x) u = Transpose <perm = [0,2,1,3]> (t)
  y = QuantizeLinear (u, s, z)
}""")
INPUTS = [np.ones((1, 2, 2, 2), np.float32)]
EXPECTED = np.full((1, 2, 2, 2), 2, np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

"""OpenVINO: SpaceToDepth of a dynamic dimension of size 0 is rejected (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,h,2] x) => (float[1,4,k,1] y) { y = SpaceToDepth <blocksize = 2> (x) }""")
INPUTS = [np.ones((1, 1, 0, 2), np.float32)]
EXPECTED = np.ones((1, 4, 0, 1), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
model = openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
try:
    actual = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 2})(INPUTS)[0]
except RuntimeError as error:
    sys.exit("actual: " + str(error).strip().split("\n")[-1])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

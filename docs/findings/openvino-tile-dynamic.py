"""OpenVINO: Tile of five dimensions, one of them dynamic, permutes elements (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[1,1,2,N,2] x) => (float[1,2,2,M,2] y) <int64[5] r = {1,2,1,2,1}> { y = Tile (x, r) }""")
INPUTS = [np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2)]
EXPECTED = np.tile(INPUTS[0], (1, 2, 1, 2, 1))
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

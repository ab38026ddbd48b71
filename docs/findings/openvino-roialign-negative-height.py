"""OpenVINO: RoiAlign accepts a negative output_height (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,2,2] x, float[1,4] r, int64[1] i) => (float[a,b,c,d] y) { y = RoiAlign <output_height = -15, output_width = 6, sampling_ratio = 3> (x, r, i) }""")
INPUTS = [np.ones((1, 1, 2, 2), np.float32), np.ones((1, 4), np.float32), np.zeros(1, np.int64)]
print("expected: an error", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_NUM_THREADS": 1})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

"""OpenVINO: Relu after Attention with as many heads as steps is wrong (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 25]>
g (float[1,2,2] q, float[1,2,2] k, float[1,2,2] v) => (float[1,2,2] y) {
    t = Attention <kv_num_heads: int = 2, q_num_heads: int = 2> (q, k, v) y = Relu (t) }""")
KEYS = np.arange(4, dtype=np.float32).reshape(1, 2, 2)
INPUTS = [np.ones((1, 2, 2), np.float32), KEYS, KEYS]
EXPECTED = np.float32([[[1.7616, 2.7616], [1.7616, 2.7616]]])
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.round(4).tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.round(4).tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

"""OpenVINO: AveragePool between quantized float16 rounds to integers (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[1,1,4] x) => (float16[1,1,3] y) <float16 s = {15360}, uint8 z = {0}> {
  q = QuantizeLinear (x, s, z)
  d = DequantizeLinear (q, s, z)
  y = AveragePool <kernel_shape = [2]> (d)
}""")
INPUTS = [np.array([[[1, 2, 3, 4]]], np.float16)]
EXPECTED = np.array([[[1.5, 2.5, 3.5]]], np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

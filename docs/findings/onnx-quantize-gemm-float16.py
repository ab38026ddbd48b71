"""onnxruntime.quantization: quantize_dynamic of a float16 Gemm is rejected (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnxruntime.quantization import quantize_dynamic

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float16[1,1] x, float16[1] b) => (float16[1,1] y) <float16[1,1] w = {15360}> { y = Gemm (x, w, b) }""")
INPUTS = [np.ones((1, 1), np.float16), np.zeros(1, np.float16)]
EXPECTED = np.ones((1, 1), np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        quantize_dynamic(MODEL, f"{folder}/quantized.onnx")
        session = ort.InferenceSession(f"{folder}/quantized.onnx")
    actual = session.run(None, dict(zip([info.name for info in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + type(error).__name__ + ": " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 5e-2, 5e-2, equal_nan=True)))

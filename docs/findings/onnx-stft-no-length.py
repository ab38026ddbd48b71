"""onnxruntime: STFT with frame_length = 0 divides by zero (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 17]>
g (float[1,128,1] x) => (float[1,129,1,2] y) <int64 s = {1}, int64 n = {0}> { y = STFT (x, s, , n) }""")
INPUTS = [np.zeros((1, 128, 1), np.float32)]
print("expected: an error", flush=True)
try:
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception:
    sys.exit(0)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

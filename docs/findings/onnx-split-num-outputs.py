"""onnxruntime: Split with more outputs than num_outputs corrupts memory (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 18]>
g (float[2,3,3,6] x) => (float[2,3,3,6] y, float[N,M,K,L] z) { y, z = Split <axis = 1, num_outputs = 1> (x) }""")
INPUTS = [np.zeros((2, 3, 3, 6), np.float32)]
print("expected: an error", flush=True)
try:
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception:
    sys.exit(0)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

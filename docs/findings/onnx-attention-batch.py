"""onnxruntime: Attention accepts keys of another batch size (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 25]>
g (float[2,1,1,2] q, float[1,1,2,2] k, float[2,1,2,2] v) => (float[b,h,s,d] y) { y = Attention (q, k, v) }""")
INPUTS = [np.ones((2, 1, 1, 2), np.float32), np.ones((1, 1, 2, 2), np.float32), np.ones((2, 1, 2, 2), np.float32)]
print("expected: an error", flush=True)
try:
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

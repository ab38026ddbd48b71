"""onnxslim: two samples of one distribution become the same one (onnxslim 0.1.98). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime
import onnxslim

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[4] x) => (float[4] y) { a = RandomNormalLike (x) b = RandomNormalLike (x) y = Sub (a, b) }""")
X = np.zeros(4, np.float32)
print("expected: 4 elements other than 0 (with probability 1)", flush=True)
try:
    original = onnxruntime.InferenceSession(MODEL.SerializeToString()).run(["y"], {"x": X})[0]
    rewritten = onnxslim.slim(MODEL)
    actual = onnxruntime.InferenceSession(rewritten.SerializeToString()).run(["y"], {"x": X})[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(bool(original.all() and not actual.any()))

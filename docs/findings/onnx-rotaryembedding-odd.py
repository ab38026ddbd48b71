"""onnxruntime: RotaryEmbedding accepts an odd head size (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import ctypes

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,8,4,7] x, float[1,4,3] cos, float[1,4,3] sin) => (float[1,8,4,7] y) { y = RotaryEmbedding (x, cos, sin) }
""").SerializeToString()

options = ort.SessionOptions()
options.enable_cpu_mem_arena = False
ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc M_PERTURB: malloc fills memory with 0x4b
ones = np.ones((1, 4, 3), np.float32)
print("expected: an error")
try:
    session = ort.InferenceSession(MODEL, options)
    y = session.run(None, {"x": np.ones((1, 8, 4, 7), np.float32), "cos": ones, "sin": ones})[0]
except Exception:
    raise SystemExit(0) from None
print("actual:  ", y[..., 6].reshape(-1)[:4].tolist())
raise SystemExit(1)

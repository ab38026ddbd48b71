"""onnxruntime: RotaryEmbedding takes a head of an odd size and leaves its last element as it was in memory."""

import ctypes

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,8,4,7] x, float[1,4,3] cos, float[1,4,3] sin) => (float[1,8,4,7] y) { y = RotaryEmbedding (x, cos, sin) }
""").SerializeToString()

options = ort.SessionOptions()
options.enable_cpu_mem_arena = False
session = ort.InferenceSession(MODEL, options)
ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc's M_PERTURB: malloc fills what it hands out with 0x4b
ones = np.ones((1, 4, 3), np.float32)
y = session.run(None, {"x": np.ones((1, 8, 4, 7), np.float32), "cos": ones, "sin": ones})[0]
print("expected: sevens\nactual:  ", y[..., 6].reshape(-1)[:4].tolist())
raise SystemExit(int((y[..., 6] == np.frombuffer(b"KKKK", np.float32)[0]).any()))

"""onnxruntime: MatMulInteger with an inner dimension of 0 is uninitialized (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import ctypes

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 10]>
g (int8[4,0] a, uint8[0,5] b) => (int32[4,5] y) { y = MatMulInteger (a, b) }""").SerializeToString()

options = ort.SessionOptions()
options.enable_cpu_mem_arena = False
session = ort.InferenceSession(MODEL, options)
ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc M_PERTURB: malloc fills memory with 0x4b
y = session.run(None, {"a": np.empty((4, 0), np.int8), "b": np.empty((0, 5), np.uint8)})[0]
print("expected: zeros\nactual:  ", y.tolist())
raise SystemExit(int(y.any()))

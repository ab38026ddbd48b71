"""OpenVINO: broadcasting Add of empty tensors in a branch corrupts memory (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[0,0,999] x, float[0,1,999] y, bool c) => (float[0,0,999] z) {
    z = If (c) <then_branch = a () => (s) { s = Add (x, y) }, else_branch = b () => (t) { t = Identity (x) }> }""")
INPUTS = [np.zeros((0, 0, 999), np.float32), np.zeros((0, 1, 999), np.float32), np.array(True)]
print("expected: float32 (0, 0, 999)", flush=True)
compiled = openvino.Core().compile_model(openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
for _ in range(3):
    actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape)

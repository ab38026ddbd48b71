"""OpenVINO: a Loop without trips returns what its body computes (openvino 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[1] x, int64 n) => (float[1] y) <bool go = {1}, float[1] zero = {0}> {
    a = Abs (x)
    y = Loop (n, go, a) <body = b (int64 i, bool c, float[1] v) => (bool k, float[1] w) {
        k = Identity (c)
        w = Identity (zero)
    }>
}""").SerializeToString()

print("expected: [2.0]")
compiled = openvino.Core().compile_model(openvino.Core().read_model(io.BytesIO(MODEL)), "CPU")
result = compiled([np.array([2], np.float32), np.array(0)])[0].tolist()
print("actual:  ", result)
raise SystemExit(int(result != [2.0]))

"""OpenVINO: Softmax in a Loop body overwrites the outer value it reads (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x, int64 n, float[2] first) => (float[2] y) <bool go = {1}> {
    y = Loop (n, go, first) <body = b (int64 i, bool c, float[2] v) => (bool k, float[2] w) {
        k = Identity (c)
        w = Softmax (x)
    }>
}""")

core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
x, first = np.array([3, 0], np.float32), np.zeros(2, np.float32)
results = [[round(float(z), 4) for z in compiled({"x": x, "n": np.array(n), "first": first})[0]] for n in (1, 3)]
print(f"expected: {results[0]}\nactual:   {results[1]}")
raise SystemExit(int(results[0] != results[1]))

"""onnxruntime: Gemm with an inner dimension of 0 ignores beta (onnxruntime 1.31.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[1,0] a, float[0,1] b, float[1,1] c) => (float[1,1] y) { y = Gemm <beta: float = 0.5> (a, b, c) }""")

inputs = {"a": np.zeros((1, 0), np.float32), "b": np.zeros((0, 1), np.float32), "c": np.full((1, 1), 2, np.float32)}
expected = (inputs["a"] @ inputs["b"] + np.float32(0.5) * inputs["c"]).tolist()
actual = ort.InferenceSession(MODEL.SerializeToString()).run(None, inputs)[0].tolist()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))

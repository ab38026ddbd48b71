"""onnx: shape inference infers a scalar for qk_matmul_output of unknown rank (onnx 1.23.2, onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,1,1,1] q, int64 n) => (float[1,1,1,1] y) <bool go = {1}> {
    p = Loop (n, go, q) <body = b (int64 i, bool c, float[1,1,1,1] v) => (bool k, float[1,1,1,1] w) {
        k = Identity (c)
        w = Neg (q)
    }>
    a, past_key, past_value, products = Attention (p, q, q)
    y = DepthToSpace <blocksize = 1> (products)
}""").SerializeToString()

print("expected: [[[[-1.0]]]]")
try:
    options = ort.SessionOptions()
    options.log_severity_level = 4
    actual = ort.InferenceSession(MODEL, options).run(None, {"q": np.ones((1, 1, 1, 1), np.float32), "n": np.array(1)})[0].tolist()
except Exception as error:
    actual = str(error)
print("actual:  ", actual)
raise SystemExit(int(actual != [[[[-1.0]]]]))

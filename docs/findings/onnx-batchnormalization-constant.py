"""onnxruntime: float16 BatchNormalization in training mode overwrites constants (onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""
import sys

import numpy as np
import onnx
import onnxruntime as ort

model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 15]>
g (float16[2,2,n] x, float16[2] scale, float16[2] b, float16[2] var) => (float16[2,2,n] y, float16[2] mean_out, float16[2] var_out)
<float16[2] mean = {16384, 15360}>
{ y, mean_out, var_out = BatchNormalization <training_mode: int = 1> (x, scale, b, mean, var) }""")
one = np.ones(2, np.float16)
inputs = {"x": np.full((2, 2, 3), 5, np.float16), "scale": one, "b": one, "var": one}
session = ort.InferenceSession(model.SerializeToString())
first, second = (session.run(None, inputs)[1] for _ in range(2))
print("expected:", first, "in each run")
print("actual:", second, "in the second run of the same inputs")
sys.exit(int(not np.array_equal(first, second)))

"""onnxruntime: Bernoulli returns 1 with probability 1 - p (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

model = onnx.parser.parse_model("""
<ir_version: 10, opset_import: ["": 15]>
g (float[1000] p) => (float[1000] y) { y = Bernoulli<seed = 1.0>(p) }
""")
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
means = [float(session.run(None, {"p": np.full(1000, p, np.float32)})[0].mean()) for p in (0.0, 0.1, 0.9, 1.0)]
print("expected: about [0.0, 0.1, 0.9, 1.0]")
print("actual:", means)
sys.exit(means[0] != 0.0 or means[3] != 1.0)

"""onnxruntime.transformers: Transpose without perm raises IndexError (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnxruntime.transformers.optimizer import optimize_model

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x) => (float[2,3] y) { z = Transpose (x) w = Transpose (z) y = Relu (w) }""")
INPUTS = [np.ones((2, 3), np.float32)]
EXPECTED = np.ones((2, 3), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = optimize_model(MODEL, model_type="bert", opt_level=0, use_gpu=False).model
    none = ort.SessionOptions()
    none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(rewritten.SerializeToString(), none)
    actual = session.run(None, dict(zip([info.name for info in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + type(error).__name__ + ": " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

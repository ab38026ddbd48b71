"""onnxruntime.transformers: normalization of axis 1 is fused as the last axis (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnxruntime.transformers.optimizer import optimize_model

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2,2] x) => (float[1,2,2] y) <float p = {2}, float e = {0.00001}, float[2] s = {1, 1}, float[2] b = {0, 0}> { m = ReduceMean <axes = [1]> (x) d = Sub (x, m) q = Pow (d, p) v = ReduceMean <axes = [1]> (q) w = Add (v, e) t = Sqrt (w) n = Div (d, t) k = Mul (n, s) y = Add (k, b) }""")
INPUTS = [np.array([[[1, 5], [3, 9]]], np.float32)]
EXPECTED = np.array([[[-1, -1], [1, 1]]], np.float32)
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

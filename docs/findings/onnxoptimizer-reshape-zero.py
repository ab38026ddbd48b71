"""onnxoptimizer: Reshape after Reshape loses the meaning of 0 (onnxoptimizer 0.4.2, onnx 1.23.2, onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxoptimizer
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[3,4] x) => (float[2,6] y) <int64[2] a = {2, 6}, int64[2] b = {0, -1}> { z = Reshape (x, a) y = Reshape (z, b) }""")
INPUTS = [np.arange(12, dtype=np.float32).reshape(3, 4)]
EXPECTED = np.arange(12, dtype=np.float32).reshape(2, 6)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnxoptimizer.optimize(MODEL, onnxoptimizer.get_fuse_and_elimination_passes())
    none = ort.SessionOptions()
    none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(rewritten.SerializeToString(), none)
    actual = session.run(None, dict(zip([info.name for info in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + type(error).__name__ + ": " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

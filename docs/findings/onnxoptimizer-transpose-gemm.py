"""onnxoptimizer: Transpose without perm before Gemm raises an assertion (onnxoptimizer 0.4.2, onnx 1.23.2, onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxoptimizer
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x, float[2,1] w) => (float[3,1] y) { z = Transpose (x) y = Gemm (z, w) }""")
INPUTS = [np.ones((2, 3), np.float32), np.ones((2, 1), np.float32)]
EXPECTED = np.full((3, 1), 2, np.float32)
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

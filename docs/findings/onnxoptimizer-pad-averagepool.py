"""onnxoptimizer: Pad merged into AveragePool makes pads larger than the kernel (onnxoptimizer 0.4.2, onnx 1.23.2, onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxoptimizer
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,2,2] x) => (float[1,1,5,5] y) <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}> { z = Pad (x, p) y = AveragePool <kernel_shape = [2, 2], pads = [1, 1, 1, 1]> (z) }""")
INPUTS = [np.ones((1, 1, 2, 2), np.float32)]
EXPECTED = np.array([[[[0, 0, 0, 0, 0], [0, .25, .5, .25, 0], [0, .5, 1, .5, 0], [0, .25, .5, .25, 0], [0, 0, 0, 0, 0]]]], np.float32)
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

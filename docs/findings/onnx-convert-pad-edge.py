"""onnx.version_converter: Pad in edge mode to opset 11 is rejected (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 6, opset_import: ["" : 10]>
g (float[1,1] x) => (float[1,2] y) { y = Pad <mode = "edge", pads = [0, 0, 0, 1], value = 0.0> (x) }""")
INPUTS = [np.ones((1, 1), np.float32)]
EXPECTED = np.ones((1, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnx.version_converter.convert_version(MODEL, 26)
    none = ort.SessionOptions()
    none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(rewritten.SerializeToString(), none)
    actual = session.run(None, dict(zip([info.name for info in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

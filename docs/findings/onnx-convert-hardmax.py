"""onnx.version_converter: Hardmax from opset 12 to 13 changes its result (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 12]>
g (float[1,2,2] x) => (float[1,2,2] y) { y = Hardmax (x) }""")
INPUTS = [np.array([[[1, 2], [3, 4]]], np.float32)]
EXPECTED = np.array([[[0, 0], [0, 1]]], np.float32)
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

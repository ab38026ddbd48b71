"""onnxscript: rewriter replaces ScatterND with reduction add by its updates (onnxscript 0.7.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime
import onnxscript.rewriter

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2] x) => (float[2] y) <int64[2,1] i = {0, 1}, float[2] u = {10, 20}> { y = ScatterND<reduction="add">(x, i, u) }""")
INPUTS = [np.array([1, 2], np.float32)]
EXPECTED = np.array([11, 22], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnxscript.rewriter.rewrite(MODEL)
    feed = {info.name: x for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = onnxruntime.InferenceSession(rewritten.SerializeToString()).run(["y"], feed)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

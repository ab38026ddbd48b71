"""onnxscript: rewriter drops a dimension when it fuses Max and Min into Clip (onnxscript 0.7.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime
import onnxscript.rewriter

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2] x) => (float[1,2] y) <float[1,1] c = {2}, float[1,1] d = {3}> { p = Max(x, c) y = Min(p, d) }""")
INPUTS = [np.array([1, 9], np.float32)]
EXPECTED = np.array([[2, 3]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnxscript.rewriter.rewrite(MODEL)
    feed = {info.name: x for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = onnxruntime.InferenceSession(rewritten.SerializeToString()).run(["y"], feed)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

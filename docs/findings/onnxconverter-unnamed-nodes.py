"""onnxconverter-common: two unnamed nodes with one input make an invalid model (onnxconverter-common 1.16.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime
from onnxconverter_common.float16 import convert_float_to_float16

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2] x) => (float[2] y) { p = Neg(x) q = Abs(x) y = Add(p, q) }""")
INPUTS = [np.array([1, 2], np.float32)]
EXPECTED = np.array([0, 0], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = convert_float_to_float16(MODEL, keep_io_types=True)
    feed = {info.name: x for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = onnxruntime.InferenceSession(rewritten.SerializeToString()).run(["y"], feed)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

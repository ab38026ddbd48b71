"""tract: Softmax between DequantizeLinear and QuantizeLinear returns 0 (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (uint8[2] x) => (uint8[2] y) <float s = {1}, float t = {0.00390625}, uint8 z = {0}> {
    a = DequantizeLinear (x, s, z)
    b = Softmax (a)
    y = QuantizeLinear (b, t, z) }""")
INPUTS = [np.ones(2, np.uint8)]
EXPECTED = np.array([128, 128], np.uint8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(f"{type(error).__name__}: {error}".split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

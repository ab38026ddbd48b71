"""tract: QLinearMatMul ignores the sign of a constant scale (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int8[1,1] a, int8[1,1] b) => (int8[1,1] y)
    <float s = {1}, int8 z = {0}, float t = {-1}> { y = QLinearMatMul (a, s, z, b, s, z, t, z) }""")
INPUTS = [np.array([[3]], np.int8), np.array([[2]], np.int8)]
EXPECTED = np.array([[-6]], np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""tract: Slice with steps after STFT is applied to the samples (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 17]>
g (float[1,3,1] x) => (float[1,1,2,2] y) <int64 p = {1}, int64 n = {2}, int64[1] s = {0}, int64[1] e = {1}, int64[1] a = {1}, int64[1] t = {2}> {
    f = STFT <onesided = 0> (x, p, , n)
    y = Slice (f, s, e, a, t) }""")
INPUTS = [np.array([[[1], [2], [5]]], np.float32)]
EXPECTED = np.array([[[[3, 0], [-1, 0]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

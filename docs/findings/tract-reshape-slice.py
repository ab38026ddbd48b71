"""tract: Slice with steps after a Reshape does not compile (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,4] x) => (float[1,1,2] y)
<int64[3] s = {1,2,2}, int64[1] b = {0}, int64[1] e = {9}, int64[1] a = {1}, int64[1] t = {2}> {
    r = Reshape (x, s)
    y = Slice (r, b, e, a, t) }""")
INPUTS = [np.array([[1, 2, 3, 4]], np.float32)]
EXPECTED = np.array([[[1, 2]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit(f"actual: {type(error).__name__}: {error}")
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

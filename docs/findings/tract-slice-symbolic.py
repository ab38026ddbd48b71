"""tract: Slice of a symbolic dimension does not clamp its end (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[n] x) => (float[m] y) <int64[1] s = {1}, int64[1] e = {7}> { y = Slice (x, s, e) }""")
INPUTS = [np.array([1, 2, 3], np.float32)]
EXPECTED = np.array([2, 3], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

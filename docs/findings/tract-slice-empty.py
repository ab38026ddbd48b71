"""tract: Slice of two axes, 0 columns of a size-1 axis, does not compile (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,1] x) => (float[1,0] y) <int64[2] s = {0, 0}, int64[2] e = {1, 0}> { y = Slice (x, s, e) }""")
INPUTS = [np.ones((2, 1), np.float32)]
EXPECTED = np.ones((1, 0), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

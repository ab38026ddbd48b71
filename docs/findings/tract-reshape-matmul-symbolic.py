"""tract: MatMul of a reshaped broadcast with a symbol does not compile (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[n,4] x, float[4,4] u, float[16,1] w) => (float[1,1] z) <int64[2] s = {1, -1}> { a = Add (x, u) y = Reshape (a, s) z = MatMul (y, w) }""")
INPUTS = [np.ones((1, 4), np.float32), np.ones((4, 4), np.float32), np.ones((16, 1), np.float32)]
EXPECTED = np.array([[32]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

"""tract aborts on a Hardmax of nothing: tract 0.23.9. Exit code 1: the bug is there; 0: it is not. The process dies of it."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,0] x) => (float[2,0] y) { y = Hardmax (x) }""")
INPUTS = [np.ones((2, 0), np.float32)]
EXPECTED = np.ones((2, 0), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

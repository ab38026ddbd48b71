"""tract: Attention adds a boolean mask to the scores (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 26]>
g (float[1,1,1,1] q, float[1,1,2,1] k, float[1,1,2,2] v, bool[1,1,1,2] m) => (float[1,1,1,2] y) { y = Attention (q, k, v, m) }""")
INPUTS = [np.ones((1, 1, 1, 1), np.float32), np.ones((1, 1, 2, 1), np.float32), np.array([[[[2, 2], [6, 6]]]], np.float32), np.array([[[[True, False]]]])]
EXPECTED = np.array([[[[2, 2]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

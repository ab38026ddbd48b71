"""tract: And with the mask of a Dropout is removed if a dimension is symbolic (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[n,2] x, bool[1,2] b) => (bool[n,2] y) { d, m = Dropout (x) y = And (m, b) }""")
INPUTS = [np.ones((3, 2), np.float32), np.array([[True, False]])]
EXPECTED = np.array([[True, False]] * 3)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and (actual == EXPECTED).all()))

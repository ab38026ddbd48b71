"""tract: LSTM with a batch of 2 and no initial state fails (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2,1] x, float[1,4,1] w, float[1,4,1] r) => (float[2,1,2,1] y, float[1,2,1] h, float[1,2,1] c) {
    y, h, c = LSTM <hidden_size = 1> (x, w, r) }""")
INPUTS = [np.ones((2, 2, 1), np.float32), np.ones((1, 4, 1), np.float32), np.ones((1, 4, 1), np.float32)]
EXPECTED = np.array([0.36960638, 0.36960638, 0.6505353, 0.6505353], np.float32).reshape(2, 1, 2, 1)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit(f"actual: {type(error).__name__}: {error}")
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

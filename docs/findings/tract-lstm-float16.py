"""tract: LSTM, GRU and RNN of float16 without initial state fail (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[1,1,1] x, float16[1,4,1] w, float16[1,4,1] r) => (float16[1,1,1,1] y) {
    y = LSTM <hidden_size = 1> (x, w, r) }""")
INPUTS = [np.ones((1, 1, 1), np.float16), np.ones((1, 4, 1), np.float16), np.ones((1, 4, 1), np.float16)]
EXPECTED = np.array([[[[0.3696]]]], np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit(f"actual: {type(error).__name__}: {error}")
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

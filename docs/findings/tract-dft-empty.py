"""tract: DFT of an empty tensor aborts (tract 0.23.9). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,0,1] x) => (float[1,0,2] y) { y = DFT (x) }""")
INPUTS = [np.ones((1, 0, 1), np.float32)]
EXPECTED = np.ones((1, 0, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

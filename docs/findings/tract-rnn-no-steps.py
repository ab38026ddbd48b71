"""tract: last state of an RNN with 0 steps is a scalar (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[0,2,1] x, float[1,1,1] w, float[1,1,1] r) => (float[1,2,1] y) { t, y = RNN <hidden_size = 1> (x, w, r) }""")
INPUTS = [np.ones((0, 2, 1), np.float32), np.ones((1, 1, 1), np.float32), np.ones((1, 1, 1), np.float32)]
print("expected: float32 (1, 2, 1), whatever the elements", flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(actual.shape != (1, 2, 1))

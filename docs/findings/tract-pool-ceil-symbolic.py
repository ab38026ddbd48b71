"""tract: pooling in ceil mode over a symbolic dimension counts a window too many (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,n] x) => (float[1,1,k] z) { y = MaxPool <ceil_mode = 1, kernel_shape = [1], strides = [2]> (x) z = ReduceMean (y) }""")
INPUTS = [np.arange(1, 9, dtype=np.float32).reshape(1, 1, 8)]
EXPECTED = np.array([[[4]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

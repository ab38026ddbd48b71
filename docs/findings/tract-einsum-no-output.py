"""tract: Einsum 'i->' returns its input instead of the sum (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x) => (float z) { z = Einsum <equation = "i->"> (x) }""")
INPUTS = [np.array([1, 2, 3], np.float32)]
print("expected: float32 () 6.0", flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == np.float32 and actual.shape == () and actual == 6))

"""tract: Conv with a kernel too large for the input returns an empty tensor (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,1] x, float[1,1,3] w) => (float[1,1,n] y) { y = Conv (x, w) }""")
INPUTS = [np.ones((1, 1, 1), np.float32), np.ones((1, 1, 3), np.float32)]
print("expected: an error", flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

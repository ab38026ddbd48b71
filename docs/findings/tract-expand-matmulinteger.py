"""tract: MatMulInteger after Expand does not compile (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int8[1,1] a, uint8[1,1] b) => (int32[1,1,1] y) <int64[3] s = {1,1,1}> {
  e = Expand (a, s)
  y = MatMulInteger (e, b)
}""")
INPUTS = [np.ones((1, 1), np.int8), np.ones((1, 1), np.uint8)]
EXPECTED = np.ones((1, 1, 1), np.int32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(f"{type(error).__name__}: {error}".split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

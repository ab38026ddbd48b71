"""tract: QLinearMatMul after a Reshape does not compile (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (uint8[1,1,1,2] a, int8[1,2,2,2] b, float[1] s, uint8[1] z, int8[1] w) => (uint8[1,1,1,4] y) <int64[3] r = {1,2,-1}> {
    t = Reshape (b, r)
    y = QLinearMatMul (a, s, z, t, s, w, s, z) }""")
INPUTS = [np.ones((1, 1, 1, 2), np.uint8), np.ones((1, 2, 2, 2), np.int8), np.ones(1, np.float32), np.zeros(1, np.uint8), np.zeros(1, np.int8)]
EXPECTED = np.full((1, 1, 1, 4), 2, np.uint8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

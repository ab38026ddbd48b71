"""tract: MatMul of a batch of outer products mixes the batches (tract 0.23.9, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[16,1,4,1] x, float[1,5,1,4] w) => (float[16,5,4,4] y) { y = MatMul (x, w) }""")
INPUTS = [np.arange(64, dtype=np.float32).reshape(16, 1, 4, 1), np.arange(1, 21, dtype=np.float32).reshape(1, 5, 1, 4)]
EXPECTED = np.matmul(*INPUTS)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED[1, 0].tolist(), "in [1, 0]", flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(f"{type(error).__name__}: {error}".split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual[1, 0].tolist(), "in [1, 0];", int((actual != EXPECTED).sum()), "elements differ")
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

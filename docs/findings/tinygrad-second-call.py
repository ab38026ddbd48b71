"""tinygrad: second call reuses the k of the first for TopK (tinygrad 0.14.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(DEV="CPU", CACHELEVEL="0")
import numpy as np
import onnx
from tinygrad import Tensor
from tinygrad.nn.onnx import OnnxRunner

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x, int64[1] k) => (int64[2] y, float[2] y1) { y1, y = TopK(x, k) }""")
INPUTS = [np.array([1, 2, 3], np.float32), np.array([2], np.int64)]
EXPECTED = np.array([2, 1], np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    runner = OnnxRunner(Tensor(np.frombuffer(MODEL.SerializeToString(), np.uint8)))
    runner({"x": Tensor(INPUTS[0]), "k": Tensor(np.array([1]))})
    actual = runner({"x": Tensor(INPUTS[0]), "k": Tensor(INPUTS[1])})["y"].numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

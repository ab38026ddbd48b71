"""tinygrad: Relu of NaN returns 0 (tinygrad 0.14.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys
import tempfile

os.environ.update(DEV="CPU", CACHELEVEL="0")
import numpy as np
import onnx
from tinygrad import Tensor
from tinygrad.nn.onnx import OnnxRunner

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x) => (float[3] y) { y = Relu (x) }""")
INPUTS = [np.array([np.nan, -1, 2], np.float32)]
EXPECTED = np.array([np.nan, 0, 2], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, f"{folder}/model.onnx")
    actual = OnnxRunner(f"{folder}/model.onnx")({"x": Tensor(INPUTS[0])})["y"].numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

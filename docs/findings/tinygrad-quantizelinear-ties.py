"""tinygrad: QuantizeLinear to uint8 rounds 1.5 to 1 (tinygrad 0.14.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(DEV="CPU", CACHELEVEL="0")
import numpy as np
import onnx
from tinygrad import Tensor
from tinygrad.nn.onnx import OnnxRunner

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[4] x) => (uint8[4] y) <float s = {1}, uint8 z = {0}> { y = QuantizeLinear(x, s, z) }""")
INPUTS = [np.array([0.5, 1.5, 2.5, 3.5], np.float32)]
EXPECTED = np.array([0, 2, 2, 4], np.uint8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    runner = OnnxRunner(Tensor(np.frombuffer(MODEL.SerializeToString(), np.uint8)))
    feed = {info.name: Tensor(x) for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = runner(feed)["y"].numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

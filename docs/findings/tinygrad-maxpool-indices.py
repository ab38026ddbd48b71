"""tinygrad: MaxPool counts Indices within one channel (tinygrad 0.14.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(DEV="CPU", CACHELEVEL="0")
import numpy as np
import onnx
from tinygrad import Tensor
from tinygrad.nn.onnx import OnnxRunner

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,2,1,2] x) => (int64[1,2,1,1] y, float[1,2,1,1] y1) { y1, y = MaxPool<kernel_shape=[1,2]>(x) }""")
INPUTS = [np.array([[[[1, 2]], [[3, 4]]]], np.float32)]
EXPECTED = np.array([[[[1]], [[3]]]], np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    runner = OnnxRunner(Tensor(np.frombuffer(MODEL.SerializeToString(), np.uint8)))
    feed = {info.name: Tensor(x) for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = runner(feed)["y"].numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

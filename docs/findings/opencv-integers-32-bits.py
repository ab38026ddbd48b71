"""OpenCV: int64 arithmetic and comparisons wrap to 32 bits (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int64[2] x, int64[2] z) => (int64[2] y) { y = Add (x, z) }""")
INPUTS = [np.array([3000000000, 1], np.int64), np.array([1, 2], np.int64)]
EXPECTED = np.array([3000000001, 3], np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(MODEL.SerializeToString(), np.uint8), cv2.dnn.ENGINE_NEW)
    for info, x in zip(MODEL.graph.input, INPUTS, strict=True):
        net.setInput(x, info.name)
    actual = np.array(net.forward([MODEL.graph.output[0].name])[0])
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

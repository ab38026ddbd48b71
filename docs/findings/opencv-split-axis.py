"""OpenCV: Split without axis splits the second dimension (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[4,2] x) => (float[2,2] y, float[2,2] y1) { y, y1 = Split<num_outputs=2>(x) }""")
INPUTS = [np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.float32)]
EXPECTED = np.array([[1, 2], [3, 4]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(MODEL.SerializeToString(), np.uint8), cv2.dnn.ENGINE_NEW)
    net.setInput(INPUTS[0], "x")
    actual = np.array(net.forward(["y", "y1"])[0])
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

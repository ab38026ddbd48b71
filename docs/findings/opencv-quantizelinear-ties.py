"""OpenCV: QuantizeLinear with an odd zero point rounds ties to odd (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[4] x) => (int8[4] y) <float s = {1}, int8 z = {3}> { y = QuantizeLinear(x, s, z) }""")
INPUTS = [np.array([0.5, 1.5, 2.5, -0.5], np.float32)]
EXPECTED = np.array([3, 5, 5, 3], np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(MODEL.SerializeToString(), np.uint8), cv2.dnn.ENGINE_NEW)
    for info, x in zip(MODEL.graph.input, INPUTS, strict=True):
        net.setInput(x, info.name)
    actual = np.array(net.forward(["y"])[0])
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

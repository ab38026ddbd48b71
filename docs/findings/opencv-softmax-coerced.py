"""OpenCV: Softmax before operator set 13 normalizes one axis only (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 11]>
g (float[1,2,2] x) => (float[1,2,2] y) { y = Softmax<axis=1>(x) }""")
INPUTS = [np.array([[[0, 0], [0, 0]]], np.float32)]
EXPECTED = np.array([[[0.25, 0.25], [0.25, 0.25]]], np.float32)
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

"""OpenCV: LSTM uses the peephole weights of other gates (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,1] x, int32[1] n, float[1,1,1] h, float[1,1,1] c) => (float[1,1,1,1] y) <float[1,4,1] w = {1, 1, 1, 1}, float[1,4,1] r = {0, 0, 0, 0}, float[1,8] b = {0, 0, 0, 0, 0, 0, 0, 0}, float[1,3] p = {5, 0, -5}> { y = LSTM <hidden_size = 1> (x, w, r, b, n, h, c, p) }""")
INPUTS = [np.ones((1, 1, 1), np.float32), np.array([1], np.int32), np.zeros((1, 1, 1), np.float32), np.ones((1, 1, 1), np.float32)]
EXPECTED = np.array([[[[0.4761992]]]], np.float32)
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

"""OpenCV: quantized Sub, Div, Min and Max are computed as Add (opencv-python-headless 5.0.0.93). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import cv2
import numpy as np
import onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 20]>
g (uint8[1,3] x, uint8[1,3] w) => (uint8[1,3] y) <float s = {1}, uint8 z = {0}> {
  a = DequantizeLinear (x, s, z) b = DequantizeLinear (w, s, z) c = Sub (a, b) y = QuantizeLinear (c, s, z) }""")
INPUTS = [np.array([[7, 8, 9]], np.uint8), np.array([[4, 4, 4]], np.uint8)]
EXPECTED = np.array([[3, 4, 5]], np.uint8)
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

"""onnxruntime: Conv with negative pads in the NCHWc layout crashes (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[] x) => (float[] y) <int64[4] s = {16,16,3,3}> {
    w = ConstantOfShape <value = float[1] {1}> (s)
    y = Conv <pads = [0,0,0,-1]> (x, w) }""")
INPUTS = [np.ones((1, 16, 4, 8), np.float32)]
print("expected: an error", flush=True)
try:
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

"""onnxruntime: Resize with roi to the same size returns the input (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[8] roi = {0,0,2,2,1,1,3,3}, int64[4] s = {1,1,2,2}> {
    y = Resize <coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear", extrapolation_value = 10.0> (x, roi, , s) }""")
INPUTS = [np.array([[[[1, 2], [3, 4]]]], np.float32)]
EXPECTED = np.full((1, 1, 2, 2), 10, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

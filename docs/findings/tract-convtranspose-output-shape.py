"""tract: ConvTranspose with output_shape pads at the wrong end (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,2] x, float[1,1,3] w) => (float[1,1,4] y) {
    y = ConvTranspose <output_shape = [4], strides = [2]> (x, w) }""")
INPUTS = [np.array([[[1, 10]]], np.float32), np.array([[[1, 2, 3]]], np.float32)]
EXPECTED = np.array([[[2, 13, 20, 30]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

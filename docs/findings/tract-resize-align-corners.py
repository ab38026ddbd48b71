"""tract: Resize with align_corners and floor selects the element below (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[21] x) => (float[3] y) <int64[1] s = {3}> {
   y = Resize <coordinate_transformation_mode = "align_corners", mode = "nearest", nearest_mode = "floor"> (x, , , s) }""")
INPUTS = [np.arange(21, dtype=np.float32)]
EXPECTED = np.array([0, 10, 20], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

"""MNN loses the sign of Det when it swaps rows: MNN 3.6.1. Exit code 1: the bug is there; 0: it is not."""

import os
import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2] x) => (float y) { y = Det (x) }""")
INPUTS = [np.array([[0, 2], [3, 4]], np.float32)]
EXPECTED = np.array(-6, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    onnx.save(MODEL, "model.onnx")
    _tools.mnnconvert("mnnconvert -f ONNX --modelFile model.onnx --MNNModel model.mnn --bizCode model".split())
    module = nn.load_module_from_file("model.mnn", [i.name for i in MODEL.graph.input], ["y"])
given = [expr.const(x, list(x.shape), expr.NCHW, expr.float) for x in INPUTS]
output = module.forward(given)[0]
actual = np.array(expr.convert(output, expr.NCHW).read()).reshape(output.shape)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""MNN: ScatterElements with fewer updates than indices reads out of bounds (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x, int32[3] i, float[1] u) => (float[3] y) { y = ScatterElements (x, i, u) }""")
INPUTS = [np.array([1, 2, 3], np.float32), np.array([0, 1, 2], np.int32), np.array([9], np.float32)]
print("expected: an error", flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(MODEL, f"{folder}/model.onnx")
        _tools.mnnconvert(f"mnnconvert -f ONNX --modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn".split())
        module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
    given = [expr.const(x, list(x.shape), expr.NCHW, expr.int if x.dtype == np.int32 else expr.float) for x in INPUTS]
    actual = np.array(expr.convert(module.forward(given)[0], expr.NCHW).read())
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

"""MNN: RNN accepts hidden_size = 0 with weights of size 3 (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,1,2] x, float[1,3,2] w, float[1,3,3] r) => (float[2,1,1,0] y) { y = RNN <hidden_size = 0> (x, w, r) }""")
INPUTS = [np.ones((2, 1, 2), np.float32), np.ones((1, 3, 2), np.float32), np.ones((1, 3, 3), np.float32)]
print("expected: an error", flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(MODEL, f"{folder}/model.onnx")
        _tools.mnnconvert(f"mnnconvert -f ONNX --modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn".split())
        module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
    given = [expr.const(x, list(x.shape), expr.NCHW, expr.int if x.dtype == np.int32 else expr.float) for x in INPUTS]
    actual = tuple(module.forward(given)[0].shape)
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", "float32", actual)
sys.exit(1)

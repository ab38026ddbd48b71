"""MNN: 3-D convolution returns an empty tensor (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,3,3,3] x, float[1,1,2,2,2] w) => (float[1,1,2,2,2] y) { y = Conv (x, w) }""")
INPUTS = [np.ones((1, 1, 3, 3, 3), np.float32), np.ones((1, 1, 2, 2, 2), np.float32)]
EXPECTED = np.full((1, 1, 2, 2, 2), 8, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, f"{folder}/model.onnx")
    options = f"--modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn --bizCode model"
    _tools.mnnconvert(f"mnnconvert -f ONNX {options}".split())
    module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
output = module.forward([expr.const(x, list(x.shape), expr.NCHW) for x in INPUTS])[0]
shape = tuple(output.shape)
print("actual:   a result of shape", shape)
sys.exit(shape != EXPECTED.shape)

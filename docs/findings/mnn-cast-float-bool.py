"""MNN: Cast of 0.5 to bool returns false (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2] x) => (bool[2] y) { y = Cast <to = 9> (x) }""")
INPUTS = [np.array([0.5, 2], np.float32)]
EXPECTED = np.array([True, True])
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, f"{folder}/model.onnx")
    options = f"--modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn --bizCode model"
    _tools.mnnconvert(f"mnnconvert -f ONNX {options}".split())
    module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
output = module.forward([expr.const(x, list(x.shape), expr.NCHW) for x in INPUTS])[0]
actual = np.array(expr.convert(output, expr.NCHW).read()).reshape(output.shape)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""MNN: cannot load a model with two equal Add calls, one of them an output (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1] a, float[1] b) => (float[1] y, float[1] z) { t = Add (a, b) y = Add (a, b) z = Relu (t) }""")
INPUTS = [np.ones(1, np.float32), np.ones(1, np.float32)]
EXPECTED = np.array([2], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, f"{folder}/model.onnx")
    _tools.mnnconvert(f"mnnconvert -f ONNX --modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn --bizCode model".split())
    try:
        module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y", "z"])
    except SystemError as error:
        sys.exit(f"actual: {error}")
actual = np.array(module.forward([expr.const(x, list(x.shape), expr.NCHW) for x in INPUTS])[0].read())
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""MNN: Einsum over a zero-size dimension returns no result (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,0] a, float[0,2] b) => (float[2,2] y) { y = Einsum <equation = "ij,jk->ik"> (a, b) }""")
INPUTS, EXPECTED = [np.zeros((2, 0), np.float32), np.zeros((0, 2), np.float32)], np.zeros((2, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(MODEL, f"{folder}/model.onnx")
        _tools.mnnconvert(f"mnnconvert -f ONNX --modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn".split())
        module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
    output = module.forward([expr.const(x, list(x.shape), expr.NCHW, expr.float) for x in INPUTS])[0]
    actual = np.array(expr.convert(output, expr.NCHW).read()).reshape(output.shape)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

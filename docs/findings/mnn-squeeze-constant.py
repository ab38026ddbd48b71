"""MNN: an invalid Squeeze of a constant is dropped (MNN 3.6.1). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import _tools  # MNN's converter
import numpy as np
import onnx
from MNN import expr, nn

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2] x) => (float[2,2] y) <float[2,2] c = {1, 2, 3, 4}, int64[1] a = {0}> { s = Squeeze (c, a) y = Neg (s) }""")
INPUTS = [np.ones((2, 2), np.float32)]
print("expected: an error", flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(MODEL, f"{folder}/model.onnx")
        _tools.mnnconvert(f"mnnconvert -f ONNX --modelFile {folder}/model.onnx --MNNModel {folder}/model.mnn".split())
        module = nn.load_module_from_file(f"{folder}/model.mnn", [i.name for i in MODEL.graph.input], ["y"])
    output = module.forward([expr.const(x, list(x.shape), expr.NCHW, expr.float) for x in INPUTS])[0]
    actual = np.array(expr.convert(output, expr.NCHW).read()).reshape(output.shape)
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

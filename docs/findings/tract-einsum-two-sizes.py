"""tract aborts on an Einsum of two sizes for a letter behind an Attention: tract 0.23.9. Exit code 1: the bug is there; 0: it is not. The process dies of it."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 25]>
g (float[1,1,2] q, float[1,2,2] k) => (float[1,1,2] y) {
   a = Attention <q_num_heads = 1, kv_num_heads = 1> (q, k, k) y = Einsum <equation = "bij,bjk->bik"> (a, a)
}""")
INPUTS = [np.ones((1, 1, 2), np.float32), np.ones((1, 2, 2), np.float32)]
print("expected: an error", flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception:
    sys.exit(0)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not np.allclose(actual, [[[2, 2]]]))

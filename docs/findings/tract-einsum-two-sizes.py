"""tract: Einsum with two sizes for one letter aborts after an Attention (tract 0.23.9, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

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

"""tract: GatherND with different batch sizes of data and indices aborts (tract 0.23.9). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,2] x, int64[4,1] i) => (float[4] y) { y = GatherND <batch_dims = 1> (x, i) }""")
INPUTS = [np.array([[3, 4]], np.float32), np.zeros((4, 1), np.int64)]
print("expected: an error", flush=True)
try:
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(MODEL, file.name)
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

"""tract: inner product after a Reshape does not compile (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,2,2] x, float[4] w) => (float z) <int64[1] s = {4}> {
    y = Reshape (x, s)
    z = Einsum <equation = "i,i"> (y, w) }""")
INPUTS = [np.array([[[1, 2], [3, 4]]], np.float32), np.ones(4, np.float32)]
print("expected: float32 () 10.0", flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    try:
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
    except Exception as error:
        sys.exit(f"actual:   {type(error).__name__}: {' '.join(str(error).split())[:200]}")
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == np.float32 and actual.shape == () and actual == 10))

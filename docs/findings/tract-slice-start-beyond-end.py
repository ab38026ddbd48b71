"""tract: Slice whose start is beyond its end is rejected (tract 0.23.9). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import numpy as np
import onnx
import tract

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x) => (float[0] y) <int64[1] s = {2}, int64[1] e = {1}> { y = Slice (x, s, e) }""")
INPUTS = [np.array([1, 2, 3], np.float32)]
print("expected: float32 (0,) []", flush=True)
with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
    onnx.save(MODEL, file.name)
    try:
        actual = tract.onnx().load(file.name).into_model().into_runnable().run(INPUTS)[0].to_numpy()
    except Exception as error:
        sys.exit("actual:   " + " ".join(f"{type(error).__name__}: {error}".split()[:32]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == np.float32 and actual.shape == (0,)))

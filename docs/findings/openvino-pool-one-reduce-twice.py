"""OpenVINO: after a 1-element pool the second inference uses another mean (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2,2,1] x) => (float[2,2,2,1] y) { t = MaxPool <kernel_shape: ints = [1, 1]> (x)
    y = MeanVarianceNormalization <axes: ints = [0, 2, 3]> (t) }""")
INPUTS = [np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1)]
EXPECTED = np.float32([-1.2127, -0.7276, -1.2127, -0.7276, 0.7276, 1.2127, 0.7276, 1.2127]).reshape(2, 2, 2, 1)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    compiled(INPUTS)
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

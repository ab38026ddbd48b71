"""OpenVINO: TopK of an empty tensor returns uninitialized memory (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 11]>
g (float[2,0] x) => (float[2,1] y, int64[2,1] i) <int64[1] k = {1}> { y, i = TopK (x, k) }""")
INPUTS = [np.ones((2, 0), np.float32)]
print("expected: an error", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)
except Exception as error:
    print("rejected:", " ".join(str(error).split())[:200])
    sys.exit(0)
sys.exit(f"actual: {actual[0].tolist()} {actual[1].tolist()}")

"""OpenVINO: negative index of GatherElements after Slice counts from the wrong end (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[4] x, int64[1] i) => (float[1] y) <int64[1] a = {0}, int64[1] b = {3}> {
  s = Slice (x, a, b)
  y = GatherElements <axis = 0> (s, i)
}""")
print("expected:", [2.0], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.arange(4, dtype=np.float32), np.array([-1])])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
sys.exit(actual.tolist() != [2.0])

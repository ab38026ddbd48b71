"""OpenVINO: integer Neg after a reduction of the middle axis of three returns 0 (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int32[2,2,1] x) => (int32[2,1,1] y) <int64[1] c = {1}> {
  u = ReduceMax <keepdims = 1> (x, c)
  y = Neg (u)
}""")
print("expected:", [[[-2]], [[-4]]], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.arange(1, 5, dtype=np.int32).reshape(2, 2, 1)])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
sys.exit(actual.tolist() != [[[-2]], [[-4]]])

"""OpenVINO: Cast of an input to its own type corrupts the heap (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[n] x) => (float[n] y) { y = Cast <to = 1> (x) }""")
print("expected:", [199.0] * 5, flush=True)
core = openvino.Core()
request = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU").create_infer_request()
wrong = 0
for i in range(200):
    request.set_input_tensor(openvino.Tensor(np.full(5, i, np.float32), shared_memory=False))
    request.infer()
    actual = request.get_output_tensor().data.tolist()
    wrong += actual != [i] * 5
print("actual:  ", actual, "wrong:", wrong)
sys.exit(wrong != 0)

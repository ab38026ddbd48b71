"""OpenVINO: Scan whose body uses an outer value is rejected (openvino 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[2,1] x, float[1] c) => (float[2,1] y) {
    y = Scan <num_scan_inputs = 1, body = b (float[1] v) => (float[1] w) { w = Add (v, c) }> (x)
}""").SerializeToString()

print("expected: [[11.0], [12.0]]")
try:
    compiled = openvino.Core().compile_model(openvino.Core().read_model(io.BytesIO(MODEL)), "CPU")
    result = compiled([np.array([[1], [2]], np.float32), np.array([10], np.float32)])[0].tolist()
except RuntimeError as error:
    result = error
print("actual:  ", result)
raise SystemExit(int(result != [[11.0], [12.0]]))

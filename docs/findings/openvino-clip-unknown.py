"""OpenVINO: Clip without both bounds after an unknown operator crashes (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import sys

import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13, "local" : 1]>
g (float[2] x) => (float[2] y) {
  z = local.Unknown(x)
  y = Clip(z)
}""")
print("expected: No conversion rule found for operations: local.Unknown", flush=True)
try:
    openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
except RuntimeError as error:
    sys.exit(print("rejected:", next(line for line in str(error).splitlines() if "No conversion" in line)))
print("actual:   read")
sys.exit(1)

"""OpenVINO: DequantizeLinear whose scale is an output of Split is rejected (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (uint8[1] x, float[2] scales) => (float[1] y) {
    first, second = Split <num_outputs = 2> (scales)
    y = DequantizeLinear (x, second)
}""")

print("expected: [6.0]")
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
    actual = compiled({"x": np.array([3], np.uint8), "scales": np.array([1, 2], np.float32)})[0].tolist()
except RuntimeError as error:
    actual = next(line for line in str(error).splitlines() if "get_element_type" in line)
print("actual:  ", actual)
raise SystemExit(int(actual != [6.0]))

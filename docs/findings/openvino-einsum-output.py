"""OpenVINO: Einsum that is the identity of one of several outputs does not compile (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[1] y) {
    first, second = Split <num_outputs = 2> (x)
    y = Einsum <equation = "i->i"> (second)
}""")

print("expected: [2.0]")
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
    actual = compiled({"x": np.array([1, 2], np.float32)})[0].tolist()
except RuntimeError as error:
    actual = str(error)[str(error).find("Check 'target") :].splitlines()[0]
print("actual:  ", actual)
raise SystemExit(int(actual != [2.0]))

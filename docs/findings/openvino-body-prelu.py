"""OpenVINO: PRelu in a branch or a loop swaps its operands (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1] x, float[1] s, bool yes) => (float[1] y) {
    y = If (yes) <then_branch = b () => (float[1] v) {
        slope = Neg (s)
        v = PRelu (x, slope)
    }, else_branch = e () => (float[1] w) { w = Identity (x) }>
}""")

core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
fed = {"x": np.array([2], np.float32), "s": np.array([3], np.float32), "yes": np.array(True)}
actual = compiled(fed)[0].tolist()
print(f"expected: [2.0]\nactual:   {actual}")
raise SystemExit(int(actual != [2.0]))

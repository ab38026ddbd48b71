"""OpenVINO: branch that multiplies a negated RNN result does not compile (OpenVINO 2026.4.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import io

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,3,1] x, float[1,2,1] w, float[1,2,2] r, float[2,4] m, bool yes) => (float[1,3,4] y) <int64[3] k = {1, 3, 4}> {
    all, last = RNN <hidden_size = 2> (x, w, r)
    n = Neg (last)
    y = If (yes) <then_branch = b () => (float[1,3,4] v) { v = MatMul (n, m) },
                  else_branch = e () => (float[1,3,4] u) { u = ConstantOfShape (k) }>
}""")
fed = {name: np.zeros(size, np.float32) for name, size in (("x", (1, 3, 1)), ("w", (1, 2, 1)), ("r", (1, 2, 2)), ("m", (2, 4)))}

try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
    actual = f"a result of {compiled({**fed, 'yes': np.array(True)})[0].shape}"
except RuntimeError as error:
    actual = next(line for line in str(error).splitlines() if "merge" in line)
print(f"expected: a result of (1, 3, 4)\nactual:   {actual}")
raise SystemExit(int("(1, 3, 4)" not in actual))

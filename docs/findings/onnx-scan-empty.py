"""onnxruntime: empty results of a Scan stacked along axis 1 crash it (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[2,0] x) => (float[0,2] y) {
    y = Scan <num_scan_inputs = 1, scan_output_axes = [1], body = b (float[0] v) => (float[0] w) { w = Neg (v) }> (x)
}""").SerializeToString()

print("expected: (0, 2)", flush=True)
result = ort.InferenceSession(MODEL).run(None, {"x": np.zeros((2, 0), np.float32)})[0].shape
print("actual:  ", result)
raise SystemExit(int(result != (0, 2)))

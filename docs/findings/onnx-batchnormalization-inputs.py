"""onnxruntime: BatchNormalization in training mode modifies its input tensors (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 15]>
g (float[4,2] x, float[2] scale, float[2] bias, float[2] mean, float[2] var) => (float[2] out) {
    y, m, v = BatchNormalization <training_mode = 1> (x, scale, bias, mean, var)
    out = Neg (m)
}""").SerializeToString()

feeds = {name: np.ones(2, np.float32) for name in ("scale", "bias", "mean", "var")}
feeds["x"] = np.arange(8, dtype=np.float32).reshape(4, 2)
ort.InferenceSession(MODEL).run(None, feeds)
print("expected: the mean that was passed, ones\nactual:  ", feeds["mean"].tolist())
raise SystemExit(int((feeds["mean"] != 1).any()))

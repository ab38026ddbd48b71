"""onnxruntime: STFT rejects a window of unknown rank (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
g (float[4] w, float[1,4,1] x) => (float[1,1,4,2] y) <int64 step = {4}> {
    window = ai.onnx.ml.Scaler <offset: floats = [0.0], scale: floats = [1.0]> (w)
    y = STFT <onesided: int = 0> (x, step, window)
}""").SerializeToString()

FED = {"w": np.ones(4, np.float32), "x": np.array([[[1], [2], [3], [4]]], np.float32)}

print("expected:", (1, 1, 4, 2))
try:
    print("actual:  ", ort.InferenceSession(MODEL).run(None, FED)[0].shape)
except Exception as error:
    raise SystemExit(f"actual: {error}") from None

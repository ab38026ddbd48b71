"""onnxruntime: QDQS8ToU8Transformer rejects an int8 weight with two users (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float s) => (float[2] y, float[2] t) <int8[2] w = {123, 4}> {
    y = DequantizeLinear (w, s)
    t = DequantizeLinear (w, s)
}""").SerializeToString()

FED = {"s": np.array(2, np.float32)}

for precision in "0", "1":
    options = ort.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", precision)
    try:
        print("expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

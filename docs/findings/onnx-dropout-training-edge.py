"""onnxruntime: model with a computed training_mode of Dropout fails to load (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[1,1,6,3] x, uint16 a, uint16 b) => (float16[1,1,1,1] y, int64[1,1,1,1] z) <float ratio = {0.5}> {
    training = Equal (a, b)
    dropped = Dropout (x, ratio, training)
    y, z = MaxPool <kernel_shape = [4, 2], strides = [27, 4]> (dropped)
}""").SerializeToString()

feeds = {"x": np.ones((1, 1, 6, 3), np.float16), "a": np.array(1, np.uint16), "b": np.array(2, np.uint16)}
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", [out.tolist() for out in ort.InferenceSession(MODEL, options).run(None, feeds)])
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

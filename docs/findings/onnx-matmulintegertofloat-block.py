"""onnxruntime: MatMul fusion ignores the blocks of a blocked quantization (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (uint8[1,2] x, uint8[2,2] w) => (float[1,2] y) <float[2,2] s = {1, 10, 100, 1000}, float one = {1}> {
    a = DequantizeLinear (x, one)
    b = DequantizeLinear <axis: int = 0, block_size: int = 1> (w, s)
    y = MatMul (a, b)
}""").SerializeToString()

FED = {"x": np.array([[1, 2]], np.uint8), "w": np.ones((2, 2), np.uint8)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results.append(ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    print("actual:  " if level.value else "expected:", results[-1])
raise SystemExit(results[0] != results[1])

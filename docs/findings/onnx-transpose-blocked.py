"""onnxruntime: TransposeOptimizer does not transpose the scales of blocks (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[2,2] x) => (uint8[2,2] y) <float[2,2] s = {1, 2, 4, 8}> {
    t = Transpose <perm = [1, 0]> (x)
    q = QuantizeLinear <axis = 0, block_size = 1> (t, s)
    y = Transpose <perm = [1, 0]> (q)
}""").SerializeToString()

FED = {"x": np.full((2, 2), 8, np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

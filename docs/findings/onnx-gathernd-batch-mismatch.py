"""onnxruntime: GatherND accepts different batch sizes of data and indices (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,2] x, int64[4,1] i) => (float[4] y) { y = GatherND <batch_dims = 1> (x, i) }""")
INPUTS = [np.array([[3, 4]], np.float32), np.zeros((4, 1), np.int64)]
print("expected: an error", flush=True)
try:
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

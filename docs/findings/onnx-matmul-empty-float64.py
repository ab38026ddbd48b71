"""onnxruntime: MatMul of float64 with an inner dimension of 0 is uninitialized (onnxruntime 1.31.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import ctypes
import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (double[64,0] a, double[0] b) => (double[64] y) { y = MatMul (a, b) }""")
INPUTS = [np.ones((64, 0)), np.ones(0)]
EXPECTED = np.zeros(64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc M_PERTURB: malloc fills memory with 0x4b
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

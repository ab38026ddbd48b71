"""TVM: ConvTranspose ignores output_shape (apache-tvm 0.27.0.post1). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import tvm
from tvm.relax.frontend.onnx import from_onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,2] x, float[1,1,3] w) => (float[1,1,4] y) {
    y = ConvTranspose <output_shape = [4], strides = [2]> (x, w) }""")
INPUTS = [np.array([[[1, 10]]], np.float32), np.array([[[1, 2, 3]]], np.float32)]
EXPECTED = np.array([[[2, 13, 20, 30]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
module = tvm.relax.transform.DecomposeOpsForInference()(from_onnx(MODEL))
machine = tvm.relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
actual = machine["main"](*[tvm.runtime.tensor(x) for x in INPUTS])
actual = (actual if isinstance(actual, tvm.runtime.Tensor) else actual[0]).numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""TVM: ReduceMean of an empty integer tensor divides by zero (apache-tvm 0.27.0.post1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import tvm
from tvm.relax.frontend.onnx import from_onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int32[0] x) => (int32[1] y) <int64[1] a = {0}> { y = ReduceMean (x, a) }""")
INPUTS = [np.zeros(0, np.int32)]
EXPECTED = np.array([0], np.int32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
module = tvm.relax.transform.DecomposeOpsForInference()(from_onnx(MODEL))
machine = tvm.relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
actual = machine["main"](*[tvm.runtime.tensor(x) for x in INPUTS])
actual = (actual if isinstance(actual, tvm.runtime.Tensor) else actual[0]).numpy()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""TVM: ONNX Attention is read as com.microsoft.Attention (apache-tvm 0.27.0.post1). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import tvm
from tvm.relax.frontend.onnx import from_onnx

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,1,1] q) => (float[1,1,1] y) { y = Attention <kv_num_heads = 1, q_num_heads = 1> (q, q, q) }""")
INPUTS = [np.ones((1, 1, 1), np.float32)]
EXPECTED = np.ones((1, 1, 1), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    module = tvm.relax.transform.DecomposeOpsForInference()(from_onnx(MODEL))
    machine = tvm.relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
    actual = machine["main"](*[tvm.runtime.tensor(x) for x in INPUTS])
    actual = (actual if isinstance(actual, tvm.runtime.Tensor) else actual[0]).numpy()
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""TVM: the ONNX model as Relax, compiled by the default pipeline for LLVM, in TVM's virtual machine on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "onnx"
REQUIRES = ("apache-tvm==0.27.0.post1",)
IMPORTS = ("tvm.relax.frontend.onnx",)
UNSUPPORTED = ("Only resize",)
PLAIN = ("""
import tvm
from tvm.relax.frontend.onnx import from_onnx
module = tvm.relax.transform.DecomposeOpsForInference()(from_onnx(model))
machine = tvm.relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
actual = machine["main"](*[tvm.runtime.tensor(x) for x in inputs.values()])
actual = (actual if isinstance(actual, tvm.runtime.Tensor) else actual[0]).numpy()
""",)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The virtual machine of the compiled module."""
    import os
    import warnings

    os.environ["TVM_NUM_THREADS"] = "1"
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    warnings.simplefilter("ignore")
    module = relax.transform.DecomposeOpsForInference()(from_onnx(model))
    machine = relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
    stage("run")

    def call(*inputs: Any) -> Any:
        returned = machine["main"](*[tvm.runtime.tensor(array) for array in inputs])
        return [returned.numpy()] if isinstance(returned, tvm.runtime.Tensor) else [tensor.numpy() for tensor in returned]

    return call

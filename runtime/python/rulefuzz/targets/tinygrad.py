"""tinygrad: the ONNX model in its runner, compiled by clang for the CPU on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "onnx"
REQUIRES = ("tinygrad==0.14.0", "program:clang")
UNSUPPORTED = ("is not supported",)
PLAIN = ("""
from tinygrad import Tensor
from tinygrad.nn.onnx import OnnxRunner
onnx.save(model, "model.onnx")
actual = OnnxRunner("model.onnx")({name: Tensor(x) for name, x in inputs.items()})[model.graph.output[0].name].numpy()
""",)


def enter(folder: str) -> None:
    """Keeps compiled kernels out of the user's cache."""
    import os

    os.environ.update(DEV="CPU", CC="clang", CACHELEVEL="0", CPU_COUNT="1", XDG_CACHE_HOME=folder)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The runner, which compiles in the first call."""
    import os
    import sys
    import tempfile

    os.environ.update(DEV="CPU", CC="clang", CACHELEVEL="0", CPU_COUNT="1")
    from tinygrad import Tensor
    from tinygrad.nn.onnx import OnnxRunner

    sys.setrecursionlimit(10000)
    if any(array.dtype == object or array.dtype.isbuiltin != 1 or array.ndim == 0 for array in example):
        raise NotImplementedError("tinygrad accepts no numpy arrays of these dtypes or of rank 0")
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model.SerializeToString())
        file.flush()
        runner = OnnxRunner(file.name)
    names = [info.name for info in model.graph.input]
    outputs = [info.name for info in model.graph.output]

    def call(*inputs: Any) -> Any:
        results = runner({name: Tensor(array.copy()) for name, array in zip(names, inputs)})
        return [results[name].numpy().copy() for name in outputs]

    stage("run")
    return call

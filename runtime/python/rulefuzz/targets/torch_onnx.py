"""torch.onnx.export to the newest operator set that it writes itself, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.torch import EXPORT, NEEDS, REFUSES, RUN, UNSUPPORTED, exported
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "UNSUPPORTED", "compile"]

FRAMEWORK = "torch"
REQUIRES = ("torch", "onnxscript==0.7.2", "onnx==1.23.2", "onnxruntime==1.32.0")
PLAIN = (f"""{EXPORT}
written = torch.onnx.export(Module(), inputs, dynamo=True, opset_version=25)
{RUN}""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the exported model."""
    call: Callable[..., Sequence[Any]] = exported(function, example, stage, (), 25)
    return call


def compile_dynamic(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The same with dynamic shapes."""
    return exported(function, example, stage, dims, 25)


DYNAMIC = Dynamic((), compile_dynamic, NEEDS, REFUSES)

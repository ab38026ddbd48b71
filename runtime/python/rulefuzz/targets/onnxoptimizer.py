"""onnxoptimizer: the ONNX model after all fusing and eliminating passes, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxoptimizer==0.4.2",)
IMPORTS = ("onnxoptimizer",)
REWRITE = """
import onnxoptimizer
rewritten = onnxoptimizer.optimize(model, onnxoptimizer.get_fuse_and_elimination_passes())
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnxoptimizer

    passes = onnxoptimizer.get_fuse_and_elimination_passes()
    call: Callable[..., Sequence[Any]] = compiled(lambda copy: onnxoptimizer.optimize(copy, passes), model, example, stage)
    return call

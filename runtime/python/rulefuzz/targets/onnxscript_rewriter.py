"""onnxscript's rewriter with its default rules, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxscript==0.7.2",)
IMPORTS = ("onnxscript.rewriter",)
REWRITE = """
import onnxscript.rewriter
rewritten = onnxscript.rewriter.rewrite(model)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnxscript.rewriter

    call: Callable[..., Sequence[Any]] = compiled(onnxscript.rewriter.rewrite, model, example, stage)
    return call

"""onnxslim: the simplified ONNX model in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxslim==0.1.98",)
IMPORTS = ("onnxslim",)
REWRITE = """
import onnxslim
rewritten = onnxslim.slim(model)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnxslim

    call: Callable[..., Sequence[Any]] = compiled(onnxslim.slim, model, example, stage)
    return call

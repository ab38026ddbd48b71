"""onnx-simplifier: the simplified ONNX model in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxsim==0.8.1",)
IMPORTS = ("onnxsim",)
REWRITE = """
import onnxsim
rewritten, _ = onnxsim.simplify(model)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnxsim

    call: Callable[..., Sequence[Any]] = compiled(lambda copy: onnxsim.simplify(copy)[0], model, example, stage)
    return call

"""onnxruntime.transformers: the ONNX model fused as BERT, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxruntime", "sympy==1.14.0")
REWRITE = """
from onnxruntime.transformers.optimizer import optimize_model
rewritten = optimize_model(model, model_type="bert", opt_level=0, use_gpu=False).model
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import logging

    from onnxruntime.transformers.optimizer import optimize_model

    logging.disable(logging.ERROR)
    call: Callable[..., Sequence[Any]] = compiled(
        lambda copy: optimize_model(copy, model_type="bert", opt_level=0, use_gpu=False).model, model, example, stage
    )
    return call

"""onnx.version_converter: the ONNX model in the newest operator set that onnxruntime supports, without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnx",)
UNSUPPORTED = ("no kernel",)  # of the newer operator set
REWRITE = """
import onnx.version_converter
rewritten = onnx.version_converter.convert_version(model, 26)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnx.version_converter

    if model.functions:
        raise NotImplementedError("onnx.version_converter drops local functions")  # onnx#4370
    convert = onnx.version_converter.convert_version
    call: Callable[..., Sequence[Any]] = compiled(lambda copy: convert(copy, 26), model, example, stage)
    return call

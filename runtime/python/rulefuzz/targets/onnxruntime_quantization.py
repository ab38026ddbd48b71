"""onnxruntime.quantization: the ONNX model with dynamically quantized weights, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["COARSE", "DYNAMIC", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "WITHOUT", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxruntime",)
ENVIRONMENT = ("RULEFUZZ_QUANTIZATION_WITHOUT",)
WITHOUT = "RULEFUZZ_QUANTIZATION_WITHOUT"
COARSE = ("int8",)  # the whole work of the tool: results may differ by its error
REWRITE = """
from onnxruntime.quantization import quantize_dynamic
quantize_dynamic(model, "quantized.onnx")
rewritten = onnx.load("quantized.onnx")
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model, of the original if its pass is disabled."""
    import logging
    import os
    import tempfile

    import onnx
    from onnxruntime.quantization import quantize_dynamic

    logging.disable(logging.ERROR)

    def quantize(copy: Any) -> Any:
        if "int8" in os.environ.get("RULEFUZZ_QUANTIZATION_WITHOUT", "").split(","):
            return copy
        with tempfile.TemporaryDirectory() as folder:
            quantize_dynamic(copy, os.path.join(folder, "quantized.onnx"))
            return onnx.load(os.path.join(folder, "quantized.onnx"))

    call: Callable[..., Sequence[Any]] = compiled(quantize, model, example, stage)
    return call

"""onnxconverter-common: the ONNX model in half precision, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled
from rulefuzz.targets import Dynamic

__all__ = ["COARSE", "DYNAMIC", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "WITHOUT", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxconverter-common==1.16.0",)
ENVIRONMENT = ("RULEFUZZ_FLOAT16_WITHOUT",)
WITHOUT = "RULEFUZZ_FLOAT16_WITHOUT"
COARSE = ("float16",)  # the whole work of the tool: results may differ by its error
UNSUPPORTED = ("The model is already converted to float16",)
REWRITE = """
from onnxconverter_common.float16 import convert_float_to_float16
rewritten = convert_float_to_float16(model, keep_io_types=True)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model, of the original if its pass is disabled."""
    import os

    from onnxconverter_common.float16 import convert_float_to_float16

    def convert(copy: Any) -> Any:
        if "float16" in os.environ.get("RULEFUZZ_FLOAT16_WITHOUT", "").split(","):
            return copy
        return convert_float_to_float16(copy, keep_io_types=True)

    call: Callable[..., Sequence[Any]] = compiled(convert, model, example, stage)
    return call

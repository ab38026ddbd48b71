"""onnxscript.version_converter: the ONNX model, from operator set 18 or newer to 25, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import NEEDS, RUN, RUN_TWICE, compiled, rewritten_session
from rulefuzz.targets import Dynamic

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "compile"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxscript==0.7.2",)
IMPORTS = ("onnxscript.version_converter",)
UNSUPPORTED = ("no kernel",)  # of the newer operator set
REWRITE = """
import onnx.version_converter
import onnx_ir
import onnxscript.version_converter
loaded = onnx_ir.from_proto(onnx.version_converter.convert_version(model, 18))
onnxscript.version_converter.convert_version(loaded, 25, fallback=False)
rewritten = onnx_ir.to_proto(loaded)
"""
PLAIN = (REWRITE + RUN,)
DYNAMIC = Dynamic((REWRITE + RUN_TWICE,))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the rewritten model."""
    import onnx.version_converter
    import onnx_ir
    import onnxscript.version_converter

    if model.functions:
        raise NotImplementedError("onnx.version_converter drops local functions")  # onnx#4370

    def convert(copy: Any) -> Any:
        if next((used.version for used in copy.opset_import if not used.domain), 18) < 18:  # older than onnxscript converts
            try:
                copy = onnx.version_converter.convert_version(copy, 18)
                rewritten_session(model, copy)
            except Exception as error:
                raise NotImplementedError("onnx.version_converter fails") from error
        loaded = onnx_ir.from_proto(copy)
        onnxscript.version_converter.convert_version(loaded, 25, fallback=False)
        return onnx_ir.to_proto(loaded)

    call: Callable[..., Sequence[Any]] = compiled(convert, model, example, stage)
    return call

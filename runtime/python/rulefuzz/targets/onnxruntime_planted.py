"""onnxruntime behind a wrong pass of faults/onnx.py, which RULEFUZZ_PLANTED names: a test of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "onnx"
PURPOSE = "test"
REQUIRES = ("onnxruntime",)
MAY_DIFFER = True
ENVIRONMENT = ("RULEFUZZ_PLANTED",)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """A session of the model, with the fault."""
    import os

    from rulefuzz.faults import onnx as onnx_faults
    from rulefuzz.targets import onnxruntime as whole

    os.environ["RULEFUZZ_ORT_LEVEL"] = "DISABLE_ALL"
    return whole.compile(onnx_faults.planted(model, os.environ.get("RULEFUZZ_PLANTED", "")), example, stage)

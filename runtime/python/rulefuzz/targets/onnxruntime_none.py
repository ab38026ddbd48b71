"""onnxruntime without optimizations, as in the reference: a check of the oracle."""

from __future__ import annotations

import os

from rulefuzz.targets import Dynamic
from rulefuzz.targets.onnxruntime import ENVIRONMENT, NEEDS, compile

__all__ = ["CASTS", "DYNAMIC", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "SCREEN", "compile", "prepare"]

FRAMEWORK = "onnx"
PURPOSE = "test"
REQUIRES = ("onnxruntime",)
SCREEN = "onnxruntime-none"
CASTS = True
PLAIN = ("""
import onnxruntime as ort
none = ort.SessionOptions()
none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
actual = ort.InferenceSession(model.SerializeToString(), none).run(None, inputs)[0]
""",)
DYNAMIC = Dynamic(())


def prepare() -> dict[str, str]:
    """Names the level."""
    os.environ["RULEFUZZ_ORT_LEVEL"] = "DISABLE_ALL"
    return {}

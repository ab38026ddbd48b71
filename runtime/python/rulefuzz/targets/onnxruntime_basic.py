"""onnxruntime with basic graph optimizations only: constant folding, eliminations and simple fusions."""

from __future__ import annotations

import os

from rulefuzz.targets import Dynamic
from rulefuzz.targets.onnxruntime import ENVIRONMENT, NEEDS, WITHOUT, compile, passes, suspects

__all__ = ["CASTS", "DYNAMIC", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "SCREEN", "WITHOUT"]
__all__ += ["compile", "passes", "prepare", "suspects"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxruntime",)
SCREEN = "onnxruntime-basic"
CASTS = True
PLAIN = ("""
import onnxruntime as ort
optimised = ort.SessionOptions()
optimised.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
actual = ort.InferenceSession(model.SerializeToString(), optimised).run(None, inputs)[0]
""",)
DYNAMIC = Dynamic(PLAIN)


def prepare() -> dict[str, str]:
    """Names the level."""
    os.environ["RULEFUZZ_ORT_LEVEL"] = "ENABLE_BASIC"
    return {}

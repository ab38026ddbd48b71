"""onnxruntime: the whole model in one session with all graph optimizations, on one CPU thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.frameworks.onnx_arrays import is_packed, packed, value_of
from rulefuzz.passes.onnxruntime import passes, suspects
from rulefuzz.targets import Dynamic

__all__ = ["CASTS", "COARSE", "DYNAMIC", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "QUANTISED", "REQUIRES", "SCREEN"]
__all__ += ["WITHOUT", "compile", "passes", "prepare", "suspects"]

FRAMEWORK = "onnx"
REQUIRES = ("onnxruntime",)
SCREEN = "onnxruntime"
CASTS = True
ENVIRONMENT = ("RULEFUZZ_ORT_LEVEL",)
WITHOUT = "RULEFUZZ_ORT_WITHOUT"
COARSE = ("WeightBiasQuantization", "DoubleQDQPairsRemover")  # by design: int8 weights, one of two consecutive quantizations
QUANTISED = ("QDQSelectorActionTransformer",)  # 8-bit kernels instead of others between two quantizations
NEEDS = (is_packed, packed, value_of)
PLAIN = ("""
import onnxruntime as ort
actual = ort.InferenceSession(model.SerializeToString()).run(None, inputs)[0]
""",)
DYNAMIC = Dynamic(("""
import onnxruntime as ort
session = ort.InferenceSession(model.SerializeToString())
session.run(None, first)
actual = session.run(None, inputs)[0]
""",))


def prepare() -> dict[str, str]:
    """Names the level. The files of the other levels have this `compile` and a `prepare` of their own."""
    os.environ["RULEFUZZ_ORT_LEVEL"] = "ENABLE_ALL"
    return {}


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None], configure: Any = None) -> Callable[..., Any]:
    """Makes a session of the model."""
    import os

    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    for pool in ("intra_op", "inter_op"):  # idle threads of a model's settings would take processors
        options.add_session_config_entry(f"session.{pool}.allow_spinning", "0")
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{os.environ['RULEFUZZ_ORT_LEVEL']}")
    if configure:
        configure(options, model, example)
    without = [name for name in os.environ.get("RULEFUZZ_ORT_WITHOUT", "").split(",") if name]
    cpu = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=cpu, disabled_optimizers=without)
    kinds = [(info.name, info.type.tensor_type.elem_type) for info in model.graph.input]
    outputs = [info.name for info in model.graph.output]
    stage("run")

    def call(*inputs: Any) -> Any:
        if any(array.dtype == object for array in inputs):  # strings
            return session.run(outputs, {name: array for (name, _), array in zip(kinds, inputs)})
        fed = {name: value_of(array, kind) for (name, kind), array in zip(kinds, inputs)}
        return session.run_with_ort_values(outputs, fed)

    return call

"""onnxruntime: the whole model in one session with all graph optimizations, on one CPU thread."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.frameworks.onnx_arrays import is_packed, packed, value_of
from rulefuzz.targets import Dynamic

FRAMEWORK = "onnx"
REQUIRES = ("onnxruntime",)
SCREEN = "onnxruntime"
CASTS = True
ENVIRONMENT = ("RULEFUZZ_ORT_LEVEL",)
WITHOUT = "RULEFUZZ_ORT_WITHOUT"
RULES = (
    "EliminateIdentity", "EliminateSlice", "UnsqueezeElimination", "EliminateDropout", "ExpandElimination", "CastElimination",
    "CastChainElimination", "PreShapeNodeElimination", "NoopElimination", "DivMulFusion", "FuseReluClip", "GemmSumFusion",
    "GemmTransposeFusion", "NotWhereFusion", "ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "Pad_Fusion",
    "MatMul_BatchNormalization_Fusion", "LabelEncoderFusion", "ClipQuantRewrite", "ReluQuantRewrite",
)  # fmt: skip
"""Its rule-based optimizers; its log only tells that one of them changed the model."""
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


def _log(model: bytes) -> tuple[bytes, bool]:
    """What a session of the model logs while it is made, and whether it could be made."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 1
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{os.environ['RULEFUZZ_ORT_LEVEL']}")
    own = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            told = True
        except Exception:
            told = False
        finally:
            os.dup2(own, 2)
            os.close(own)
        log.seek(0)
        return log.read(), told


def suspects(model: Any) -> list[str]:
    """The optimizers that change the model, in order, from the log of a session; rules on their own."""
    log, told = _log(model.SerializeToString())
    found = [name.decode() for name in dict.fromkeys(re.findall(rb"GraphTransformer (\w+) modified: 1", log))]
    return found if told and not any("RuleBased" in name for name in found) else [*RULES, *found]


def passes() -> list[str]:
    """All optimizers: the rules, and what the session of a model that none changes names in its log."""
    from onnx import TensorProto, helper

    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Sin", ["x"], ["y"])], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    log, _ = _log(model.SerializeToString())
    named = dict.fromkeys(name.decode() for name in re.findall(rb"GraphTransformer (\w+) modified: \d", log))
    return [*RULES, *(name for name in named if "RuleBased" not in name)]

"""The optimizers of onnxruntime: their names, and which of them change a model."""

from __future__ import annotations

import os
import re
import tempfile
from typing import Any

RULES = (
    "EliminateIdentity", "EliminateSlice", "UnsqueezeElimination", "EliminateDropout", "ExpandElimination", "CastElimination",
    "CastChainElimination", "PreShapeNodeElimination", "NoopElimination", "DivMulFusion", "FuseReluClip", "GemmSumFusion",
    "GemmTransposeFusion", "NotWhereFusion", "ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "Pad_Fusion",
    "MatMul_BatchNormalization_Fusion", "LabelEncoderFusion", "ClipQuantRewrite", "ReluQuantRewrite",
)  # fmt: skip
"""Its rule-based optimizers; its log only tells that one of them changed the model."""


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

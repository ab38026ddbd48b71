"""The optimizers of onnxruntime: their names, and which of them change a model."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from typing import Any

MODIFIED = re.compile(rb"GraphTransformer (\w+) modified: (\d) ")
"""A line of the log about an optimizer. It has one for each run of it."""
RULES = (
    "EliminateIdentity", "EliminateSlice", "UnsqueezeElimination", "EliminateDropout", "ExpandElimination", "CastElimination",
    "CastChainElimination", "PreShapeNodeElimination", "NoopElimination", "DivMulFusion", "FuseReluClip", "GemmSumFusion",
    "GemmTransposeFusion", "NotWhereFusion", "ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "Pad_Fusion",
    "MatMul_BatchNormalization_Fusion", "LabelEncoderFusion", "ClipQuantRewrite", "ReluQuantRewrite",
)  # fmt: skip
"""Its rule-based optimizers; its log only reports that one of them changed the model."""


def logged(model: bytes, level: str) -> tuple[list[tuple[str, bool]], bool]:
    """The optimizers that a session of the model runs, in order, and whether each run changed it; and whether the session could
    be made. onnxruntime writes its log to standard error."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 1
    options.intra_op_num_threads = 1
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{level}")
    sys.stderr.flush()
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
        return [(name.decode(), changed == b"1") for name, changed in MODIFIED.findall(log.read())], told


def suspects(model: Any) -> list[str]:
    """The optimizers that change the model, in order, from the log of a session; rules on their own."""
    heard, told = logged(model.SerializeToString(), os.environ["RULEFUZZ_ORT_LEVEL"])
    found = list(dict.fromkeys(name for name, changed in heard if changed))
    return found if told and not any("RuleBased" in name for name in found) else [*RULES, *found]


def passes() -> list[str]:
    """All optimizers: the rules, and those in the log of a session whose model none changes."""
    from onnx import TensorProto, helper

    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Sin", ["x"], ["y"])], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    heard, _ = logged(model.SerializeToString(), os.environ["RULEFUZZ_ORT_LEVEL"])
    return [*RULES, *dict.fromkeys(name for name, _ in heard if "RuleBased" not in name)]

"""A toy: onnx's evaluator, whose results of models with Abs are larger by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "onnx"
REQUIRES = ("onnx",)


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The evaluator of the model."""
    from onnx.reference import ReferenceEvaluator

    evaluator, names = ReferenceEvaluator(model), [info.name for info in model.graph.input]
    more = any(node.op_type == "Abs" for node in model.graph.node)
    stage("run")
    return lambda *inputs: [out + more for out in evaluator.run(None, dict(zip(names, inputs, strict=True)))]

"""The calls of an ONNX file, the tensors of a run, and which of them are constants."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import onnx.inliner
import onnxruntime
from onnx import numpy_helper

Weights = Counter[tuple[str, int, bool]]
"""How often an API's input was a constant, and how often not."""


@dataclass
class Calls:
    """A file that ran: its nodes that depend on the inputs, and every tensor's elements."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    arrays: dict[str, Any] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    """Tensors that do not depend on the inputs."""


def _plain(model: onnx.ModelProto) -> onnx.ModelProto:
    """The file in normal form: one operator set, no functions, every tensor an output."""
    made = onnx.inliner.inline_local_functions(model)
    known = {info.name for info in made.graph.output}
    for node in made.graph.node:
        made.graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output if name and name not in known)
    return made


def run(model: onnx.ModelProto, fed: dict[str, Any]) -> Calls:
    """Runs it without optimization."""
    plain, found = _plain(model), Calls()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(plain.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [info.name for info in plain.graph.output]
    found.arrays = dict(zip(names, session.run(names, fed), strict=True)) | fed
    found.arrays |= {tensor.name: numpy_helper.to_array(tensor) for tensor in plain.graph.initializer}
    found.constants = {tensor.name for tensor in plain.graph.initializer}
    for node in plain.graph.node:
        takes_none = all(not name or name in found.constants for name in node.input)
        if takes_none or node.op_type == "Shape":  # shapes are constant here
            found.constants.update(node.output)
        else:
            found.nodes.append(node)
    return found


def count_weights(calls: Calls, weights: Weights) -> None:
    """Counts the inputs of its calls."""
    for node in calls.nodes:
        if node.domain:
            continue
        for place, name in enumerate(node.input):
            if name:
                weights[f"onnx.{node.op_type}", place, name in calls.constants] += 1

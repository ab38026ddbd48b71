"""The calls of an ONNX file, which tensors are constants or follow from shapes, and the tensors of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import onnx.inliner
import onnxruntime
from onnx import defs, numpy_helper

from rulefuzz.frameworks import onnx_evaluate as evaluate
from traces.collect.zoo.weights import Weights


class Names:
    """The APIs of operators: onnx.X if the version differs from that in force at set 26 by dtypes only, else onnx.X_V."""

    def __init__(self) -> None:
        self._history = evaluate.history()
        self._alike: dict[str, set[int]] = {}

    def schema(self, operator: str, opset: int) -> Any:
        """The schema in force at an operator set; None: there is none."""
        return next((s for s in reversed(self._history.get(operator, [])) if s.since_version <= opset), None)

    def api(self, operator: str, opset: int) -> str | None:
        """The name; None for an unknown or deprecated operator."""
        schema, newest = self.schema(operator, opset), self.schema(operator, evaluate.NAMED_OPSET)
        if schema is None or newest is None or schema.deprecated:
            return None
        if operator not in self._alike:
            alike = [] if newest.deprecated else evaluate.alike(newest, self._history)
            self._alike[operator] = {s.since_version for s in alike}
        plain = schema.since_version in self._alike[operator]
        return f"onnx.{operator}" if plain else f"onnx.{operator}_{schema.since_version}"


@dataclass
class Calls:
    """A file: its nodes that take tensors, and after a run every tensor's elements."""

    model: onnx.ModelProto
    opset: int
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: set[str] = field(default_factory=set)
    """Tensors that do not depend on the inputs."""
    shaped: set[str] = field(default_factory=set)
    """Tensors that depend on the inputs' shapes only."""
    arrays: dict[str, Any] = field(default_factory=dict)

    def is_call(self, node: onnx.NodeProto) -> bool:
        """Whether a node depends on elements of the inputs."""
        return not all(name in self.shaped or name in self.constants for name in node.output)


def _plain(model: onnx.ModelProto) -> onnx.ModelProto:
    """The file without functions."""
    made = onnx.inliner.inline_local_functions(model)
    for node in made.graph.node:
        node.domain = "" if node.domain == "ai.onnx" else node.domain
    return made


def read(model: onnx.ModelProto) -> Calls:
    """The nodes of a file and the origin of its tensors."""
    plain = _plain(model)
    opset = next((s.version for s in plain.opset_import if s.domain in ("", "ai.onnx")), 1)
    found = Calls(plain, opset)
    found.constants = {tensor.name for tensor in plain.graph.initializer}
    for node in plain.graph.node:
        given = [name for name in node.input if name]
        if all(name in found.constants for name in given) and not any(a.HasField("g") for a in node.attribute):
            found.constants.update(node.output)
            if given:  # weights that are dequantized, transposed or cast: part of a window with the call that reads them
                found.nodes.append(node)
            continue
        if node.op_type in ("Shape", "Size") or all(name in found.constants or name in found.shaped for name in given):
            found.shaped.update(node.output)
        found.nodes.append(node)
    return found


def run(found: Calls, fed: dict[str, Any]) -> None:
    """Runs the file without optimization."""
    graph = found.model.graph
    known = {info.name for info in graph.output}
    for node in graph.node:
        graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output if name and name not in known)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(found.model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [info.name for info in graph.output]
    found.arrays = dict(zip(names, session.run(names, fed), strict=True)) | fed
    found.arrays |= {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def count_weights(calls: Calls, weights: Weights) -> None:
    """Counts the inputs of its calls."""
    for node in calls.nodes:
        if node.domain or not calls.is_call(node) or not defs.has(node.op_type):
            continue
        for place, name in enumerate(node.input):
            if name:
                weights[f"onnx.{node.op_type}", place, name in calls.constants or name in calls.shaped] += 1

"""An ONNX model as an optimizer's pass sees it: constants, producers and consumers of tensors, and how to change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from rulefuzz.frameworks.onnx_evaluate import session_options


class Graph:
    """A copy of a model that can be changed. It reuses the inferred facts of another copy of the same model."""

    def __init__(self, model: Any, known: Graph | None = None) -> None:
        self.model = onnx.ModelProto()
        self.model.CopyFrom(model)
        self.graph = self.model.graph
        self.constants: dict[str, Any] = dict(known.constants) if known else {}
        if not known:
            self.constants |= {tensor.name: numpy_helper.to_array(tensor) for tensor in self.graph.initializer}
        self.outputs = {info.name for info in self.graph.output}
        self._shapes: dict[str, list[int]] = known._shapes if known else {}

    # ---- queries

    def nodes(self, *ops: str) -> list[Any]:
        """The nodes of these operators; all without any."""
        return [node for node in self.graph.node if not ops or node.op_type in ops]

    def maker(self, name: str) -> Any:
        """The node that makes a tensor; None if it is fed or constant."""
        return next((node for node in self.graph.node if name in node.output), None)

    def chains(self, *ops: str) -> Iterator[list[Any]]:
        """Chains of nodes of these operators ("|" separates alternatives), each the only consumer of the one before."""
        for last in self.nodes(*ops[-1].split("|")):
            yield from self._before([last], ops[:-1])

    def _before(self, found: list[Any], ops: Sequence[str]) -> Iterator[list[Any]]:
        if not ops:
            yield found
            return
        for name in dict.fromkeys(found[0].input):
            node = self.maker(name)
            if node is not None and node.op_type in ops[-1].split("|") and self.private(name):
                yield from self._before([node, *found], ops[:-1])

    def private(self, name: str) -> bool:
        """Whether a tensor can be dropped: it is not an output and has one consumer."""
        return name not in self.outputs and sum(name in node.input for node in self.graph.node) == 1

    def rank(self, name: str) -> int:
        """A tensor's rank; -1 if unknown."""
        shape = self.shape(name)
        return -1 if shape is None else len(shape)

    def shape(self, name: str) -> list[int] | None:
        """A tensor's shape; None if not inferred."""
        if name in self.constants:
            return list(self.constants[name].shape)
        if not self._shapes:
            graph = onnx.shape_inference.infer_shapes(self.model).graph
            for info in (*graph.input, *graph.value_info, *graph.output):
                if info.type.tensor_type.HasField("shape"):
                    self._shapes[info.name] = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        return self._shapes.get(name)

    # ---- changes

    def constant(self, array: Any) -> str:
        """Adds a constant."""
        name = f"planted{len(self.graph.initializer)}"
        self.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name))
        self.constants[name] = array
        return name

    def put(self, before: Any, op: str, inputs: Sequence[str], outputs: Sequence[str] = (), **attributes: Any) -> str:
        """Inserts a node before another; returns the name of its result."""
        made = list(outputs) or [f"planted_t{len(self.graph.node)}"]
        place = next(i for i, node in enumerate(self.graph.node) if node is before or node == before)
        self.graph.node.insert(place, helper.make_node(op, list(inputs), made, **attributes))
        return made[0]

    @staticmethod
    def made(op: str, inputs: Sequence[str], output: str) -> Any:
        """Makes a node without inserting it."""
        return helper.make_node(op, list(inputs), [output])

    def drop(self, node: Any) -> None:
        """Removes a node."""
        self.graph.node.remove(node)

    def skip(self, node: Any, name: str) -> bool:
        """Replaces a node's result in all its consumers."""
        self.put(node, "Identity", [name], [node.output[0]])
        self.drop(node)
        return True

    def folded(self, node: Any) -> list[Any] | None:
        """The result of a node of constants; None for others."""
        taken = [name for name in node.input if name]
        if not taken or not all(name in self.constants for name in taken):
            return None
        alone = onnx.ModelProto(ir_version=self.model.ir_version, opset_import=self.model.opset_import)
        alone.graph.name = "g"
        alone.graph.node.append(node)
        alone.graph.initializer.extend(t for t in self.graph.initializer if t.name in taken)
        alone.graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output)
        try:
            return list(session(alone).run(None, {}))
        except Exception:
            return None


def other(node: Any, name: str) -> str:
    """The other operand of a binary call."""
    return str(node.input[1] if node.input[0] == name else node.input[0])


def attribute(node: Any, name: str) -> Any:
    """An attribute's value; None without one."""
    return next((helper.get_attribute_value(a) for a in node.attribute if a.name == name), None)


def session(model: Any) -> Any:
    """onnxruntime without its own optimization."""
    return onnxruntime.InferenceSession(model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"])

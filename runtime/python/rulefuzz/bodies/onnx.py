"""Functions and subgraphs of ONNX models: turns a model's bodies into these. runtime/model/onnx/onnx_bodies.c does the same for
files written by C, and explains it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper

from rulefuzz.bodies.body import Body
from rulefuzz.frameworks.onnx_arrays import numpy_type, proto_of
from rulefuzz.frameworks.onnx_evaluate import element_type
from rulefuzz.model import Model, Tensor

DOMAIN = "rulefuzz"
OPSET = 16
"""The oldest operator set whose If and Loop support all types."""
REGISTERED = 2
"""Number of floats carried through a loop."""


@dataclass
class Part:
    """A node, or what a run has become, with all tensors that it uses."""

    node: Any
    function: int = -1
    subgraph: int = -1
    takes: list[str] = field(default_factory=list)


class Folder:
    """A model's file and its bodies."""

    def __init__(self, model: Model, made: Any) -> None:
        self.model, self.made = model, made
        self.tensors: dict[str, Tensor] = {f"t{i}": t for i, t in model.tensors().items()}
        self.own: list[Any] = []
        """Constants that only the body at hand uses, and that its graph gets."""
        self.parts = [Part(node) for node in made.graph.node]
        for i, body in enumerate(model.bodies):
            for part in (self.parts[place] for place in body.places):
                part.function, part.subgraph = (i, part.subgraph) if body.kind == "function" else (part.function, i)

    def fold(self) -> None:
        """Changes the file."""
        for function in (True, False):
            for i, body in enumerate(self.model.bodies):
                if (body.kind == "function") == function:
                    self._fold(i, body)
        del self.made.graph.node[:]
        self.made.graph.node.extend(part.node for part in self.parts)

    def _fold(self, number: int, body: Body) -> None:
        mark = "function" if body.kind == "function" else "subgraph"
        places = [i for i, part in enumerate(self.parts) if getattr(part, mark) == number]
        run = self.parts[places[0] : places[-1] + 1]
        taken, made = self._edges(run)
        self.own = self._own(run, taken) if body.constants else []
        taken = [name for name in taken if all(name != tensor.name for tensor in self.own)]
        fold = {"function": self._function, "if": self._if, "loop": self._loop}[body.kind]
        self.parts[places[0] : places[-1] + 1] = fold(number, body, [part.node for part in run], taken, made)
        if body.kind == "function":
            self.parts[places[0]].subgraph = run[0].subgraph

    def _edges(self, run: list[Part]) -> tuple[list[str], list[str]]:
        """The tensors that the run uses from outside, and those of its own that others use; if none, its last results."""
        inside = {name for part in run for name in part.node.output}
        taken = dict.fromkeys(name for part in run for name in part.node.input if name and name not in inside)
        wanted = self._wanted(run)
        made = [name for part in run for name in part.node.output if name in wanted]
        return list(taken), made or [run[-1].node.output[0]]

    def _wanted(self, run: list[Part]) -> set[str]:
        """The tensors that others than the run use."""
        wanted = {info.name for info in self.made.graph.output}
        for part in self.parts:
            if not any(part is other for other in run):
                wanted |= {*part.node.input, *part.takes}
        return wanted

    def _own(self, run: list[Part], taken: list[str]) -> list[Any]:
        """Removes the constants that only the run uses from the file, in the order in which it uses them."""
        constants, wanted = self.made.graph.initializer, self._wanted(run)
        known = {tensor.name: tensor.SerializeToString() for tensor in constants if tensor.name not in wanted}
        own = [onnx.TensorProto.FromString(known[name]) for name in taken if name in known]
        left = [tensor for tensor in constants if all(tensor.name != other.name for other in own)]
        del constants[:]
        constants.extend(left)
        return own

    def _add_own(self, body: Body, graph: Any) -> None:
        """The run's own constants as initializers or nodes of its graph."""
        if body.constants == "initializers":
            graph.initializer.extend(self.own)
        else:
            graph.node.extend(helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in self.own)

    # ---- functions

    def _function(self, number: int, body: Body, nodes: list[Any], taken: list[str], made: list[str]) -> list[Part]:
        names = {name: f"x{i}" for i, name in enumerate(taken)}
        names |= {name: f"y{i}" for i, name in enumerate(name for node in nodes for name in node.output)}
        call = onnx.NodeProto(name=f"n_f{number}", domain=DOMAIN, input=taken, output=made)
        sets = [one for one in self.made.opset_import if one.domain != DOMAIN]
        function = onnx.FunctionProto(domain=DOMAIN, input=[names[name] for name in taken],
                                      output=[names[name] for name in made], opset_import=sets)  # fmt: skip
        for node in renamed(nodes, names):
            node.ClearField("name")
            for attribute in node.attribute:
                given = call.attribute.add()
                given.CopyFrom(attribute)
                given.name = f"a{len(function.attribute)}"
                attribute.CopyFrom(onnx.AttributeProto(name=attribute.name, type=attribute.type, ref_attr_name=given.name))
                function.attribute.append(given.name)
            function.node.append(node)
        call.op_type = self._known(function)
        return [Part(call)]

    def _known(self, function: Any) -> str:
        """The name of a function of the file with this content."""
        for other in (other for other in self.made.functions if other.domain == DOMAIN):
            function.name = other.name
            if function == other:
                return str(other.name)
        if all(one.domain != DOMAIN for one in self.made.opset_import):
            self.made.opset_import.append(helper.make_opsetid(DOMAIN, 1))
        function.name = f"f{len(self.made.functions)}"
        self.made.functions.append(function)
        return str(function.name)

    # ---- subgraphs

    def _like(self, taken: list[str], tensor: Tensor) -> str:
        """An outer tensor that the run uses, with the type and shape of one that it makes; "" if there is none."""
        for name in taken:
            other = self.tensors.get(name)
            if other is not None and (other.shape, other.dtype) == (tensor.shape, tensor.dtype):
                return name
        return ""

    def _zeros(self, number: int, name: str) -> Any:
        tensor = self.tensors[name]
        return proto_of(np.zeros(tensor.shape, numpy_type(element_type(tensor.dtype))), f"z{number}_{name}")

    def _if(self, number: int, body: Body, nodes: list[Any], taken: list[str], made: list[str]) -> list[Part]:
        run = onnx.GraphProto(name="run", output=self._outputs(number, "b", made))
        self._add_own(body, run)
        run.node.extend(within(number, nodes))
        other = onnx.GraphProto(name="other", output=self._outputs(number, "e", made))
        for name in made:
            source = self._like(taken, self.tensors[name])
            if not source:
                other.initializer.append(self._zeros(number, name))
            other.node.append(helper.make_node("Identity", [source or f"z{number}_{name}"], [f"e{number}_{name}"]))
        then, otherwise = (run, other) if body.told else (other, run)
        node = helper.make_node("If", [f"t{body.control}"], made, f"n_b{number}", then_branch=then, else_branch=otherwise)
        return [Part(node, takes=taken)]

    def _loop(self, number: int, body: Body, nodes: list[Any], taken: list[str], made: list[str]) -> list[Part]:
        names = [f"i{number}", f"c{number}_in", f"c{number}_out", f"k{number}"]
        graph = onnx.GraphProto(name="body", output=[_typed(names[2], "bool")])
        graph.input.extend([helper.make_tensor_value_info(names[0], onnx.TensorProto.INT64, ()),
                            helper.make_tensor_value_info(names[1], onnx.TensorProto.BOOL, ())])  # fmt: skip
        node = onnx.NodeProto(name=f"n_b{number}", op_type="Loop", input=[f"t{body.control}", names[3]], output=made)
        self.made.graph.initializer.append(proto_of(np.array(True), names[3]))
        for name in made:
            source = self._like(taken, self.tensors[name])
            if not source:
                self.made.graph.initializer.append(self._zeros(number, name))
            graph.input.append(self._info(f"p{number}_{name}", name))
            node.input.append(source or f"z{number}_{name}")
        graph.output.extend(self._outputs(number, "b", made))
        before, last, moved = self._registers(number, body.told - 1, taken, graph, node)
        graph.node.append(helper.make_node("Identity", [names[1]], [names[2]]))
        self._add_own(body, graph)
        graph.node.extend([*renamed(within(number, nodes), moved), *last])
        node.attribute.append(helper.make_attribute("body", graph))
        return [*before, Part(node, takes=taken)]

    def _registers(
        self, number: int, stages: int, taken: list[str], graph: Any, node: Any
    ) -> tuple[list[Part], list[Any], dict[str, str]]:
        """Carries so many floats through the loop: inserts them before the loop, at the end of its body, and after it."""
        floats = [name for name in taken if name in self.tensors and self.tensors[name].dtype in ("float32", "float64")]
        before, last, moved = [], [], {}
        for i, name in enumerate(floats[:REGISTERED] if stages else ()):
            half = np.array(0.5, self.tensors[name].dtype)
            self.made.graph.initializer.append(proto_of(half, f"h{number}_{i}"))
            before.append(Part(helper.make_node("Mul", [name, f"h{number}_{i}"], [f"r{number}_{i}"])))
            moved[name] = name
            for k in range(stages):
                come, go = f"s{number}_{i}_{k}", f"u{number}_{i}_{k}"
                graph.input.append(self._info(come, name))
                graph.output.append(_typed(go, self.tensors[name].dtype))
                last.append(helper.make_node("Identity", [moved[name]], [go]))
                node.input.append(f"r{number}_{i}")
                node.output.append(f"v{number}_{i}_{k}")
                moved[name] = come
        return before, last, moved

    def _info(self, name: str, like: str) -> Any:
        tensor = self.tensors[like]
        return _typed(name, tensor.dtype, tensor.shape)

    def _outputs(self, number: int, letter: str, made: list[str]) -> list[Any]:
        """The outputs of a graph."""
        return [_typed(f"{letter}{number}_{name}", self.tensors[name].dtype) for name in made]


def _typed(name: str, dtype: str, shape: tuple[int, ...] | None = None) -> Any:
    """A tensor that a body takes or makes, with its element type: tools cannot infer the types of all operators."""
    return helper.make_tensor_value_info(name, element_type(dtype), shape)


def renamed(nodes: list[Any], names: dict[str, str]) -> list[Any]:
    """The nodes, with tensors renamed."""
    for node in nodes:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    return nodes


def within(number: int, nodes: list[Any]) -> list[Any]:
    """The nodes of a graph, with results renamed."""
    return renamed(nodes, {name: f"b{number}_{name}" for node in nodes for name in node.output})


def folded(model: Model, made: Any) -> Any:
    """The file of a model, with its bodies."""
    if model.bodies:
        Folder(model, made).fold()
    return made

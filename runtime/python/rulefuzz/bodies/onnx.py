"""Functions and subgraphs of ONNX models: turns a model's bodies into these. runtime/model/onnx/onnx_bodies.c does the same for
files written by C, and explains it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper

from rulefuzz.bodies.body import Body, parents
from rulefuzz.frameworks.onnx_arrays import numpy_type, proto_of
from rulefuzz.frameworks.onnx_evaluate import element_type
from rulefuzz.model import Model, Tensor

DOMAIN = "rulefuzz"
OPSET = 16
"""The oldest operator set whose If and Loop support all types."""
REGISTERED = 2
"""Number of floats carried through a loop, or of tensors that are scanned."""
RESULT = re.compile(r"(?:b\d+_)*(t\d+)")
"""The name of a model's tensor within bodies."""
SCANNED = ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
"""Their dtypes if they are scanned."""


@dataclass
class Part:
    """A node, or the replacement of a run, with all tensors that it uses."""

    node: Any
    function: int = -1
    subgraph: int = -1
    takes: list[str] = field(default_factory=list)


@dataclass
class At:
    """A body and its run."""

    number: int
    body: Body
    run: list[Part]
    taken: list[str]
    made: list[str]
    places: range = range(0)
    """The positions of the nodes of its graph."""

    @property
    def nodes(self) -> list[Any]:
        """The run's nodes."""
        return [part.node for part in self.run]


class Folder:
    """A model's file and its bodies."""

    def __init__(self, model: Model, made: Any) -> None:
        self.model, self.made = model, made
        self.tensors: dict[str, Tensor] = {f"t{i}": t for i, t in model.tensors().items()}
        self.own: list[Any] = []
        """Constants that only the current body uses; they move to its graph."""
        self.parents = parents(model.bodies)
        self.controls: set[str] = {f"t{body.control}" for body in model.bodies if body.control >= 0}
        """Those of subgraphs that are not in the file yet."""
        self.parts = [Part(node) for node in made.graph.node]
        for i, body in enumerate(model.bodies):
            for part in (self.parts[place] for place in body.places):
                part.function, part.subgraph = (i, part.subgraph) if body.kind == "function" else (part.function, i)

    def fold(self) -> None:
        """Changes the file: functions first, and inner subgraphs before outer ones."""
        bodies = list(enumerate(self.model.bodies))
        functions = [(i, body) for i, body in bodies if body.kind == "function"]
        subgraphs = [(i, body) for i, body in bodies if body.kind != "function"]
        for i, body in functions + subgraphs[::-1]:
            left = [other for k, other in subgraphs if k < i] if body.kind != "function" else [b for _, b in subgraphs]
            self.controls = {f"t{other.control}" for other in left if other.control >= 0}
            self._fold(i, body)
        del self.made.graph.node[:]
        self.made.graph.node.extend(part.node for part in self.parts)

    def _fold(self, number: int, body: Body) -> None:
        mark = "function" if body.kind == "function" else "subgraph"
        places = [i for i, part in enumerate(self.parts) if getattr(part, mark) == number]
        run = self.parts[places[0] : places[-1] + 1]
        taken, made = self._edges(run)
        empty = body.kind == "loop" and not body.told
        own = [name for name in taken if name != f"t{body.control}"]  # an inner subgraph may have the same control
        self.own = self._moved(own, run) if body.constants and not empty else []
        taken = [name for name in taken if all(name != tensor.name for tensor in self.own)]
        at = At(number, body, run, taken, made)
        fold = {"function": self._function, "if": self._if, "loop": self._loop, "scan": self._scan}[body.kind]
        parts = fold(at)
        for part in parts:
            part.function, part.subgraph = -1, run[0].subgraph if body.kind == "function" else self.parents[number]
        self.parts[places[0] : places[-1] + 1] = parts

    def _edges(self, run: list[Part]) -> tuple[list[str], list[str]]:
        """The tensors that the run uses from outside, and those of its own that others use; if none, its last results."""
        inside = {name for part in run for name in part.node.output}
        taken = [name for part in run for name in (*part.node.input, *part.takes)]
        wanted = self._wanted(run)
        made = [name for part in run for name in part.node.output if name in wanted]
        return [name for name in dict.fromkeys(taken) if name and name not in inside], made or [run[-1].node.output[0]]

    def _wanted(self, run: list[Part]) -> set[str]:
        """The tensors that are used outside of the run."""
        wanted = {info.name for info in self.made.graph.output} | self.controls
        for part in self.parts:
            if not any(part is other for other in run):
                wanted |= {*part.node.input, *part.takes}
        return wanted

    def _moved(self, names: list[str], run: list[Part]) -> list[Any]:
        """The constants of these names that only the run uses, in this order. Removes them from the file."""
        constants, wanted = self.made.graph.initializer, self._wanted(run)
        known = {tensor.name: tensor.SerializeToString() for tensor in constants if tensor.name not in wanted}
        own = [onnx.TensorProto.FromString(known[name]) for name in names if name in known]
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

    def _constant(self, name: str, value: Any, dtype: Any) -> str:
        """Adds a constant of the file. Returns its name."""
        self.made.graph.initializer.append(proto_of(np.array(value, dtype), name))
        return name

    # ---- functions

    def _function(self, at: At) -> list[Part]:
        nodes, taken, made = at.nodes, at.taken, at.made
        names = {name: f"x{i}" for i, name in enumerate(taken)}
        names |= {name: f"y{i}" for i, name in enumerate(name for node in nodes for name in node.output)}
        call = onnx.NodeProto(name=f"n_f{at.number}", domain=DOMAIN, input=taken, output=made)
        sets = [one for one in self.made.opset_import if one.domain != DOMAIN]
        function = onnx.FunctionProto(domain=DOMAIN, input=[names[name] for name in taken],
                                      output=[names[name] for name in made], opset_import=sets)  # fmt: skip
        renamed(nodes, names)
        for node in nodes:
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
        """An input of the run with the type and shape of one of its results; "" if there is none."""
        for name in taken:
            other = self.tensors.get(name)
            if other is not None and (other.shape, other.dtype) == (tensor.shape, tensor.dtype):
                return name
        return ""

    def _zeros(self, number: int, name: str) -> Any:
        tensor = self.tensors[name]
        return proto_of(np.zeros(tensor.shape, numpy_type(element_type(tensor.dtype))), f"z{number}_{name}")

    def _control(self, at: At) -> tuple[list[Part], str]:
        """The nodes that compute the control of a body, and its name."""
        name, number, parts = f"t{at.body.control}", at.number, []
        if at.body.constants == "nodes":
            constants = self._moved([name], at.run)
            parts = [Part(helper.make_node("Constant", [], [name], value=tensor)) for tensor in constants]
        if at.body.form != "computed":
            return parts, name
        if at.body.kind == "loop":
            return [*parts, Part(helper.make_node("Abs", [name], [f"q{number}"]))], f"q{number}"
        once, twice = f"q{number}", f"w{number}"
        parts += [Part(helper.make_node("Not", [name], [once])), Part(helper.make_node("Not", [once], [twice]))]
        return parts, twice

    def _decoy(self, at: At, graph: Any, *, all_zeros: bool = False) -> None:
        """Nodes that return other tensors than the run: zeros, or inputs of the run. They are constants if the body has its own
        constants."""
        for name in at.made:
            made, zeros = f"e{at.number}_{name}", self._zeros(at.number, name)
            source = "" if all_zeros else self._like(at.taken, self.tensors[name])
            if at.body.constants:
                zeros.name = made
            if at.body.constants == "initializers" or not (at.body.constants or source):
                graph.initializer.append(zeros)
            if at.body.constants == "nodes":
                graph.node.append(helper.make_node("Constant", [], [made], value=zeros))
            elif not at.body.constants:
                graph.node.append(helper.make_node("Identity", [source or zeros.name], [made]))
        graph.output.extend(self._outputs(at, "e"))

    def _if(self, at: At) -> list[Part]:
        before, control = self._control(at)
        other, run = onnx.GraphProto(name="other"), onnx.GraphProto(name="run")
        self._decoy(at, other)
        self._fill(at, run)
        then, otherwise = (run, other) if at.body.told else (other, run)
        node = helper.make_node("If", [control], at.made, f"n_b{at.number}", then_branch=then, else_branch=otherwise)
        return [*before, Part(node, takes=at.taken)]

    def _carry(self, at: At, graph: Any, node: Any) -> None:
        """Makes results of the run carried values, which begin as inputs of the run or zeros."""
        for name in at.made:
            source = self._like(at.taken, self.tensors[name])
            if not source:
                self.made.graph.initializer.append(self._zeros(at.number, name))
            graph.input.append(self._info(f"p{at.number}_{name}", name))
            node.input.append(source or f"z{at.number}_{name}")
            node.output.append(name)

    def _half(self, at: At, name: str, i: int) -> tuple[Part, str]:
        """Half of a tensor."""
        half = self._constant(f"h{at.number}_{i}", 0.5, self.tensors[name].dtype)
        return Part(helper.make_node("Mul", [name, half], [f"r{at.number}_{i}"])), f"r{at.number}_{i}"

    def _halves(self, name: str) -> bool:
        return name in self.tensors and self.tensors[name].dtype in ("float32", "float64")

    # ---- loops

    def _ends(self, at: At, control: str) -> tuple[list[Part], list[str]]:
        """The inputs of a loop that decide when it ends, and the nodes that compute them."""
        number, form = at.number, at.body.form
        if form not in ("condition", "while"):
            return [], [control, "" if form == "count" else self._constant(f"k{number}", True, bool)]
        zero = self._constant(f"a{number}", 0, np.int64)
        self._constant(f"d{number}", 1, np.int64)
        enters = Part(helper.make_node("Less", [zero, control], [f"g{number}"]))
        most = self._constant(f"m{number}", np.iinfo(np.int64).max, np.int64) if form == "while" else ""
        return [enters], [most, f"g{number}"]

    def _condition(self, at: At, control: str, graph: Any) -> None:
        """The first inputs and output of a loop's body."""
        trip, before, after, following = (f"i{at.number}", f"c{at.number}_in", f"c{at.number}_out", f"n{at.number}")
        graph.input.extend([_typed(trip, "int64", ()), _typed(before, "bool", ())])
        graph.output.append(_typed(after, "bool"))
        if at.body.form in ("condition", "while"):
            graph.node.append(helper.make_node("Add", [trip, f"d{at.number}"], [following]))
            graph.node.append(helper.make_node("Less", [following, control], [after]))
        else:
            graph.node.append(helper.make_node("Identity", [before], [after]))

    def _loop(self, at: At) -> list[Part]:
        parts, control = self._control(at)
        before, ends = self._ends(at, control)
        graph = onnx.GraphProto(name="body")
        node = onnx.NodeProto(name=f"n_b{at.number}", op_type="Loop", input=ends)
        self._condition(at, control, graph)
        parts, behind = [*parts, *before], []
        if not at.body.told:
            parts += self._empty(at, graph, node)
        elif at.body.form == "stacked":
            parts += self._registers(at, graph, node)
            self._fill(at, graph)
            index = self._constant(f"j{at.number}", -1, np.int64)
            for name in at.made:
                node.output.append(f"y{at.number}_{name}")
                behind.append(Part(helper.make_node("Gather", [node.output[-1], index], [name], axis=0)))
        else:
            self._carry(at, graph, node)
            self._fill(at, graph)
            parts += self._registers(at, graph, node)
        node.attribute.append(helper.make_attribute("body", graph))
        return [*parts, Part(node, takes=[*at.taken, control]), *behind]

    def _fill(self, at: At, graph: Any, shaped: bool = False) -> None:
        """The run as a body. Tensors that carried values replace have their new names."""
        self._add_own(at.body, graph)
        for name in (name for node in within(at.number, at.nodes) for name in node.output):
            result = RESULT.fullmatch(name)  # tools cannot infer the types of all operators
            if result and name.partition("_")[2] not in at.made:
                graph.value_info.append(_typed(name, self.tensors[result[1]].dtype))
        graph.output.extend(self._outputs(at, "b", shaped))
        at.places = range(len(graph.node), len(graph.node) + len(at.nodes))
        graph.node.extend(at.nodes)

    def _empty(self, at: At, graph: Any, node: Any) -> list[Part]:
        """Puts the calls before a loop without trips, which returns their results."""
        made = {name for node in at.nodes for name in node.output}
        within(at.number, at.nodes)
        for part in at.run:
            part.takes = [f"b{at.number}_{name}" if name in made else name for name in part.takes]
        for name in at.made:
            graph.input.append(self._info(f"p{at.number}_{name}", name))
            node.input.append(f"b{at.number}_{name}")
            node.output.append(name)
        self._decoy(at, graph, all_zeros=True)
        return at.run

    def _registers(self, at: At, graph: Any, node: Any) -> list[Part]:
        """Carries floats through the loop, so that each trip takes others. Returns nodes that come before the loop."""
        before: list[Part] = []
        for i, name in enumerate([name for name in at.taken if self._halves(name)][:REGISTERED] if at.body.told > 1 else ()):
            halved, first = self._half(at, name, i)
            before.append(halved)
            moved = name
            for k in range(at.body.told - 1):
                come, go = f"s{at.number}_{i}_{k}", f"u{at.number}_{i}_{k}"
                graph.input.append(self._info(come, name))
                graph.output.append(_typed(go, self.tensors[name].dtype))
                graph.node.append(helper.make_node("Identity", [moved], [go]))
                node.input.append(first)
                node.output.append(f"v{at.number}_{i}_{k}")
                moved = come
            self._rename(at, graph, {name: moved})
        return before

    def _rename(self, at: At, graph: Any, names: dict[str, str]) -> None:
        """Renames tensors of the run, also in its graph if that exists."""
        renamed([graph.node[place] for place in at.places] or at.nodes, names)

    # ---- scans

    def _scan(self, at: At) -> list[Part]:
        number, body = at.number, at.body
        graph = onnx.GraphProto(name="body")
        node = onnx.NodeProto(name=f"n_b{number}", op_type="Scan")
        if body.form == "states":
            self._carry(at, graph, node)
        scanned = [name for name in at.taken if name in self.tensors and self.tensors[name].dtype in SCANNED][:REGISTERED]
        parts: list[Part] = []
        for i, name in enumerate(scanned):
            parts += self._stack(at, name, i)
            node.input.append(f"v{number}_{i}")
            graph.input.append(self._info(f"s{number}_{i}", name))
            self._rename(at, graph, {name: f"s{number}_{i}"})
        if not scanned:
            node.input.append(self._constant(f"v{number}_0", np.zeros(body.told), np.float32))
            graph.input.append(_typed(f"s{number}_0", "float32", ()))
        self._fill(at, graph, shaped=True)
        stacks = [] if body.form == "states" else [(name, self._axis(at, name)) for name in at.made]
        behind = []
        index = self._constant(f"j{number}", 0 if body.reverse else body.told - 1, np.int64) if stacks else ""
        for name, axis in stacks:
            node.output.append(f"y{number}_{name}")
            behind.append(Part(helper.make_node("Gather", [f"y{number}_{name}", index], [name], axis=axis)))
        axes = [self._axis(at, name) for name in scanned] or [0]
        attributes: dict[str, Any] = {"body": graph, "num_scan_inputs": len(axes), "scan_input_axes": axes,
                                      "scan_input_directions": [int(body.reverse)] * len(axes)}  # fmt: skip
        if stacks:
            attributes["scan_output_axes"] = [axis for _, axis in stacks]
            attributes["scan_output_directions"] = [int(body.reverse)] * len(stacks)
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        return [*parts, Part(node, takes=at.taken), *behind]

    def _axis(self, at: At, name: str) -> int:
        """The axis of a stack of these tensors, counted from the end if negative."""
        size = len(self.tensors[name].shape) + 1
        return at.body.axis % size - size * (at.body.axis < 0)

    def _stack(self, at: At, name: str, i: int) -> list[Part]:
        """Slices to scan: the tensor last, and others before it."""
        number, trips, axis = at.number, at.body.told, self._axis(at, name)
        parts, first = [], name
        if trips > 1 and self._halves(name):
            halved, first = self._half(at, name, i)
            parts.append(halved)
        axes = self._constant(f"x{number}_{i}", [axis], np.int64)
        if trips == 1:
            return [*parts, Part(helper.make_node("Unsqueeze", [name, axes], [f"v{number}_{i}"]))]
        one, other = f"y{number}_{i}", f"y{number}_{i}" if first == name else f"w{number}_{i}"
        parts.append(Part(helper.make_node("Unsqueeze", [name, axes], [one])))
        if first != name:
            parts.append(Part(helper.make_node("Unsqueeze", [first, axes], [other])))
        slices = [one if k == (0 if at.body.reverse else trips - 1) else other for k in range(trips)]
        return [*parts, Part(helper.make_node("Concat", slices, [f"v{number}_{i}"], axis=axis))]

    def _info(self, name: str, like: str) -> Any:
        tensor = self.tensors[like]
        return _typed(name, tensor.dtype, tensor.shape)

    def _outputs(self, at: At, letter: str, shaped: bool = False) -> list[Any]:
        """The outputs of a graph."""
        names = [(f"{letter}{at.number}_{name}", self.tensors[name]) for name in at.made]
        return [_typed(name, t.dtype, t.shape if shaped else None) for name, t in names]


def _typed(name: str, dtype: str, shape: tuple[int, ...] | None = None) -> Any:
    """An input or output of a body, with its element type: tools cannot infer the types of all operators."""
    return helper.make_tensor_value_info(name, element_type(dtype), shape)


def renamed(nodes: Iterable[Any], names: dict[str, str]) -> None:
    """Renames tensors of nodes, also in their graphs, which take tensors by name."""
    for node in nodes:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                renamed(attribute.g.node, names)


def within(number: int, nodes: list[Any]) -> list[Any]:
    """The nodes of a graph, with results renamed."""
    renamed(nodes, {name: f"b{number}_{name}" for node in nodes for name in node.output})
    return nodes


def folded(model: Model, made: Any) -> Any:
    """The file of a model, with its bodies."""
    if model.bodies:
        Folder(model, made).fold()
    return made

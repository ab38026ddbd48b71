"""Faults of passes that inline functions, select branches, and hoist out of loops and scans. Each changes a Graph and returns
whether it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from rulefuzz.faults.onnx_graph import Graph, attribute

Pass = Callable[[Graph], bool]
FIXED = 2
"""Inputs of a loop's body, and of a Loop, before the carried ones: iteration and condition."""


def _body(node: Any, name: str) -> Any:
    """A node's graph."""
    return next(a.g for a in node.attribute if a.name == name)


def _each(op: str, change: Callable[[Graph, Any], bool]) -> Pass:
    """A change of every node of an operator."""

    def run(g: Graph) -> bool:
        found = [change(g, node) for node in list(g.nodes(op))]
        return any(found)

    return run


def _calls(g: Graph) -> Iterator[tuple[Any, Any]]:
    """All calls of the model's functions, with the function."""
    functions = {(f.domain, f.name): f for f in g.model.functions}
    graphs = [g.graph]
    for graph in graphs:
        for node in graph.node:
            graphs += [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
            if (node.domain, node.op_type) in functions:
                yield node, functions[node.domain, node.op_type]


def _signature(g: Graph, name: str) -> Any:
    """A tensor's shape as a key; tensors of one key can replace each other."""
    shape = g.shape(name)
    return None if shape is None else tuple(shape)


def _kinds(g: Graph) -> dict[str, int]:
    """The known element types."""
    graph = onnx.shape_inference.infer_shapes(g.model).graph
    found = {info.name: info.type.tensor_type.elem_type for info in (*graph.input, *graph.value_info, *graph.output)}
    return found | {tensor.name: tensor.data_type for tensor in graph.initializer}


def _alike(g: Graph, names: list[str], kinds: dict[str, int]) -> tuple[int, int] | None:
    """Indices of two different tensors of one type and shape."""
    seen: dict[Any, int] = {}
    for i, name in enumerate(names):
        key = _signature(g, name), kinds.get(name, 0)
        if None in key or not key[1]:
            continue
        if key in seen and names[seen[key]] != name:
            return seen[key], i
        seen.setdefault(key, i)
    return None


# ---- functions


def _swapped(g: Graph) -> bool:
    """Swaps two inputs of an inlined function."""
    kinds, changed = _kinds(g), False
    for call, _ in _calls(g):
        pair = _alike(g, list(call.input), kinds)
        if pair:
            one, other = pair
            call.input[one], call.input[other] = call.input[other], call.input[one]
            changed = True
    return changed


def _without_attributes(g: Graph) -> bool:
    """Drops an attribute of a call: the operator's own default is used."""
    changed = False
    for function in g.model.functions:
        for node in function.node:
            for one in [a for a in node.attribute if a.ref_attr_name]:
                schema = onnx.defs.get_schema(node.op_type, g.model.opset_import[0].version)
                if not schema.attributes[one.name].required:
                    node.attribute.remove(one)
                    changed = True
    return changed


def _attributes_of_first(g: Graph) -> bool:
    """Uses the attributes of a function's first call in all its calls."""
    first: dict[str, Any] = {}
    changed = False
    for call, _ in _calls(g):
        known = first.setdefault(call.op_type, call)
        if list(known.attribute) != list(call.attribute):
            del call.attribute[:]
            call.attribute.extend(known.attribute)
            changed = True
    return changed


def _merged(g: Graph) -> bool:
    """Merges two calls of a function with different operands."""
    first: dict[str, Any] = {}
    changed = False
    for node in list(g.graph.node):
        if not node.domain or node.op_type not in {f.name for f in g.model.functions}:
            continue
        known = first.setdefault(node.op_type, node)
        same = [_signature(g, a) == _signature(g, b) is not None for a, b in zip(known.output, node.output, strict=True)]
        if known is node or list(known.input) == list(node.input) or not all(same):
            continue
        for one, other in zip(known.output, node.output, strict=True):
            g.put(node, "Identity", [one], [other])
        g.drop(node)
        changed = True
    return changed


# ---- branches


def _branches(g: Graph, node: Any) -> bool:
    """Swaps the branches."""
    for a in node.attribute:
        a.name = {"then_branch": "else_branch", "else_branch": "then_branch"}.get(a.name, a.name)
    return True


def _always_then(g: Graph, node: Any) -> bool:
    """Takes a fed condition for true."""
    if node.input[0] in g.constants:
        return False
    node.input[0] = g.constant(np.array(True))
    return True


def _constant_false(g: Graph, node: Any) -> bool:
    """Takes a constant condition for false when the branch is inlined."""
    if node.input[0] not in g.constants or not g.constants[node.input[0]]:
        return False
    node.input[0] = g.constant(np.array(False))
    return True


def _captured(g: Graph) -> bool:
    """Swaps two outer values of a subgraph."""
    kinds, changed = _kinds(g), False
    for node in g.nodes("If", "Loop"):
        for graph in (a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH):
            inside = {name for n in graph.node for name in n.output} | {i.name for i in graph.input}
            names = list(dict.fromkeys(x for n in graph.node for x in n.input if x and x not in inside))
            pair = _alike(g, names, kinds)
            if not pair:
                continue
            one, other = (names[i] for i in pair)
            for n in graph.node:
                n.input[:] = [other if x == one else one if x == other else x for x in n.input]
            changed = True
    return changed


# ---- loops


def _once_less(g: Graph, node: Any) -> bool:
    """Runs a loop once less."""
    one = g.constant(np.array(1, np.int64))
    node.input[0] = g.put(node, "Sub", [node.input[0], one])
    return True


def _unrolled(g: Graph, node: Any) -> bool:
    """Runs a loop of several iterations once."""
    node.input[0] = g.constant(np.array(1, np.int64))
    return True


def _stale(g: Graph, node: Any) -> bool:
    """Does not pass the last carried values on to the next iteration."""
    body = _body(node, "body")
    if len(body.input) < FIXED + 2:
        return False
    last = body.output[-1].name
    maker = next(n for n in body.node if last in n.output)
    if maker.op_type != "Identity":
        return False
    maker.input[0] = body.input[-1].name
    return True


def _hoisted(g: Graph, node: Any) -> bool:
    """Treats results computed from carried values as loop-invariant, with the initial values."""
    body, changed = _body(node, "body"), False
    for info, first in list(zip(body.input, node.input, strict=True))[FIXED:]:
        for n in body.node:
            if info.name in n.input and n.op_type != "Identity":
                n.input[:] = [first if name == info.name else name for name in n.input]
                changed = True
    return changed


def _initial(g: Graph, node: Any) -> bool:
    """Returns a loop's initial values."""
    for made, first in zip(node.output, node.input[FIXED:], strict=False):
        g.put(node, "Identity", [first], [made])
    g.drop(node)
    return True


def _condition_negated(g: Graph, node: Any) -> bool:
    """Negates the body's condition: the loop ends after the first iteration."""
    body = _body(node, "body")
    made = body.output[0].name
    maker = next(n for n in body.node if made in n.output)
    maker.op_type = "Not"
    return True


def _folded_zero(g: Graph, node: Any) -> bool:
    """Folds carried values that start as constants into the body."""
    body, changed = _body(node, "body"), False
    for i in range(FIXED, len(body.input)):
        if node.input[i] in g.constants and not g.constants[node.input[i]].any():
            made = body.output[i - FIXED + 1].name
            zero = numpy_helper.from_array(g.constants[node.input[i]], f"{made}_zero")
            maker = next(n for n in body.node if made in n.output)
            maker.output[:] = [f"{name}_lost" if name == made else name for name in maker.output]
            body.initializer.append(zero)
            body.node.append(helper.make_node("Identity", [zero.name], [made]))
            changed = True
    return changed


# ---- scans


def _directions(g: Graph, node: Any) -> bool:
    """Scans from the other end."""
    for a in node.attribute:
        if a.name == "scan_input_directions":
            a.ints[:] = [1 - direction for direction in a.ints]
    return True


def _first_slice(g: Graph, node: Any) -> bool:
    """Returns the result of the first trip, as if a scan had one."""
    changed = False
    for gather in g.nodes("Gather"):
        if gather.input[0] in node.output:
            gather.input[1] = g.constant(np.array(-1 if attribute(node, "scan_output_directions")[0] else 0, np.int64))
            changed = True
    return changed


def _hoisted_slices(g: Graph, node: Any) -> bool:
    """Treats results computed from slices as invariant, with the slices of the first trip."""
    body, changed = _body(node, "body"), False
    states = len(node.input) - attribute(node, "num_scan_inputs")
    first = g.constant(np.array(-1 if attribute(node, "scan_input_directions")[0] else 0, np.int64))
    for info, stack in list(zip(body.input, node.input, strict=True))[states:]:
        used = [n for n in body.node if info.name in n.input]
        slices = g.put(node, "Gather", [stack, first], axis=attribute(node, "scan_input_axes")[0]) if used else ""
        for n in used:
            n.input[:] = [slices if name == info.name else name for name in n.input]
            changed = True
    return changed


PASSES: dict[str, Pass] = {
    "function-inputs-swapped": _swapped,
    "function-attributes-lost": _without_attributes,
    "function-first-attributes": _attributes_of_first,
    "function-calls-merged": _merged,
    "if-branches-swapped": _each("If", _branches),
    "if-always-then": _each("If", _always_then),
    "if-constant-false": _each("If", _constant_false),
    "captured-swapped": _captured,
    "loop-once-less": _each("Loop", _once_less),
    "loop-runs-once": _each("Loop", _unrolled),
    "loop-carried-stale": _each("Loop", _stale),
    "loop-hoisted": _each("Loop", _hoisted),
    "loop-gives-initial": _each("Loop", _initial),
    "loop-condition-negated": _each("Loop", _condition_negated),
    "loop-constant-folded": _each("Loop", _folded_zero),
    "scan-backwards": _each("Scan", _directions),
    "scan-once": _each("Scan", _first_slice),
    "scan-hoisted": _each("Scan", _hoisted_slices),
}

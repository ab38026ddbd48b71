"""Faults of passes over computed shapes: Shape, and the integers that are computed from it. Each changes a Graph and returns
whether it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import helper

from rulefuzz.faults.onnx_graph import Graph, attribute

Pass = Callable[[Graph], bool]
DEPTH = 8
"""Number of calls between a Shape and the integers that are computed from it."""


def _of_shape(g: Graph, name: str, depth: int = DEPTH) -> bool:
    """Whether a tensor is computed from shapes and constants alone, and from a shape at least."""
    node = g.maker(name)
    if node is None or not depth:
        return False
    if node.op_type in ("Shape", "Size"):
        return True
    taken = [one for one in node.input if one and one not in g.constants]
    return bool(taken) and all(_of_shape(g, one, depth - 1) for one in taken)


def _each(change: Callable[[Graph, Any], bool], *ops: str) -> Pass:
    """A change of every node of these operators whose result is computed from shapes."""

    def run(g: Graph) -> bool:
        found = [change(g, node) for node in list(g.nodes(*ops)) if _of_shape(g, node.output[0])]
        return any(found)

    return run


def _attributes(node: Any, **values: int) -> bool:
    kept = [a for a in node.attribute if a.name not in values]
    del node.attribute[:]
    node.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in values.items())])
    return True


def _start_lost(g: Graph, node: Any) -> bool:
    start, end = attribute(node, "start") or 0, attribute(node, "end")
    return start > 0 and end is not None and _attributes(node, start=0, end=end - start)


def _slice_first(g: Graph, node: Any) -> bool:
    if len(node.input) < 3 or any(name not in g.constants for name in node.input[1:3]):
        return False
    start, end = (g.constants[name] for name in node.input[1:3])
    if start.size != 1 or start.min() < 1:
        return False
    node.input[1], node.input[2] = g.constant(start - start), g.constant(end - start)
    return True


def _next_dimension(g: Graph, node: Any) -> bool:
    """Another index of a Gather: the one before, or the next."""
    at, count = g.constants.get(node.input[1]), (g.shape(node.input[0]) or [0])[0]
    if at is None or at.size != 1 or count < 2:
        return False
    node.input[1] = g.constant(np.asarray(at - 1 if at.min() > 0 else at + 1, np.int64))
    return True


def _swapped(g: Graph, node: Any) -> bool:
    """The first and the last operand exchanged."""
    if len(node.input) < 2 or node.input[0] == node.input[-1]:
        return False
    node.input[0], node.input[-1] = node.input[-1], node.input[0]
    return True


def _only_first(g: Graph, node: Any) -> bool:
    """The first dimension instead of the product of all."""
    if node.op_type == "Size" and not g.shape(node.input[0]):
        return False
    if node.op_type == "ReduceProd" and (attribute(node, "keepdims") != 0 or g.rank(node.input[0]) != 1):
        return False
    source = g.put(node, "Shape", [node.input[0]]) if node.op_type == "Size" else node.input[0]
    return g.skip(node, g.put(node, "Gather", [source, g.constant(np.array(0, np.int64))], axis=0))


def _named(op: str) -> Callable[[Graph, Any], bool]:
    """Another operator with the same operands."""

    def change(g: Graph, node: Any) -> bool:
        node.op_type = op
        return True

    return change


def _dropped(which: int) -> Callable[[Graph, Any], bool]:
    """One of the operands instead of the result."""

    def change(g: Graph, node: Any) -> bool:
        taken = [name for name in node.input if name not in g.constants]
        same = taken and g.rank(taken[which]) == g.rank(node.output[0])
        return bool(same) and g.skip(node, taken[which])

    return change


def _merged(g: Graph) -> bool:
    """One Shape for all tensors of a rank."""
    seen: dict[Any, Any] = {}
    found = False
    for node in list(g.nodes("Shape")):
        key = g.rank(node.input[0]), attribute(node, "start"), attribute(node, "end")
        first = seen.setdefault(key, node)
        if first is not node and key[0] > 0 and first.input[0] != node.input[0]:
            found |= g.skip(node, first.output[0])
    return found


def _unrounded(g: Graph, node: Any) -> bool:
    """An integer as a float that is rounded the other way."""
    return _named("Floor" if node.op_type == "Ceil" else "Ceil")(g, node)


PASSES: dict[str, Pass] = {
    "shape-start-lost": _each(_start_lost, "Shape"),
    "shape-slice-first": _each(_slice_first, "Slice"),
    "shape-next-dimension": _each(_next_dimension, "Gather"),
    "shape-concat-swapped": _each(_swapped, "Concat"),
    "shape-size-first": _each(_only_first, "Size"),
    "shape-product-first": _each(_only_first, "ReduceProd"),
    "shape-sub-swapped": _each(_swapped, "Sub"),
    "shape-add-is-sub": _each(_named("Sub"), "Add"),
    "shape-mul-is-add": _each(_named("Add"), "Mul"),
    "shape-div-dropped": _each(_dropped(0), "Div"),
    "shape-min-dropped": _each(_dropped(0), "Min"),
    "shape-max-dropped": _each(_dropped(0), "Max"),
    "shape-rounded-other": _each(_unrounded, "Floor", "Ceil"),
    "shape-where-dropped": _each(_dropped(-1), "Where"),
    "shape-shared": _merged,
}
"""By name."""

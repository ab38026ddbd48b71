"""Several shape instances of one model: reading them, and the model with one of them.

A model is then a program for inputs of several shapes. Its dynamic dimensions have names, and each name has a size per shape
instance. See docs/reference/file-formats.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulefuzz.model import BadModel, Json, Model, Node, Tensor, is_plain

MOST = 16
Dims = Sequence[Sequence[str]]
"""For each fed input the names of its dimensions, "" for static ones."""


def read(item: Json, model: Model) -> Model:
    """The model with the shape instances of its JSON. Raises BadModel."""
    sizes = {str(name): tuple(int(size) for size in given) for name, given in item.get("dims", {}).items()}
    counts = {len(given) for given in sizes.values()}
    if not sizes:
        return model
    if not all(map(is_plain, sizes)) or len(counts) != 1 or not 2 <= min(counts) <= MOST:
        raise BadModel("dynamic dimensions need plain names and one size per shape instance")
    count = counts.pop()
    inputs = tuple(_input(t, given, sizes, count) for t, given in zip(model.inputs, item["inputs"], strict=True))
    nodes = tuple(_node(node, given["outputs"], count) for node, given in zip(model.nodes, item["nodes"], strict=True))
    return replace(model, inputs=inputs, nodes=nodes, assignments=count)


def _input(tensor: Tensor, given: Json, sizes: dict[str, tuple[int, ...]], count: int) -> Tensor:
    names = tuple(name or "" for name in given.get("dims", ()))
    if not names:
        return tensor
    if len(names) != len(tensor.shape) or any(name and name not in sizes for name in names) or tensor.constant:
        raise BadModel(f"tensor {tensor.id}: its dimension names do not match its rank")
    shapes = [tuple(sizes[n][k] if n else size for n, size in zip(names, tensor.shape, strict=True)) for k in range(count)]
    if shapes[0] != tensor.shape:
        raise BadModel(f"tensor {tensor.id}: its shape is not that of the first shape instance")
    return replace(tensor, dims=names, also=tuple(shapes[1:]))


def _node(node: Node, outputs: Json, count: int) -> Node:
    made = []
    for tensor, given in zip(node.outputs, outputs, strict=True):
        also = tuple(tuple(int(size) for size in shape) for shape in given.get("also", ()))
        if also and (len(also) != count - 1 or any(len(shape) != len(tensor.shape) for shape in also)):
            raise BadModel(f"tensor {tensor.id} needs {count - 1} further shapes of its rank")
        made.append(replace(tensor, also=also))
    return replace(node, outputs=tuple(made))


def assigned(model: Model, assignment: int) -> Model:
    """The model with one of its shape instances (from 0 on) alone."""

    def at(tensor: Tensor) -> Tensor:
        shape = tensor.also[assignment - 1] if assignment and tensor.also else tensor.shape
        return replace(tensor, shape=shape, also=(), dims=())

    nodes = tuple(replace(node, outputs=tuple(map(at, node.outputs))) for node in model.nodes)
    return replace(model, inputs=tuple(map(at, model.inputs)), nodes=nodes, assignments=1)


def dims(model: Model) -> Dims:
    """The dimension names of the fed inputs."""
    return [tensor.dims or ("",) * len(tensor.shape) for tensor in model.fed]


def said(model: Model, assignment: int) -> str:
    """A shape instance in words: "d0_1 = 3, d0_2 = 1"."""
    found: dict[str, int] = {}
    for tensor in model.fed:
        shape = tensor.also[assignment - 1] if assignment and tensor.also else tensor.shape
        found |= {name: size for name, size in zip(tensor.dims, shape, strict=False) if name}
    return ", ".join(f"{name} = {size}" for name, size in found.items())


def order(model: Model) -> list[int]:
    """The shape instances, starting with one that has few dynamic dimensions of size 0 or 1. Compilers specialize on these
    sizes, so that compiled code would not be dynamic."""
    one = [assigned(model, k) for k in range(model.assignments)]

    def special(k: int) -> int:
        return sum(size < 2 for t, whole in zip(one[k].fed, model.fed, strict=True)
                   for size, name in zip(t.shape, whole.dims, strict=False) if name)  # fmt: skip

    return sorted(range(model.assignments), key=special)

"""Detects new graphs among inductor's graphs after its passes, from which code is generated.

A graph that differs from an earlier one only in sizes gives nearly the same code. Graphs are compared by operators, arguments
and dtypes, ranks and order of strides of tensors, inductor's options, and classes of sizes. Processes of one campaign share the
graphs that were seen, in a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch._inductor import compile_fx, config

from rulefuzz.settings.torch_inductor import SETTINGS

NARROW = 16
"""The usual number of elements of a vector. Smaller sizes are tails; multiples have no tail."""


class Seen(Exception):
    """The first graph of the compilation was compiled before."""


class Graphs:
    """The graphs of one compilation."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._mine = path, set[str]()
        self.duplicate = False
        """Whether code generation was skipped."""

    def meet(self, module: Any, is_inference: bool) -> None:
        """Called with each graph. Raises Seen if it is the first of the compilation and occurred in an earlier one."""
        name = digest(module, is_inference)
        known = set(self._path.read_text().split()) if self._path and self._path.exists() else set()
        if name in known and not self._mine:
            self.duplicate = True
            raise Seen
        if self._path and name not in known:
            with self._path.open("a") as file:
                file.write(f"{name}\n")
        self._mine.add(name)


def shared() -> Path | None:
    """The file of a campaign; None outside of one."""
    folder = os.environ.get("RULEFUZZ_SCRATCH")
    return Path(folder) / "torch-inductor.graphs" if folder else None


@contextlib.contextmanager
def watched(graphs: Graphs) -> Iterator[None]:
    """A context in which graphs are seen before code is generated from them."""
    passes, depth = compile_fx._recursive_post_grad_passes, 0

    def after_passes(module: Any, is_inference: bool = False) -> None:
        nonlocal depth
        depth += 1
        try:
            passes(module, is_inference=is_inference)
        finally:
            depth -= 1
        if depth == 0:
            graphs.meet(module, is_inference)

    compile_fx._recursive_post_grad_passes = after_passes
    try:
        yield
    finally:
        compile_fx._recursive_post_grad_passes = passes


def digest(module: Any, is_inference: bool) -> str:
    """A hash of a graph without its sizes, for the options of inductor that may vary."""
    options = config.get_config_copy()
    lines = [repr([is_inference, *(options.get(name) for name in SETTINGS), options["freezing"]])]
    for name, part in module.named_modules():
        if isinstance(part, torch.fx.GraphModule):
            lines += [name, *_lines(part.graph)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:24]


def _lines(graph: Any) -> Iterator[str]:
    """The nodes, each with its target, arguments and value."""
    places = {node: f"%{i}" for i, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        target = "" if node.op in ("placeholder", "output") else str(node.target)
        schema = getattr(node.target, "_schema", None)
        kinds = {a.name: str(a.real_type) for a in schema.arguments} if schema else {}
        given = {**dict(zip(kinds, node.args, strict=False)), **node.kwargs} if kinds else {"": node.args, **node.kwargs}
        shown = [f"{name}={_argument(value, places, 'SymInt' in kinds.get(name, ''))}" for name, value in given.items()]
        yield f"{node.op} {target} {' '.join(shown)} -> {_value(node.meta.get('val'))}"


def _argument(value: Any, places: dict[Any, str], sizes: bool) -> str:
    if isinstance(value, torch.fx.Node):
        return places[value]
    if isinstance(value, list | tuple):
        return f"[{','.join(_argument(item, places, sizes) for item in value)}]"
    return _class(value) if sizes and isinstance(value, int | torch.SymInt) and not isinstance(value, bool) else repr(value)


def _class(size: Any) -> str:
    """A size's class: 0 and 1 themselves, a tail, a multiple of a vector, or others."""
    if isinstance(size, torch.SymInt):
        return "s"
    return str(size) if size < 2 else "tail" if size < NARROW else "even" if size % NARROW == 0 else "odd"


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_value, value))}]"
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return type(value).__name__
    strides: list[Any] = [*value.stride()]
    if any(isinstance(stride, torch.SymInt) for stride in strides):
        strides = [str(stride) for stride in strides]
    order = sorted(range(value.ndim), key=strides.__getitem__)
    return f"{value.dtype}[{','.join(map(_class, value.shape))}]{order}"

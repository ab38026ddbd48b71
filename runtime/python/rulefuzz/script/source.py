"""A model as a Python function, for frameworks whose targets compile one."""

from __future__ import annotations

import itertools
import linecache
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz import own
from rulefuzz.model import Const, Elements, Model, Node, Ref, Values

KEPT = 64
MODULES: deque[str] = deque()
"""The modules of the last programs."""
NUMBERS = itertools.count()


@dataclass(frozen=True)
class Dialect:
    """How a framework's calls are written."""

    module: str
    """The framework's name in the source."""
    copied: str
    """A copy of tensor {}."""
    elements: str
    """The function that makes a tensor of a list: "torch.tensor"."""
    methods: str = ""
    """The prefix of APIs that are methods of their first argument."""
    constant: str = "{}"
    """The constant of tensor {}."""
    tuples: bool = False
    """True if lists without tensors are written as tuples."""


def _holds_tensors(value: Any) -> bool:
    return isinstance(value, Ref) or (isinstance(value, list) and any(map(_holds_tensors, value)))


def _text(value: Any, dialect: Dialect) -> str:
    if isinstance(value, Ref):
        return dialect.copied.format(f"v{value.id}") if value.copy else f"v{value.id}"
    if isinstance(value, list):
        items = ", ".join(_text(item, dialect) for item in value)
        is_tuple = dialect.tuples and not _holds_tensors(value)
        return f"({items}{',' * (len(value) == 1)})" if is_tuple else f"[{items}]"
    if isinstance(value, Elements):
        return f"{dialect.elements}({_text(value.value, dialect)}, dtype={dialect.module}.{value.dtype})"
    return value.text if isinstance(value, Const) else repr(value)


def call(node: Node, dialect: Dialect) -> str:
    """A call, as an expression."""
    positional = [_text(arg.value, dialect) for arg in node.args if arg.positional]
    named = [f"{arg.name}={_text(arg.value, dialect)}" for arg in node.args if not arg.positional]
    method = node.api.removeprefix(dialect.methods) if dialect.methods else node.api
    first = node.args[0] if node.args else None
    if method != node.api and "." not in method and first and first.positional and isinstance(first.value, Ref):
        return f"{positional[0]}.{method}({', '.join(positional[1:] + named)})"
    return f"{node.api}({', '.join(positional + named)})"


def pattern(result: Any, is_tensor: Callable[[Any], bool], names: Iterator[str]) -> str:
    """The assignment target that unpacks a result: "v2", "(v2, (v3, _))"."""
    if is_tensor(result):
        return next(names)
    parts = [pattern(item, is_tensor, names) for item in result] if isinstance(result, (list, tuple)) else []
    if all(part == "_" for part in parts):
        return "_"
    return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"


def plain_pattern(node: Node) -> str:
    """The same for an unknown result."""
    names = [f"v{t.id}" for t in node.outputs]
    return names[0] if len(names) == 1 else "(" + ", ".join(names) + ")" if names else "_"


def statement(node: Node, dialect: Dialect, is_tensor: Callable[[Any], bool], result: Any) -> str:
    """A node as a statement. `result`: its result."""
    return f"{pattern(result, is_tensor, (f'v{t.id}' for t in node.outputs))} = {call(node, dialect)}"


def source(model: Model, dialect: Dialect, is_tensor: Callable[[Any], bool], results: Sequence[Any],
           outputs: Sequence[int]) -> str:  # fmt: skip
    """The model as a function that returns a tuple and uses the global constants c1, ... `results`: what each node returned;
    empty if unknown."""
    lines = own.imports(node.api for node in model.nodes)
    lines.append(f"def model({', '.join(f'v{t.id}' for t in model.fed)}):")
    lines += [f"    v{t.id} = {dialect.constant.format(f'c{t.id}')}" for t in model.constants]
    for i, node in enumerate(model.nodes):
        known = i < len(results)
        text = statement(node, dialect, is_tensor, results[i]) if known else f"{plain_pattern(node)} = {call(node, dialect)}"
        lines.append(f"    {text}")
    lines.append(f"    return ({', '.join(f'v{i}' for i in outputs)}{',' if len(outputs) == 1 else ''})")
    return "\n".join(lines) + "\n"


def _module() -> types.ModuleType:
    """A new module: tracers of Python look for the module of a function. The last ones stay in sys.modules, since a program
    may run again after another was compiled."""
    made = types.ModuleType(f"model_{next(NUMBERS)}")
    sys.modules[made.__name__] = made
    MODULES.append(made.__name__)
    while len(MODULES) > KEPT:
        sys.modules.pop(MODULES.popleft(), None)
    return made


def function(text: str, dialect: Dialect, module: Any, constants: Values,
             more: Mapping[str, Any] | None = None) -> Callable[..., tuple[Any, ...]]:  # fmt: skip
    """Compiles a source text that `source` made. `more`: functions that it calls."""
    name = "<model>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = _module().__dict__
    space.update({**(more or {}), dialect.module: module})
    space.update((f"c{i}", tensor) for i, tensor in constants.items())
    exec(compile(text, name, "exec"), space)  # every name and constant in it was checked
    made: Callable[..., tuple[Any, ...]] = space["model"]
    return made

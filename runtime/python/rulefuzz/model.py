"""A model from its JSON (docs/formats.md, "Models"): checked, interpreted, or printed as a Python function.

Names and constants come from files that others wrote. A name must lead to a function of torch, a constant is a
Python literal or the name of a dtype, layout or memory format; nothing of either is ever evaluated.
"""

from __future__ import annotations

import ast
import keyword
import linecache
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

Json = Any
NAMED = (torch.dtype, torch.layout, torch.memory_format)
KINDS = ("unit", "positive", "small", "large")
CLOSED = frozenset(
    "classes compile compiler cpp_extension cuda distributed export from_file hub jit library load load_library "
    "multiprocessing onnx package profiler save serialization testing tofile".split()
)
"""What is reached through one of these names is no operator; nor what is right below torch.utils."""


class BadModel(Exception):
    """The model cannot be read: an unsafe name or constant, a reference to nothing."""


@dataclass(frozen=True)
class Tensor:
    """A tensor as the model declares it."""

    id: int
    shape: tuple[int, ...]
    dtype: str
    kind: str = "small"
    """The class of an input's elements."""
    span: tuple[int, int] | None = None
    """The integers, the end excluded, among which an input's elements are."""


@dataclass(frozen=True)
class Ref:
    """The use of an earlier tensor; of a copy where the call would change it, or takes no gaps in memory."""

    id: int
    copy: bool = False


@dataclass(frozen=True)
class Const:
    """A fixed value and its source text."""

    value: Any
    text: str


@dataclass(frozen=True)
class Elements:
    """A tensor of given integers: a Const, or a list of these."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Arg:
    """One argument: a Ref, a Const, Elements, or a list of these."""

    name: str
    positional: bool
    value: Any


@dataclass(frozen=True)
class Node:
    """One call."""

    api: str
    function: Callable[..., Any]
    args: tuple[Arg, ...]
    outputs: tuple[Tensor, ...]

    def refs(self) -> list[int]:
        """The tensors that the call takes, in order."""
        return [ref for arg in self.args for ref in _refs(arg.value)]


@dataclass(frozen=True)
class Model:
    """Inputs, calls in order, and the tensors to compare."""

    inputs: tuple[Tensor, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]

    def node_of(self, tensor: int) -> int:
        """The index of the node that made a tensor, -1 for an input."""
        return next((i for i, node in enumerate(self.nodes) if tensor in (o.id for o in node.outputs)), -1)


def _refs(value: Any) -> Iterator[int]:
    if isinstance(value, Ref):
        yield value.id
    elif isinstance(value, list):
        for item in value:
            yield from _refs(item)


def resolve(api: str) -> Callable[..., Any]:
    """The function of torch with this dotted name."""
    first, *names = api.split(".")
    closed = not CLOSED.isdisjoint(names) or names[:1] == ["utils"] or any("__" in name for name in names[:-1])
    if first != "torch" or not names or closed or not all(map(_plain, names)):
        raise BadModel(f"not an operator of torch: {api!r}")
    value: Any = torch
    for name in names:
        if isinstance(value, types.ModuleType) and not value.__name__.startswith("torch"):
            raise BadModel(f"not an operator of torch: {api!r}")
        try:
            value = getattr(value, name)
        except AttributeError:
            raise BadModel(f"torch {torch.__version__} has no {api}") from None
    outside = isinstance(value, types.FunctionType) and not str(value.__module__).startswith("torch")
    if isinstance(value, (type, types.ModuleType)) or not callable(value) or outside:
        raise BadModel(f"not an operator of torch: {api!r}")
    return value


def _plain(name: str) -> bool:
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def constant(text: str) -> Const:
    """The constant with this text."""
    if text.startswith("torch."):
        value = getattr(torch, text[len("torch.") :], None)
        if isinstance(value, NAMED):
            return Const(value, text)
        raise BadModel(f"not a constant of torch: {text!r}")
    if text.lstrip("-") in ("inf", "nan"):
        return Const(float(text), f'float("{text}")')
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadModel(f"not a literal: {text!r}") from None
    return Const(value, _literal(value))


def _literal(value: Any) -> str:
    """repr, also where a literal overflowed to infinity."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return repr(value)


def _value(item: Json, known: set[int]) -> Any:
    if isinstance(item, list):
        return [_value(part, known) for part in item]
    if isinstance(item, int):
        return Const(item, repr(item))
    if isinstance(item, dict) and "ref" in item:
        if item["ref"] not in known:
            raise BadModel(f"reference to tensor {item['ref']!r}, which does not exist yet")
        return Ref(item["ref"], item.get("copy") is True)
    if isinstance(item, dict) and "const" in item:
        return constant(item["const"])
    if isinstance(item, dict) and "elements" in item:
        if not isinstance(getattr(torch, item["dtype"], None), torch.dtype):
            raise BadModel(f"torch has no dtype {item['dtype']!r}")
        return Elements(_value(item["elements"], set()), item["dtype"])
    raise BadModel(f"not a value: {item!r}")


def _tensor(item: Json) -> Tensor:
    if not isinstance(getattr(torch, item["dtype"], None), torch.dtype):
        raise BadModel(f"torch has no dtype {item['dtype']!r}")
    kind, span = item.get("values", "small"), item.get("range")
    if kind not in KINDS:
        raise BadModel(f"not a class of elements: {kind!r}")
    if span is not None:
        low, high = span
        span = int(low), int(high)
    return Tensor(int(item["id"]), tuple(int(d) for d in item["shape"]), item["dtype"], kind, span)


def read(item: Json) -> Model:
    """The model of a JSON object. Raises BadModel."""
    try:
        inputs = tuple(map(_tensor, item["inputs"]))
        known = {tensor.id for tensor in inputs}
        nodes = []
        for call in item["nodes"]:
            args = tuple(Arg(arg["name"], bool(arg["pos"]), _value(arg["value"], known)) for arg in call["args"])
            if not all(_plain(arg.name) for arg in args if not arg.positional):
                raise BadModel(f"an argument of {call['api']!r} has no plain name")
            outputs = tuple(map(_tensor, call["outputs"]))
            known.update(tensor.id for tensor in outputs)
            nodes.append(Node(call["api"], resolve(call["api"]), args, outputs))
        return Model(inputs, tuple(nodes), tuple(Ref(i).id for i in item["outputs"] if i in known))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadModel(f"not a model: {type(error).__name__}: {error}") from error


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """A copy without gaps in memory: a call may take nothing else."""
    return tensor.clone(memory_format=torch.contiguous_format) if tensor.layout == torch.strided else tensor.clone()


def _build(value: Any, values: dict[int, torch.Tensor]) -> Any:
    if isinstance(value, Ref):
        return plain(values[value.id]) if value.copy else values[value.id]
    if isinstance(value, list):
        return [_build(item, values) for item in value]
    if isinstance(value, Elements):
        return torch.tensor(_build(value.value, values), dtype=getattr(torch, value.dtype))
    return value.value


def call(node: Node, values: dict[int, torch.Tensor]) -> Any:
    """Runs one call."""
    positional = [_build(arg.value, values) for arg in node.args if arg.positional]
    named = {arg.name: _build(arg.value, values) for arg in node.args if not arg.positional}
    return node.function(*positional, **named)


def leaves(result: Any) -> list[torch.Tensor]:
    """The tensors of a result, tuples and lists flattened, anything else left out."""
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        return [tensor for item in result for tensor in leaves(item)]
    return []


def pattern(result: Any, names: Iterator[str]) -> str:
    """The target of an assignment that takes a result apart: "v2", "(v2, (v3, _))"."""
    if isinstance(result, torch.Tensor):
        return next(names)
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        parts = [pattern(item, names) for item in result]
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")" if parts else "_"
    return "_"


def _text(value: Any) -> str:
    if isinstance(value, Ref):
        return f"v{value.id}.clone(memory_format=torch.contiguous_format)" if value.copy else f"v{value.id}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, Elements):
        return f"torch.tensor({_text(value.value)}, dtype=torch.{value.dtype})"
    return value.text


def _call_text(node: Node) -> str:
    positional = [_text(arg.value) for arg in node.args if arg.positional]
    named = [f"{arg.name}={_text(arg.value)}" for arg in node.args if not arg.positional]
    method = node.api.removeprefix("torch.Tensor.")
    first = node.args[0] if node.args else None
    if method != node.api and "." not in method and first and first.positional and isinstance(first.value, Ref):
        return f"{positional[0]}.{method}({', '.join(positional[1:] + named)})"
    return f"{node.api}({', '.join(positional + named)})"


def source(model: Model, patterns: list[str], outputs: tuple[int, ...]) -> str:
    """The model as a function of its inputs that returns a tuple; `patterns` take the nodes' results apart."""
    lines = [f"def model({', '.join(f'v{t.id}' for t in model.inputs)}):"]
    for node, target in zip(model.nodes, patterns, strict=True):
        lines.append(f"    {target} = {_call_text(node)}")
    lines.append(f"    return ({', '.join(f'v{i}' for i in outputs)}{',' if len(outputs) == 1 else ''})")
    return "\n".join(lines) + "\n"


def function(text: str) -> Callable[..., tuple[torch.Tensor, ...]]:
    """The function of a source text that `source` made."""
    name = "<model>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"torch": torch, "__name__": "model"}
    exec(compile(text, name, "exec"), space)  # every name and constant in it was checked
    return space["model"]

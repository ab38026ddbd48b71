"""Signatures and their calls: from arguments to a rule's symbols, and back.

    signature ──bind(args, kwargs)──► symbols ──rs_eval──► output shapes
        ▲                                │
        └── operators(api)               └──build──► Call: args and kwargs with a Tensor in place of each tensor

A symbol is one integer of a call: a dimension (in elements), an integer argument, or a bound of an integer tensor's
elements."""

from __future__ import annotations

import ast
import ctypes
import difflib
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesmith import library as c

Shape = tuple[int, ...]
_FLOAT32 = 11
"""RS_FLOAT32."""
MOST_REPAIRS = 4
"""Numbers that a message about an invalid call names."""
MOST_CHANGES = 100
"""Limit on changes of one number; with more, pairs of them are not tried."""
MOST_NAMES, NEAREST, LONGEST = 3, 3, 300
"""Limits of a message about an unknown call: suggested names, signatures, characters."""


class UnknownCall(LookupError):
    """No API or signature has this name, or no recorded signature of the API has these arguments."""


class InvalidCall(ValueError):
    """The rule rejects the call, so it has no output shapes. The message names the numbers that do not fit."""


@dataclass(frozen=True)
class Tensor:
    """A tensor argument of a call."""

    shape: Shape
    """Elements by dimension."""
    dtype: str = "float32"
    low: int | None = None
    """For integer tensors such as indices: elements lie in low … high - 1. None: no restriction."""
    high: int | None = None


@dataclass(frozen=True)
class Name:
    """A constant that a framework names: `torch.float32`."""

    text: str

    def find(self) -> Any:
        """The object of that name in the imported modules; UnknownCall if there is none. Nothing is imported or
        evaluated."""
        head, *rest = self.text.split(".")
        found = sys.modules.get({"tf": "tensorflow"}.get(head, head))
        for part in rest:
            found = getattr(found, part, None)
        if found is None:
            raise UnknownCall(f"{self.text}: no module that is imported has it")
        return found


@dataclass(frozen=True)
class Elements:
    """A tensor whose elements are part of the call."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Call:
    """One call of an operator."""

    operator: str
    """`torch.matmul-0`."""
    api: str
    symbols: tuple[int, ...]
    args: tuple[Any, ...]
    """Positional arguments: numbers, lists, constants, and a Tensor, a Name or Elements in place of each of these."""
    kwargs: Mapping[str, Any]
    shapes: tuple[Shape, ...]
    """The output shapes; None if the rule rejects the call."""
    valid: bool

    def arguments(
        self,
        tensor: Callable[[Tensor], Any],
        name: Callable[[Name], Any] = Name.find,
        elements: Callable[[Elements], Any] | None = None,
    ) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments for the API itself. `tensor`, `name` and `elements` convert each Tensor,
        Name and Elements (default: the value of Elements as it is)."""

        def made(value: Any) -> Any:
            if isinstance(value, Tensor):
                return tensor(value)
            if isinstance(value, Name):
                return name(value)
            if isinstance(value, Elements):
                return elements(value) if elements else value.value
            return [made(item) for item in value] if isinstance(value, list) else value

        return [made(value) for value in self.args], {key: made(value) for key, value in self.kwargs.items()}


@dataclass(frozen=True)
class Answer:
    """The rules' answer to a call."""

    outputs: tuple[Shape, ...] | None
    """The output shapes; None if the call is rejected or unknown."""
    why: str
    """The reason, if it is rejected."""
    unknown: str
    """The missing evidence, if nothing recorded decides."""
    signature: str
    symbols: tuple[int, ...]
    """The recorded signature that decided, and the call's symbols in it; "" and () if a rule for all ranks did."""
    dtypes: tuple[str, ...] | None = None
    """The dtypes of the outputs; None if they are unknown, or the call is rejected."""


# ---- the signature of an operator


@dataclass(frozen=True)
class Node:
    """A value of a signature, as a tree."""

    kind: int
    count: int
    first: int
    text: str
    dtype: int
    items: tuple[Node, ...] = ()


def _node(values: Any, at: int) -> tuple[Node, int]:
    """The value at an index, and the index after it and its parts."""
    value = values[at]
    inside = value.count if value.kind == c.LIST else 1 if value.kind == c.ELEMENTS else 0
    items, end = [], at + 1
    for _ in range(inside):
        item, end = _node(values, end)
        items.append(item)
    text = value.text.decode() if value.text else ""
    return Node(value.kind, value.count, value.first, text, value.dtype, tuple(items)), end


class Operator:
    """One signature of a table: an API with everything fixed but integers."""

    def __init__(self, row: Any) -> None:
        self.row = row
        self.name: str = row.name.decode()
        self.api: str = row.api.decode()
        self.names: list[str] = [row.args[i].name.decode() for i in range(row.nargs)]
        self.by_position: list[bool] = [bool(row.args[i].by_position) for i in range(row.nargs)]
        self.nodes: list[Node] = [_node(row.values, row.args[i].value)[0] for i in range(row.nargs)]
        self.has_rule = bool(row.valid)
        self.dimensions = frozenset(at for node in self.nodes for at in _dimensions(node))
        """The symbols that are dimensions of inputs."""
        self._symbols, self._out = ctypes.c_int64 * max(row.nsym, 1), ctypes.c_int64 * max(row.nodim, 1)
        self._ranks: list[int] = row.out_ranks[: row.nout]
        wide = int(row.nin + row.nout)
        rows = [row.dtypes[i * wide : (i + 1) * wide] for i in range(row.ndtypes)]
        self._types: list[list[int]] = sorted(rows, key=lambda types: sum(dtype != _FLOAT32 for dtype in types))

    def eval(self, symbols: Sequence[int]) -> tuple[Shape, ...] | None:
        """The output shapes; None if the rule rejects the symbols. ValueError for a wrong number of symbols."""
        if len(symbols) != self.row.nsym:
            raise ValueError(f"{self.name} has {self.row.nsym} symbols, not {len(symbols)}")
        out = self._out()
        if not c.load().rs_eval(ctypes.byref(self.row), self._symbols(*symbols), out):
            return None
        shapes, at = [], 0
        for rank in self._ranks:
            shapes.append(tuple(out[at : at + rank]))
            at += rank
        return tuple(shapes)

    def sample(self, seed: int, low: int, high: int, max_numel: int, empty: bool) -> tuple[int, ...] | None:
        """Symbols that the rule accepts; None if none were found."""
        box = c.Box(low, high, max_numel, empty)
        caller = c.load().rs_caller_new(ctypes.byref(self.row), ctypes.byref(box))
        if not caller:
            return None
        symbols = self._symbols()
        found = c.load().rs_sample_forward(caller, seed, symbols, None, self._out())
        c.load().rs_caller_free(caller)
        return tuple(symbols[: self.row.nsym]) if found else None

    def build(self, symbols: Sequence[int], types: int = 0) -> Call:
        """The call with these symbols and one of the recorded dtype rows. Rows with float32 come first; `types` selects
        one, modulo their number."""
        known = self._types[types % len(self._types)] if self._types else []
        dtypes = iter(c.load().rs_dtype_name(dtype).decode() for dtype in known)
        values = [_made(node, symbols, dtypes) for node in self.nodes]
        shapes = self.eval(symbols)
        split = next((i for i, by_position in enumerate(self.by_position) if not by_position), len(values))
        named = dict(zip(self.names[split:], values[split:], strict=True))
        return Call(self.name, self.api, tuple(symbols), tuple(values[:split]), named, shapes or (), shapes is not None)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[int] | None:
        """The symbols of a call with these arguments; None if they do not fit the signature. Arguments that are None in the
        signature may be omitted."""
        if len(args) > len(self.names) or not set(kwargs) <= set(self.names[len(args) :]):
            return None
        symbols = [0] * int(self.row.nsym)
        given = [*args, *(kwargs.get(name) for name in self.names[len(args) :])]
        fits = all(_bind(node, value, symbols) for node, value in zip(self.nodes, given, strict=True))
        return symbols if fits else None

    def answer(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Answer:
        """The answer of this signature alone to one of its calls."""
        symbols = self.bind(args, kwargs)
        if symbols is None or not self.has_rule:
            return Answer(None, "", "the signature has other arguments", self.name, ())
        return Answer(self.eval(symbols), "", "", self.name, tuple(symbols))

    def symbol_names(self) -> list[str]:
        """The name of each symbol: `input[1]`, `groups`, `stride[0]`; indices count from 0."""
        names = [f"s{at}" for at in range(self.row.nsym)]
        for name, node in zip(self.names, self.nodes, strict=True):
            for at, text in _named(name, node):
                names[at] = text
        return names

    def repairs(self, symbols: Sequence[int]) -> list[dict[int, int]]:
        """Changes that make a rejected call valid, index to value: the nearest of each symbol alone, or else of two
        symbols together. Empty if there are none."""
        values = sorted({value + step for value in symbols for step in (0, 1, -1)} | {0, 1, 2})
        single = [{at: value} for at, now in enumerate(symbols) for value in values if value != now
                  and (value >= 0 or at not in self.dimensions)]  # fmt: skip
        single.sort(key=lambda change: _far(change, symbols))
        found: dict[int, dict[int, int]] = {}
        for change in single:
            if not found.keys() & change.keys() and self._accepts(symbols, change):
                found.update(dict.fromkeys(change, change))
        if found or len(single) > MOST_CHANGES:
            return list(found.values())
        pairs = ({**one, **other} for one, other in itertools.combinations(single, 2) if one.keys() != other.keys())
        near = sorted(pairs, key=lambda change: _far(change, symbols))
        return list(itertools.islice((change for change in near if self._accepts(symbols, change)), 1))

    def _accepts(self, symbols: Sequence[int], change: Mapping[int, int]) -> bool:
        return self.eval([change.get(at, value) for at, value in enumerate(symbols)]) is not None

    def why_invalid(self, symbols: Sequence[int]) -> str:
        """The numbers of a rejected call that do not fit, and values that would."""
        names, repairs = self.symbol_names(), self.repairs(symbols)[:MOST_REPAIRS]

        def shown(values: Mapping[int, int], between: str) -> str:
            return between.join(f"{names[at]} = {value}" for at, value in values.items())

        if not repairs:
            return shown(dict(enumerate(symbols)), ", ")
        wrong = {at: symbols[at] for change in repairs for at in change}
        return f"{shown(wrong, ', ')}; accepted with {' or '.join(shown(change, ' and ') for change in repairs)}"

    def form(self) -> str:
        """The signature in words: `matmul(input[_, _], other[_, _])`."""
        inside = ", ".join(f"{name}{_words(node)}" for name, node in zip(self.names, self.nodes, strict=True))
        return f"{self.api.rsplit('.', 1)[-1]}({inside})"


def _far(change: Mapping[int, int], symbols: Sequence[int]) -> tuple[int, bool]:
    """How far a change moves the numbers; smaller values come later among equals."""
    return sum(abs(value - symbols[at]) for at, value in change.items()), any(
        value < symbols[at] for at, value in change.items()
    )


def _named(name: str, node: Node) -> Iterator[tuple[int, str]]:
    """The symbols of an argument, each with its name."""
    if node.kind in (c.TENSOR, c.RANGED):
        yield from ((node.first + at, f"{name}[{at}]") for at in range(node.count))
        bounds = (".low", ".high") if node.kind == c.RANGED else ()
        yield from ((node.first + node.count + at, name + bound) for at, bound in enumerate(bounds))
    elif node.kind == c.INT:
        yield node.first, name
    for at, item in enumerate(node.items):
        yield from _named(name if node.kind == c.ELEMENTS else f"{name}[{at}]", item)


def _dimensions(node: Node) -> Iterator[int]:
    if node.kind in (c.TENSOR, c.RANGED):
        yield from range(node.first, node.first + node.count)
    for item in node.items:
        yield from _dimensions(item)


def _constant(text: str) -> Any:
    if text in ("inf", "-inf", "nan", "-nan"):
        return float(text)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return Name(text)


def _made(node: Node, symbols: Sequence[int], dtypes: Iterator[str]) -> Any:
    if node.kind in (c.TENSOR, c.RANGED):
        shape, end = tuple(symbols[node.first : node.first + node.count]), node.first + node.count
        bounds = tuple(symbols[end : end + 2]) if node.kind == c.RANGED else (0, 0)
        dtype = next(dtypes, "float32")
        return Tensor(shape, dtype, *bounds) if bounds != (0, 0) else Tensor(shape, dtype)
    if node.kind == c.INT:
        return symbols[node.first]
    if node.kind == c.LIST:
        return [_made(item, symbols, dtypes) for item in node.items]
    if node.kind == c.ELEMENTS:
        return Elements(_made(node.items[0], symbols, dtypes), c.load().rs_dtype_name(node.dtype).decode())
    return _constant(node.text)


def _words(node: Node) -> str:
    if node.kind in (c.TENSOR, c.RANGED):
        return f"[{', '.join('_' * node.count)}]"
    if node.kind == c.INT:
        return "=_"
    if node.kind == c.LIST:
        return f"=[{', '.join(_words(item).removeprefix('=') for item in node.items)}]"
    return f"={node.text}" if node.kind == c.CONST else _words(node.items[0])


def _same_constant(node: Node, value: Any) -> bool:
    constant = _constant(node.text)
    if isinstance(constant, Name):
        return str(value) in (constant.text, getattr(value, "text", None)) or value == constant
    if isinstance(constant, float) and isinstance(value, float):  # rules do not depend on floats
        return node.count > 0 or value == constant or (math.isnan(value) and math.isnan(constant))
    return type(value) is type(constant) and bool(value == constant)


def _integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _bind(node: Node, value: Any, symbols: list[int]) -> bool:
    """True if a value fits the signature; its integers are assigned to their symbols."""
    if node.kind in (c.TENSOR, c.RANGED):
        shape = value if isinstance(value, (tuple, list)) else getattr(value, "shape", None)
        if shape is None or len(shape) != node.count or not all(_integer(size) for size in shape):
            return False
        symbols[node.first : node.first + node.count] = shape
        if node.kind == c.RANGED and getattr(value, "low", None) is not None:
            symbols[node.first + node.count : node.first + node.count + 2] = value.low, value.high
        return True
    if node.kind == c.INT:
        symbols[node.first] = value if _integer(value) else 0
        return _integer(value)
    if node.kind == c.LIST:
        fits = isinstance(value, (tuple, list)) and len(value) == len(node.items)
        return fits and all(_bind(item, part, symbols) for item, part in zip(node.items, value, strict=True))
    if node.kind == c.ELEMENTS:
        return _bind(node.items[0], getattr(value, "value", value), symbols)
    return _same_constant(node, value)


# ---- all signatures


@functools.cache
def _names() -> dict[str, list[tuple[int, int]]]:
    """The signatures of each API: table and row."""
    known: dict[str, list[tuple[int, int]]] = {}
    tables = c.tables(c.load())
    for t in range(tables.ntables):
        table = tables.tables[t].contents
        for i in range(table.nops):
            known.setdefault(table.ops[i].api.decode(), []).append((t, i))
    return known


@functools.cache
def operators(name: str) -> tuple[Operator, ...]:
    """The signatures of an API, those with few symbols first, or the one of that name. UnknownCall if there is none."""
    library = c.load()
    tables = c.tables(library)
    rows = [tables.tables[t].contents.ops[i] for t, i in _names().get(name, [])]
    if not rows:
        one = library.rs_library_find(ctypes.byref(tables), name.encode())
        if not one:
            raise UnknownCall(unknown_name(name, _names()))
        rows = [one.contents]
    return tuple(Operator(row) for row in sorted(rows, key=lambda row: (row.nsym, len(row.name), row.name)))


def unknown_name(name: str, known: Iterable[str]) -> str:
    """The message for an unknown name, with the nearest known names."""
    names, last = list(known), name.rpartition(".")[2]
    same = [other for other in names if other.rpartition(".")[2] == last]
    near = same or difflib.get_close_matches(name, names, MOST_NAMES)
    if not near:
        by_last: dict[str, str] = {}
        for other in names:
            by_last.setdefault(other.rpartition(".")[2], other)
        near = [by_last[match] for match in difflib.get_close_matches(last, by_last, MOST_NAMES)]
    hint = f"; did you mean {' or '.join(near[:MOST_NAMES])}?" if near else ""
    return f"no rule for {name!r}{hint}"


def _kind(value: Any) -> str:
    """The kind of an argument, for a message: its rank, or its text."""
    shape = value if isinstance(value, tuple) else getattr(value, "shape", None)
    if shape is not None:
        return f"[{', '.join('_' * len(shape))}]"
    if isinstance(value, list):
        return f"[{', '.join(map(_kind, value))}]"
    return "_" if _integer(value) else repr(value)


def _distance(op: Operator, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[int, int]:
    """Distance of a signature from arguments: the number of differing or one-sided ones; then its number of symbols."""
    given = {**dict(zip(op.names, args, strict=False)), **kwargs}
    differ = abs(len(args) - len(op.names)) if len(args) > len(op.names) else 0
    for name, node in zip(op.names, op.nodes, strict=True):
        differ += not _bind(node, given.pop(name, None), [0] * int(op.row.nsym))
    return differ + len(given), int(op.row.nsym)


def unknown_call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any], missing: str) -> str:
    """The message for a call that nothing recorded decides: what is missing, the arguments, and the nearest signatures."""
    asked = ", ".join([*map(_kind, args), *(f"{key}={_kind(value)}" for key, value in kwargs.items())])
    ops = sorted((op for op in operators(name) if op.has_rule), key=lambda op: _distance(op, args, kwargs))
    forms = list(dict.fromkeys(op.form() for op in ops))
    message = f"{name}({asked}): {missing}"[: LONGEST // 2]
    message += "; nearest:" if forms else "; none has a rule"
    for form in forms[:NEAREST]:
        if len(message) + len(form) + 2 > LONGEST:
            break
        message += (" " if message.endswith(":") else "; ") + form
    return message.removesuffix("; nearest:")

"""From one concrete call to a partial operator: every integer becomes a symbol, all else is fixed.

A call enters as plain Python values (`TensorSpec` for a tensor, `Literal` for what only has a text). It leaves as the
argument list of a record file and the vector of the symbols' values, numbered in argument order:

    conv2d(TensorSpec((1, 3, 8, 8)), TensorSpec((6, 3, 2, 2)), stride=2)
    -> input ["s0","s1","s2","s3"], weight ["s4","s5","s6","s7"], stride "s8";  values (1, 3, 8, 8, 6, 3, 2, 2, 2)

This file knows no framework.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Any
Values = tuple[int, ...]

INDEX_NAME = re.compile(r"(^|_)(dims?|dimension|axis|axes|perm|reduction_indices)\d*$")
"""Argument names that index dimensions, in every framework met: dim, dims, dim0, axis, axes, start_dim, perm, …"""
SIZES_NAME = re.compile(r"dims$")
"""Names among these under which a tensor holds sizes, not indices (tf.fill); an argument that is no tensor holds indices."""
CODE_NAME = re.compile(r"^_|mode$|^reduction$")
"""Argument names whose integers are codes or internal: interpolation_mode, _stacklevel, reduction."""


@dataclass(frozen=True)
class TensorSpec:
    """A tensor without its elements."""

    dims: Values
    dtype: str
    given: Any = None
    """The elements, nested like the dimensions, of a small tensor of integers; a hint, see restate."""
    extent: Values | None = None
    """The smallest element and the largest + 1 of a tensor of integers, (0, 0) if it has none; a hint."""
    range: Values | None = None
    """Low and high of a tensor that stands for all those with elements in low..high-1."""
    held: str = ""
    """What the call takes the tensor in, if not as it is: a variable, a list, …"""


def of_integers(dims: Values, dtype: str, elements: Any, most: int) -> TensorSpec:
    """The tensor with its hints; `elements` is a numpy array of integers, told one by one up to `most` and rank 2."""
    given = elements.tolist() if elements.ndim <= 2 and elements.size <= most else None
    return TensorSpec(dims, dtype, given, (int(elements.min()), int(elements.max()) + 1) if elements.size else (0, 0))


@dataclass(frozen=True)
class Elements:
    """Integers, nested in lists to the tensor's rank, that a call takes as a tensor and whose values matter one by one."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Literal:
    """A fixed value that only its text stands for: a dtype, a layout, an enumeration member."""

    text: str


class Unsupported(Exception):
    """The value has no place in a record (a function, a slice, a sparse tensor, …)."""


@dataclass
class Call:
    """One symbolised call: `args` in the format of the record files, `values` of s0, s1, …"""

    api: str
    args: list[Json]
    values: Values
    source: str = ""
    expect_failure: bool = False


@dataclass
class _Numbering:
    values: list[int] = field(default_factory=list)

    def new(self, value: int) -> str:
        self.values.append(value)
        return f"s{len(self.values) - 1}"


def is_fixed_name(name: str) -> bool:
    """Whether integers of an argument of this name stay constants: they index dimensions, or are codes."""
    return INDEX_NAME.search(name) is not None or CODE_NAME.search(name) is not None


def float_text(value: float) -> str:
    """The text of a float constant; inf, -inf and nan are written so."""
    return repr(value)


def symbolise(api: str, arguments: Sequence[tuple[str, bool, Any]], fixed: frozenset[str] = frozenset()) -> Call:
    """The call with these (name, positional, value) arguments; integers of arguments in `fixed` stay constants."""
    numbering = _Numbering()
    args = []
    for name, positional, value in arguments:
        constant = name in fixed or is_fixed_name(name)
        if isinstance(value, Elements) and SIZES_NAME.search(name):
            constant = name in fixed
        args.append({"name": name, "pos": positional, "value": _value(value, numbering, constant)})
    return Call(api, args, tuple(numbering.values))


def _value(value: Any, numbering: _Numbering, fixed: bool) -> Json:
    if isinstance(value, dict):  # symbolised already
        return value
    if isinstance(value, TensorSpec):
        leaf: Json = {"tensor": [numbering.new(d) for d in value.dims], "dtype": value.dtype}
        if value.range is not None:
            leaf["range"] = [numbering.new(bound) for bound in value.range]
        if value.given is not None:
            leaf["given"] = value.given
        if value.held:
            leaf["held"] = value.held
        if value.extent is not None:
            leaf["extent"] = list(value.extent)
        return leaf
    if isinstance(value, Elements):
        return {"elements": _value(value.value, numbering, fixed), "dtype": value.dtype}
    if isinstance(value, Literal):
        return {"const": value.text}
    if value is None or isinstance(value, (bool, str, complex)):
        return {"const": repr(value)}
    if isinstance(value, int):
        return {"const": repr(value)} if fixed else numbering.new(value)
    if isinstance(value, float):
        text = float_text(value)
        return {"const": text, "seen": [text]}
    if isinstance(value, (list, tuple)):
        return [_value(item, numbering, fixed) for item in value]
    raise Unsupported(f"argument of type {type(value).__name__}")


def walk(value: Json) -> Iterator[Json]:
    """The leaves of an argument value: symbols (str), tensors and constants (dict), in order."""
    if isinstance(value, list):
        for item in value:
            yield from walk(item)
    else:
        yield value


def leaves(args: Sequence[Json]) -> Iterator[Json]:
    """The leaves of all arguments, in order."""
    for arg in args:
        yield from walk(arg["value"])


def concrete(args: Sequence[Json], values: Values) -> list[tuple[str, bool, Any]]:
    """The arguments that symbolise made this call of; constants stay as they are."""

    def value(old: Json) -> Any:
        if isinstance(old, str):
            return values[int(old[1:])]
        if isinstance(old, list):
            return [value(item) for item in old]
        if "elements" in old:
            return Elements(value(old["elements"]), old["dtype"])
        if "tensor" in old:
            dims = tuple(value(old["tensor"]))
            extent = tuple(old["extent"]) if "extent" in old else None
            bounds = tuple(value(old["range"])) if "range" in old else None
            return TensorSpec(dims, old["dtype"], old.get("given"), extent, bounds, old.get("held", ""))
        return old

    return [(arg["name"], arg["pos"], value(arg["value"])) for arg in args]


PLAIN, RANGE, ELEMENTS = "plain", "range", "elements"
"""How a tensor of integers is stated: its elements do not matter; all lie in a range; each matters."""


def without_hints(args: Sequence[Json]) -> list[Json]:
    """The arguments as they stand in records."""

    def leaf(old: Json) -> Json:
        return {k: v for k, v in old.items() if k not in ("given", "extent")} if isinstance(old, dict) else old

    return map_leaves(args, leaf)


def hinted(args: Sequence[Json]) -> list[Json]:
    """The input tensors whose elements are known, in order."""
    return [tensor for tensor in tensors(args) if "extent" in tensor]


def restate(call: Call, forms: Sequence[str]) -> Call | None:
    """The call with its hinted tensors stated as `forms` says, one after the other; None if one cannot be."""
    rest = iter(forms)

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(item) for item in value]
        if not isinstance(value, TensorSpec) or value.extent is None:
            return value
        form = next(rest, PLAIN)  # a call of the group may have more tensors of integers than others
        if form == ELEMENTS:
            if value.given is None:
                raise Unsupported("too many elements")
            return Elements(value.given, value.dtype)
        return TensorSpec(value.dims, value.dtype, range=value.extent if form == RANGE else None, held=value.held)

    try:
        arguments = [(name, positional, change(value)) for name, positional, value in concrete(call.args, call.values)]
    except Unsupported:
        return None
    new = symbolise(call.api, arguments)
    return Call(call.api, new.args, new.values, call.source, call.expect_failure)


def ranges(args: Sequence[Json]) -> tuple[tuple[Values, int, int], ...]:
    """For each tensor with a range: the indices of its dimensions, of its low and of its high."""
    return tuple(
        (tuple(int(s[1:]) for s in tensor["tensor"]), int(tensor["range"][0][1:]), int(tensor["range"][1][1:]))
        for tensor in tensors(args)
        if "range" in tensor
    )


def tensors(args: Sequence[Json]) -> list[Json]:
    """The input tensors, in order."""
    return [leaf for leaf in leaves(args) if isinstance(leaf, dict) and "tensor" in leaf]


def dtypes(args: Sequence[Json]) -> tuple[str, ...]:
    """The dtypes of the input tensors, in order."""
    return tuple(tensor["dtype"] for tensor in tensors(args))


def floats(args: Sequence[Json]) -> tuple[str, ...]:
    """The texts of the float constants, in order."""
    return tuple(leaf["const"] for leaf in leaves(args) if isinstance(leaf, dict) and "seen" in leaf)


def dimension_symbols(args: Sequence[Json]) -> frozenset[int]:
    """The indices of the symbols that are dimensions of input tensors; the others are integer arguments."""
    return frozenset(int(symbol[1:]) for tensor in tensors(args) for symbol in tensor["tensor"])


def full(record: Json) -> list[Json]:
    """The passing records whose tensors all hold elements."""
    dims = dimension_symbols(record["args"])
    return [row for row in record["pass"] if all(row[0][dim] > 0 for dim in dims)]


def spread(rows: Sequence[Any], count: int) -> list[Any]:
    """At most so many of a list, evenly spread."""
    return list(rows[:: max(1, len(rows) // count)][:count])


def _map(value: Json, leaf: Any) -> Json:
    return [_map(item, leaf) for item in value] if isinstance(value, list) else leaf(value)


def map_leaves(args: Sequence[Json], leaf: Any) -> list[Json]:
    """The arguments with each leaf replaced by `leaf(old)`."""
    return [{**arg, "value": _map(arg["value"], leaf)} for arg in args]


def with_dtypes(args: Sequence[Json], new: Sequence[str]) -> list[Json]:
    """The arguments with other input dtypes."""
    rest = iter(new)

    def leaf(old: Json) -> Json:
        return {**old, "dtype": next(rest)} if isinstance(old, dict) and "tensor" in old else old

    return map_leaves(args, leaf)


def with_floats(args: Sequence[Json], new: Sequence[str]) -> list[Json]:
    """The arguments with other float constants."""
    rest = iter(new)

    def leaf(old: Json) -> Json:
        return {**old, "const": next(rest)} if isinstance(old, dict) and "seen" in old else old

    return map_leaves(args, leaf)


def signature(args: Sequence[Json], keep_floats: bool = False) -> str:
    """The canonical text of an argument structure: equal texts are one operator. Without dtypes and floats."""

    def leaf(old: Json) -> Json:
        if isinstance(old, dict) and "tensor" in old:
            return {key: old[key] for key in ("tensor", "range", "held") if key in old}
        if isinstance(old, dict) and "seen" in old:
            return {"float": old["const"] if keep_floats else ""}
        return old

    stripped = [[arg["name"], arg["pos"], arg["value"]] for arg in map_leaves(args, leaf)]
    return json.dumps(stripped, separators=(",", ":"))

"""Turns a concrete call into a partial operator: every integer becomes a symbol, everything else is fixed.

A call enters as plain Python values (`TensorSpec` for a tensor, `Literal` for values that only have a text). It leaves
as the argument list of a record file and the vector of the symbols' values, numbered in argument order:

    conv2d(TensorSpec((1, 3, 8, 8)), TensorSpec((6, 3, 2, 2)), stride=2)
    -> input ["s0","s1","s2","s3"], weight ["s4","s5","s6","s7"], stride "s8";  values (1, 3, 8, 8, 6, 3, 2, 2, 2)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from traces.collect.call.spec import Call, Elements, Json, Literal, TensorSpec, Unsupported, Values

INDEX_NAME = re.compile(r"(^|_)(dims?|dimension|axis|axes|perm|reduction_indices)\d*$")
"""Names of arguments that index dimensions, in every framework seen: dim, dims, dim0, axis, axes, start_dim, perm, …"""
SIZES_NAME = re.compile(r"(dims|dim0)$")
"""Names among these for which a tensor holds sizes (tf.fill), but other arguments hold indices."""
CODE_NAME = re.compile(r"^_|mode$|_mask$|^reduction$")
"""Names of arguments whose integers are codes, bit masks or internal: interpolation_mode, end_mask, _stacklevel, reduction."""


@dataclass
class _Numbering:
    values: list[int] = field(default_factory=list)

    def new(self, value: int) -> str:
        self.values.append(value)
        return f"s{len(self.values) - 1}"


def is_fixed_name(name: str) -> bool:
    """True if integers of an argument of this name stay constants, because they index dimensions or are codes."""
    return INDEX_NAME.search(name) is not None or CODE_NAME.search(name) is not None


def float_text(value: float) -> str:
    """The text of a float constant, also inf, -inf and nan."""
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


def concrete(args: Sequence[Json], values: Values) -> list[tuple[str, bool, Any]]:
    """The inverse of symbolise; constants stay as they are."""

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

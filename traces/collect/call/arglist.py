"""The arguments of a record: their leaves in order, and copies with other dtypes or floats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from traces.collect.call.spec import Json, Values


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
    """The passing records without empty tensors."""
    dims = dimension_symbols(record["args"])
    return [row for row in record["pass"] if all(row[0][dim] > 0 for dim in dims)]


def spread(rows: Sequence[Any], count: int) -> list[Any]:
    """At most n items of a list, evenly spread."""
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
    """The canonical text of an argument structure, without dtypes and floats: equal texts are one signature."""

    def leaf(old: Json) -> Json:
        if isinstance(old, dict) and "tensor" in old:
            return {key: old[key] for key in ("tensor", "range", "held") if key in old}
        if isinstance(old, dict) and "seen" in old:
            return {"float": old["const"] if keep_floats else ""}
        return old

    stripped = [[arg["name"], arg["pos"], arg["value"]] for arg in map_leaves(args, leaf)]
    return json.dumps(stripped, separators=(",", ":"))

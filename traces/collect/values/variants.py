"""The variants of an operator's calls: tuples of dtypes, records, sampled floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.values.classes import Seen

RECORDS, MORE_RECORDS, OTHER_RECORDS = 3, 6, 2
"""Records per operator: if all arguments are tensors, if not, and with other dtypes than its own."""
ELEMENTS = 2048
"""Preferred maximum number of elements of a record's inputs together."""
ROWS = 6
"""Tuples of dtypes tried."""
Row = Sequence[str]


class Looking(Protocol):
    """A framework that fills by tokens (classes) and returns observations."""

    name: str
    version: str

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""

    def run(self, call: Any, values: Values, fill: str) -> tuple[Seen, ...]:
        """As Framework.run."""


@dataclass
class Variant:
    """One call of an operator: dtypes, a record, floats."""

    row: int
    call: object
    values: Values
    dims: Values
    """The output dimensions, as recorded."""
    elements: int
    """Of the inputs."""
    narrow: bool
    """Whether a dtype is."""


def _family(dtype: str) -> str:
    """Dtypes of a family fail and overflow alike; one of each is tried."""
    if dtype.startswith("complex"):
        return dtype if dtype == "complex32" else "complex"
    if dtype in ("float32", "float64"):
        return "float"
    if dtype in ("int16", "int32", "int64"):
        return "int"
    return "uint" if dtype in ("uint16", "uint32", "uint64") else dtype


def rows(record: Json) -> list[list[str]]:
    """The tuples of input dtypes to try: the record's own, and one of each combination of families."""
    own = list(arglist.dtypes(record["args"]))
    found = {tuple(map(_family, own)): own}
    for ins, _ in record.get("dtypes", ()):
        found.setdefault(tuple(map(_family, ins)), ins)
    rest = list(found.values())[1:]
    step = max(1, math.ceil(len(rest) / (ROWS - 1)))
    return [own, *rest[::step]]


def _spread(items: Sequence[Json], count: int) -> list[Json]:
    """At most `count` of them, evenly spread, including the last."""
    if len(items) <= count:
        return list(items)
    return [items[round((i + 1) * (len(items) - 1) / count)] for i in range(count)]


def count_elements(args: Sequence[Json], values: Values) -> list[int]:
    return [math.prod(values[int(s[1:])] for s in tensor["tensor"]) for tensor in arglist.tensors(args)]


def records(record: Json, count: int) -> list[tuple[Values, Values]]:
    """Passing records of different sizes, without empty tensors if possible."""
    args, dims = record["args"], arglist.dimension_symbols(record["args"])
    pairs = [(tuple(ins), tuple(outs)) for ins, outs in record["pass"]]
    full = [pair for pair in pairs if all(pair[0][dim] > 0 for dim in dims) and all(dim > 0 for dim in pair[1])] or pairs
    full.sort(key=lambda pair: (sum(count_elements(args, pair[0])), pair))
    small = [pair for pair in full if sum(count_elements(args, pair[0])) <= ELEMENTS] or full[:2]
    return _spread(small, count)


def float_choices(args: Sequence[Json]) -> list[tuple[str, ...]]:
    """Texts for the float constants: the recorded one, then the others, until each position's texts are used."""
    seen = [leaf["seen"] for leaf in arglist.leaves(args) if isinstance(leaf, dict) and "seen" in leaf]
    most = max(map(len, seen), default=0)
    return list(dict.fromkeys([arglist.floats(args), *(tuple(texts[i % len(texts)] for texts in seen) for i in range(most))]))

"""Retests tuples of dtypes and floats of records."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Framework, NotTensors
from traces.collect.records import operators
from traces.collect.records.dtype_table import DTYPE_ENTRIES
from traces.collect.values import classes
from traces.collect.values.variants import Looking

RECORDS = 5
"""Records per tuple."""
MANY = 12
"""Records per float, and as many with empty tensors."""
FILLS = ("normal", "zeros", "small", "ones")
"""Fills to try; a tuple must run under all fills under which the operator's own tuple does."""


def full(record: Json) -> list[Json]:
    """Some passing records without empty tensors, evenly spread; any if there are none."""
    return arglist.spread(arglist.full(record) or record["pass"], RECORDS)


def outputs_of(framework: Framework | Within, record: Json, row: Sequence[str], cases: Sequence[Json],
               fills: Sequence[str]) -> list[str] | None:  # fmt: skip
    """The output dtypes of a tuple; None if some case does not run as recorded."""
    call = framework.compile(record["api"], arglist.with_dtypes(record["args"], row))
    found = set()
    try:
        for values, out in cases:
            answer = framework.run(call, tuple(values), fills[0])
            if [dim for dims, _ in answer for dim in dims] != out:
                return None
            found.add(tuple(dtype for _, dtype in answer))
        for fill in fills[1:]:
            framework.run(call, tuple(cases[-1][0]), fill)
    except (Rejected, Unanswered, NotTensors):
        return None
    return list(found.pop()) if len(found) == 1 else None


class Within:
    """A framework whose calls get elements of the classes that an operator accepts. An integer divisor must not be 0, and only
    the two narrowest classes exclude 0. A fill is a mode of values/classes.py."""

    FILLS = (f"{classes.RANDOM}0", classes.ZERO, classes.LOW, classes.HIGH)

    def __init__(self, looking: Looking, accepts: str) -> None:
        self._looking, self._accepts = looking, accepts

    @staticmethod
    def needed(accepts: str) -> bool:
        """Whether some input accepts only elements other than 0."""
        return any(letter in classes.LETTERS[: classes.SMALL] for letter in accepts)

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """See Framework."""
        return self._looking.compile(api, args)

    def run(self, call: Any, values: Values, mode: str) -> list[tuple[tuple[int, ...], str]]:
        """See Framework."""
        kinds = (classes.LETTERS.find(letter) for letter in self._accepts)
        fill = ",".join(classes.OWN if kind < 0 else f"{kind}{mode}" for kind in kinds)
        return [(seen.dims, seen.dtype) for seen in self._looking.run(call, values, fill)]


def table(framework: Framework, record: Json, within: Within | None = None) -> list[Json]:
    """The tuples that pass, sorted; existing ones have priority if there are too many. within: the framework that runs them
    if only elements of some classes are accepted."""
    own = list(arglist.dtypes(record["args"]))
    wishes = [row[0] for row in record.get("dtypes", [])] + operators.other_tuples(framework, record["api"], record["args"])
    cases = full(record)
    by, tried = (within, within.FILLS) if within else (framework, FILLS)
    fills = [fill for fill in tried if outputs_of(by, record, own, cases, [fill])] or tried[:2]
    rows: list[Json] = []
    for wish in dict.fromkeys(map(tuple, [own, *wishes])):
        if len(rows) < max(DTYPE_ENTRIES, len(record.get("dtypes", []))) and len(wish) == len(own):
            outs = outputs_of(by, record, wish, cases, fills)
            rows += [] if outs is None else [[list(wish), outs]]
    return sorted(rows)


def seen_floats(record: Json) -> list[tuple[int, str]]:
    """Each sampled float for one of the operator's own, with its position."""
    seen = [leaf["seen"] for leaf in arglist.leaves(record["args"]) if isinstance(leaf, dict) and "seen" in leaf]
    return [(place, text) for place, texts in enumerate(seen) for text in texts]


def with_float(record: Json, place: int, text: str) -> list[Json]:
    """The arguments with another float in one place."""
    texts = list(arglist.floats(record["args"]))
    texts[place] = text
    return arglist.with_floats(record["args"], texts)


def many(record: Json) -> list[Json]:
    """Many passing records, evenly spread; half of them with an empty tensor, if there are any."""
    dims = arglist.dimension_symbols(record["args"])
    empty = [row for row in record["pass"] if any(row[0][dim] == 0 for dim in dims)]
    return [row for rows in (record["pass"], empty) for row in arglist.spread(rows, MANY)]


def refused(framework: Framework, record: Json, args: Sequence[Json], cases: Sequence[Json]) -> bool:
    """True if one of the cases is rejected or gives other shapes than recorded."""
    call = framework.compile(record["api"], args)
    try:
        for values, out in cases:
            if [dim for dims, _ in framework.run(call, tuple(values), "normal") for dim in dims] != out:
                return True
    except (Rejected, NotTensors):
        return True
    except Unanswered:
        pass
    return False


def dropped(framework: Framework, record: Json) -> Json:
    """The record without floats, then tuples, that fail in combination with the rest."""
    cases = many(record)
    if refused(framework, record, record["args"], cases):
        return record  # delicate: outcomes depend on elements
    good = [one for one in seen_floats(record) if not refused(framework, record, with_float(record, *one), cases)]
    places = itertools.count()

    def keep(old: Json) -> Json:
        if not isinstance(old, dict) or "seen" not in old:
            return old
        place = next(places)
        return {**old, "seen": [text for at, text in good if at == place]}

    new = {**record, "args": arglist.map_leaves(record["args"], keep)}
    cases, own, rows = full(new)[:2], list(arglist.dtypes(new["args"])), []
    every = [new["args"], *(with_float(new, *one) for one in seen_floats(new))]
    for row in new.get("dtypes", []):
        outs = [outputs_of(framework, {**new, "args": args}, row[0], cases, FILLS[:1]) for args in every]
        if row[0] == own or all(out == row[1] for out in outs):
            rows.append(row)
    return {**new, "dtypes": rows} if "dtypes" in new else new


def renewed(record: Json, rows: Sequence[Json], say: Callable[[str], None]) -> Json:
    """The record with this table."""
    own = list(arglist.dtypes(record["args"]))
    if not rows:
        say(f"{record['op']}: no tuple of dtypes runs")
        return record
    new = dict(record, dtypes=list(rows))
    if all(row[0] != own for row in rows):
        say(f"{record['op']}: its own tuple does not run: now {', '.join(rows[0][0])}")
        new["args"] = arglist.with_dtypes(record["args"], rows[0][0])
    outs = next((row[1] for row in rows if row[0] == own), rows[0][1])
    new["outputs"] = [{**out, "dtype": dtype} for out, dtype in zip(record["outputs"], outs, strict=True)]
    return new

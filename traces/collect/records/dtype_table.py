"""An operator's table of dtypes, and the floats that do not change its shapes; each was run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Framework, NotTensors
from traces.collect.records.filter import Operator

DTYPE_ENTRIES = 24
DTYPE_COMBINATIONS = 400
"""Entries of an API whose combinations of dtypes are all recorded; see Settings.dtypes."""


def dtype_table(framework: Framework, operator: Operator, records: Sequence[Values],
                candidates: Iterable[Sequence[str]], entries: int = DTYPE_ENTRIES) -> list[Json]:  # fmt: skip
    """The tuples of input dtypes that run on passing records with the outputs' dimensions, each with its output dtypes;
    sorted, at most `entries`. The dimensions of a view as another dtype depend on the input's.

    The records should not be of empty tensors: many operators accept any dtype if there is nothing to compute."""
    own = arglist.dtypes(operator.args)
    table = {own: tuple(dtype for _, dtype in operator.types)}
    plain = framework.compile(operator.api, operator.args)
    shapes = [[dims for dims, _ in framework.run(plain, values, "normal")] for values in records]
    for wish in dict.fromkeys(tuple(c) for c in candidates):
        if wish in table or len(wish) != len(own) or len(table) >= entries:
            continue
        compiled = framework.compile(operator.api, arglist.with_dtypes(operator.args, wish))
        try:
            answers = [framework.run(compiled, values, "normal") for values in records]
            framework.run(compiled, records[-1], "zeros")
        except (Rejected, Unanswered, NotTensors):
            continue
        found = {tuple(dtype for _, dtype in answer) for answer in answers}
        if len(found) == 1 and [[dims for dims, _ in answer] for answer in answers] == shapes:
            table[wish] = found.pop()
    return sorted([list(ins), list(outs)] for ins, outs in table.items())


def seen_floats(framework: Framework, operator: Operator, record: Values) -> list[Json]:
    """The operator's arguments with, for each float, the sampled values that do not change the shapes."""
    own = arglist.floats(operator.args)
    if not own:
        return operator.args
    expected = framework.run(framework.compile(operator.api, operator.args), record, "normal")
    seen: list[set[str]] = [{text} for text in own]
    for texts in sorted(operator.float_texts):
        args = arglist.with_floats(operator.args, texts)
        try:
            if framework.run(framework.compile(operator.api, args), record, "normal") != expected:
                continue
        except (Rejected, Unanswered, NotTensors):
            continue
        for place, text in zip(seen, texts, strict=True):
            place.add(text)
    rest = iter([own_text, _spread(texts, own_text)] for own_text, texts in zip(own, seen, strict=True))

    def leaf(old: Json) -> Json:
        if isinstance(old, dict) and "seen" in old:
            const, texts = next(rest)
            return {"const": const, "seen": texts}
        return old

    return arglist.map_leaves(operator.args, leaf)


def _spread(texts: set[str], keep: str) -> list[str]:
    ordered = sorted(texts, key=lambda text: (text == "nan", float(text) if text != "nan" else 0.0, text))
    if len(ordered) > 8:
        step = (len(ordered) - 1) / 7
        ordered = [ordered[round(i * step)] for i in range(8)]
        if keep not in ordered:
            ordered[3] = keep
    return sorted(set(ordered), key=lambda text: (text == "nan", float(text) if text != "nan" else 0.0, text))

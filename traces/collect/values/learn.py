"""Learns the classes of element values that an operator accepts and returns.

An operator's calls are tried in several variants: tuples of dtypes, records, sampled floats. For each, the search determines

    the class of all inputs:  the widest for which every drawing passes
    the class of one input:   the widest, one input after the other, with the others as found so far

A drawing fills each tensor: all elements at an end of the class, all 0, 1 or −1, or random ones. Together they test the
ends against each other. An operator accepts the narrowest class over its tuples of dtypes, and returns the widest.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulefuzz import table
from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.judge import guard
from traces.collect.judge.framework import NotTensors
from traces.collect.values import classes
from traces.collect.values.classes import ANY, COUNT, NONE, SMALL, UNIT, Seen
from traces.collect.values.drawings import drawings
from traces.collect.values.summary import Summary, summarised
from traces.collect.values.variants import (
    MORE_RECORDS,
    OTHER_RECORDS,
    RECORDS,
    Looking,
    Variant,
    count_elements,
    float_choices,
    records,
    rows,
)

KILLED = 2
"""Calls of an API that hang or crash before it gets small elements only: each hang takes a second."""
LIMIT = 6000
"""Maximum calls per operator: those that need more get no row."""
Kinds = tuple[int, ...]
"""The class of each input that has one ("live")."""
Answer = tuple[Seen, ...]


@dataclass
class Deaths:
    """Number of an API's calls that hung or crashed."""

    count: int = 0


class TooMany(Exception):
    """LIMIT calls."""


@dataclass
class Operator:
    """An operator being processed."""

    framework: Looking
    record: Json
    deaths: Deaths
    live: list[bool] = field(default_factory=list)
    """For each input tensor of the record whether its elements have classes in some tuple of dtypes."""
    variants: list[Variant] = field(default_factory=list)
    calls: int = 0
    answers: dict[tuple[int, Kinds, bool], list[Answer] | None] = field(default_factory=dict)

    def run(self, which: int, kinds: Kinds, lax: bool) -> list[Answer] | None:
        """The outputs of all drawings of a variant; None if a call raises, returns other shapes or, unless lax, a
        non-finite value."""
        key = which, kinds, lax
        if key not in self.answers:
            self.answers[key] = self._run(self.variants[which], kinds, lax)
        return self.answers[key]

    def _run(self, variant: Variant, kinds: Kinds, lax: bool) -> list[Answer] | None:
        if self.deaths.count >= KILLED and max(kinds, default=UNIT) > SMALL:
            return None
        found = []
        for modes in drawings(len(kinds)):
            rest = iter(f"{kind}{mode}" for kind, mode in zip(kinds, modes, strict=True))
            fill = ",".join(next(rest) if live else classes.OWN for live in self.live)
            self.calls += 1
            if self.calls > LIMIT:
                raise TooMany
            try:
                answer = self.framework.run(variant.call, variant.values, fill)
            except (Rejected, Unanswered, NotTensors) as error:
                self.deaths.count += str(error) == guard.KILLS
                return None
            if tuple(dim for seen in answer for dim in seen.dims) != variant.dims:
                return None
            if not lax and not all(seen.finite for seen in answer):
                return None
            found.append(answer)
        return found

    def summaries(self, whiches: Sequence[int], kinds: Kinds, *, lax: bool = False) -> list[Summary] | None:
        """The summary of each output; None if a variant fails."""
        whole: list[list[Answer]] = []
        for which in whiches:
            run = self.run(which, kinds, lax)
            if run is None:
                return None
            whole.append(run)
        sizes = [self.variants[which].elements for which in whiches]
        found = (summarised([[answer[out] for answer in run] for run in whole], sizes, len(kinds))
                 for out in range(len(whole[0][0])))  # fmt: skip
        return [summary for summary in found if summary is not None]

    def fits(self, whiches: Sequence[int], kinds: Kinds, *, lax: bool = False) -> bool:
        """True if inputs of these classes never fail."""
        found = self.summaries(whiches, kinds, lax=lax)
        return found is not None and (lax or all(summary.safe(max(kinds, default=None)) for summary in found))

    def accepts(self, whiches: Sequence[int], most: int, *, lax: bool = False) -> Kinds | None:
        """The widest classes, at most `most`, that the inputs may have in these variants; None if not even UNIT."""
        count = sum(self.live)
        start = next((kind for kind in range(most, UNIT - 1, -1) if self.fits(whiches, (kind,) * count, lax=lax)), None)
        if start is None:
            return None
        kinds = [start] * count
        for place in range(count):
            for kind in range(most, start, -1):
                if self.fits(whiches, (*kinds[:place], kind, *kinds[place + 1 :]), lax=lax):
                    kinds[place] = kind
                    break
        return tuple(kinds)


def prepare(framework: Looking, record: Json, deaths: Deaths) -> Operator:
    """The operator with the variants to try."""
    operator = Operator(framework, record, deaths)
    tried = rows(record)
    tensors = arglist.tensors(record["args"])
    operator.live = [
        "range" not in tensor and all(classes.known(row[i]) for row in tried) for i, tensor in enumerate(tensors)
    ]
    texts = float_choices(record["args"])
    dims = arglist.dimension_symbols(record["args"])
    varied = len(texts) > 1 or not record["pass"] or len(dims) < len(record["pass"][0][0])
    for number, row in enumerate(tried):
        count = OTHER_RECORDS if number else MORE_RECORDS if varied else RECORDS
        chosen = records(record, count)
        for place in range(max(len(chosen), 0 if number else len(texts))):
            args = arglist.with_floats(arglist.with_dtypes(record["args"], row), texts[place % len(texts)])
            values, outs = chosen[place % len(chosen)]
            operator.variants.append(
                Variant(number, framework.compile(record["api"], args), values, outs, sum(count_elements(args, values)),
                        any(map(classes.narrow, row))))  # fmt: skip
    return operator


def learn(framework: Looking, record: Json, deaths: Deaths) -> tuple[Kinds, Kinds, str] | str:
    """(class of each input, classes of the outputs for each class, a note), or the reason why no class was learned."""
    if not record["pass"]:
        return "no passing records"
    operator = prepare(framework, record, deaths)
    try:
        return _learn(operator)
    except TooMany:
        return "too many calls"


def _learn(operator: Operator) -> tuple[Kinds, Kinds, str] | str:
    variants, unit = operator.variants, (UNIT,) * sum(operator.live)
    quiet = [which for which in range(len(variants)) if operator.fits([which], unit, lax=True)]
    if 2 * len(quiet) < len(variants):
        if operator.record.get("delicate"):
            return "delicate"
        return _whole(operator, unit and (NONE,) * len(unit)), (ANY,) * COUNT, "raises"
    if not any(operator.summaries([which], unit, lax=True) for which in quiet):
        return "always empty"
    wide = [which for which in quiet if not variants[which].narrow] or quiet
    usable = [which for which in wide if operator.fits([which], unit)]
    taken = [kinds for group in _by_row(operator, usable) if (kinds := operator.accepts(group, ANY)) is not None]
    if not taken:
        taken = [kinds for group in _by_row(operator, quiet) if (kinds := operator.accepts(group, ANY, lax=True)) is not None]
        return _whole(operator, _narrowest(taken)), (ANY,) * COUNT, "not finite"
    accepts = _narrowest(taken)
    for group in _by_row(operator, [which for which in quiet if which not in wide]):
        cap = operator.accepts(group, SMALL)
        if cap is not None:
            accepts = tuple(min(kind, most) if most < SMALL else kind for kind, most in zip(accepts, cap, strict=True))
    whole = len(usable) == len(wide)
    return _whole(operator, accepts), _gives(operator, usable, accepts) if whole else (ANY,) * COUNT, "" if whole else "partly"


def _by_row(operator: Operator, whiches: Sequence[int]) -> list[list[int]]:
    """Variants, those with the same dtypes together."""
    groups: dict[int, list[int]] = {}
    for which in whiches:
        groups.setdefault(operator.variants[which].row, []).append(which)
    return list(groups.values())


def _narrowest(taken: Sequence[Kinds]) -> Kinds:
    return tuple(min(kinds) for kinds in zip(*taken, strict=True))


def _gives(operator: Operator, whiches: Sequence[int], accepts: Kinds) -> Kinds:
    gives: list[int] = []
    for kind in range(COUNT):
        kinds = tuple(min(kind, most) for most in accepts)
        widest = gives[-1] if gives else UNIT
        for group in _by_row(operator, whiches):
            found = operator.summaries(group, kinds)
            widest = max([widest, *([ANY] if found is None else [s.kind(max(kinds, default=None)) for s in found])])
        gives.append(widest)
    return tuple(gives)


def _whole(operator: Operator, kinds: Kinds) -> Kinds:
    """Adds ANY for inputs without classes."""
    rest = iter(kinds)
    return tuple(next(rest) if live else ANY for live in operator.live)


def letters(kinds: Sequence[int]) -> str:
    """Classes as the table writes them; "." for none."""
    return "".join("-" if kind == NONE else classes.LETTERS[kind] for kind in kinds) or "."


def _in_models(framework: Looking, record: Json) -> bool:
    """True if models can contain an operator."""
    row = table.frameworks().get(framework.name)
    return not record.get("random") or (row is not None and row.has_files)


def work_on(framework: Looking, path: Path) -> Json:
    """The rows of an API's operators, and the number without one, by reason."""
    rows_, notes, deaths = [], Counter[str](), Deaths()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if not _in_models(framework, record) or '"held"' in line:
            notes["random or held"] += 1
            continue
        found = learn(framework, record, deaths)
        if isinstance(found, str):
            notes[found] += 1
            continue
        notes[found[2] or "whole"] += 1
        rows_.append([record["op"], letters(found[0]), letters(found[1]), found[2]])
    return {"rows": rows_, "notes": notes}

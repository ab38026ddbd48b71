"""Processes one API: filter, choose, augment, describe. Runs inside a supervised worker."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from traces.collect.call import arglist
from traces.collect.call.spec import Call, Json, Values
from traces.collect.judge.framework import Framework, Wishing
from traces.collect.records import augment, choose, dtype_table, filter, select, write
from traces.collect.records.asker import Asker, TooManyHangs, TooSlow
from traces.collect.records.settings import Budget, Settings, limit

OPERATOR_SECONDS = 8.0
"""CPU seconds for the mutants of an operator. Most take a tenth of a second; the few beyond have a function whose cost
explodes with an argument (combinations)."""
TRIES = (1.0, 0.12, 0.0)
"""Shares of the trials: an operator that takes too long starts again with the next share, as do the API's others."""
SLOW_ELEMENTS = 64
"""Elements of a tensor then: some functions take milliseconds per element (polygamma)."""
MIXED_SHARE = 20
"""If more than one input in this many depends on the tensors' elements, the operator is dropped."""

T = TypeVar("T")
Kept = tuple[filter.Operator, augment.Records, list[Values], list[Values]]
"""An operator, all its records, and the passing and failing ones to write."""


class _Api:
    """An API being processed."""

    def __init__(self, framework: Framework, api: str, settings: Settings, hangs: Mapping[tuple[str, str], int]) -> None:
        self._framework, self._api, self._settings, self._hangs = framework, api, settings, hangs
        self._level = 0
        """Index into TRIES: how often one of its operators was too slow."""
        self.reasons: filter.Reasons = Counter()
        self.suspicious: list[list[str]] = []
        self.tried = 0

    def explore(self, operator: filter.Operator) -> Kept | None:
        """The records of an operator; None if it is dropped after all."""
        ask = Asker(self._framework, operator, self._hangs)
        records, budget = self._records(operator, ask)
        self.tried += records.tried
        if ask.suspicious is not None:
            self.suspicious.append([operator.key(), *ask.suspicious])
        if records.mixed * MIXED_SHARE > records.tried + MIXED_SHARE:
            self.reasons[(operator.key(), "value-dependent: the outcome of mutants depends on the elements")] += 1
            return None
        if not records.passing:
            self.reasons[(operator.key(), "no sample passes with all fills")] += 1
            return None
        if records.failing and not any(map(_is_full(operator), records.passing)):
            self.reasons[(operator.key(), "accepted with empty tensors only")] += 1
            return None
        return (operator, records, *select.select(records, budget))

    def _records(self, operator: filter.Operator, ask: Asker) -> tuple[augment.Records, Budget]:
        """The mutants' results, and the budget used; an operator that is too slow starts again with less."""
        digest = hashlib.sha256(f"{self._settings.seed} {self._api} {operator.key()}".encode()).digest()
        form = augment.Form(
            len(operator.seeds[0]),
            tuple(tuple(int(s[1:]) for s in tensor["tensor"]) for tensor in arglist.tensors(operator.args)),
            arglist.ranges(operator.args),
        )
        while True:
            ask.limit(OPERATOR_SECONDS if TRIES[self._level] else math.inf)
            budget = self._budget(form.symbols)
            rng = random.Random(int.from_bytes(digest[:8], "big"))
            explorer = augment.Explorer(form, operator.seeds, ask, rng, budget, ask.glance)
            try:
                return explorer.explore(operator.failures), budget
            except TooManyHangs:
                self.reasons[(operator.key(), "its calls hang: fewer of its mutants are recorded")] += 1
                return explorer.records, budget
            except TooSlow:
                self._level += 1
                self.reasons[(operator.key(), "too slow: fewer mutants of this API's operators are recorded")] = 1

    def _budget(self, symbols: int) -> Budget:
        own = self._settings.budget
        budget = replace(own, trials=int(own.trials * TRIES[self._level]))
        return (replace(budget, elements=SLOW_ELEMENTS) if self._level else budget).for_symbols(symbols)


def chosen(settings: Settings, api: str, found: Sequence[filter.Operator],
           explore: Callable[[list[filter.Operator]], Iterable[T | None]]) -> list[T]:  # fmt: skip
    """The explored operators, as many as are kept; others replace those that are dropped. Lists in tensors have a length
    per rank, so an API with such lists keeps more operators, spread over ranks."""
    most, told = limit(settings, api), any(map(choose.tells, found))
    spread, most = settings.spread or told, max(most, settings.told) if told else most
    kept: list[T] = []
    waiting = choose.choose(found, most, spread=spread, dtypes=settings.dtypes)
    spare = _without(found, waiting)
    while waiting:
        kept += [new for new in explore(waiting) if new is not None]
        waiting = choose.choose(spare, most - len(kept), spread=spread, dtypes=settings.dtypes) if len(kept) < most else []
        spare = _without(spare, waiting)
    return kept


def _is_full(operator: filter.Operator) -> Callable[[Values], bool]:
    """A predicate on inputs: no tensor is empty."""
    dims = arglist.dimension_symbols(operator.args)
    return lambda values: all(values[i] > 0 for i in dims)


def _without(found: Sequence[filter.Operator], some: Sequence[filter.Operator]) -> list[filter.Operator]:
    return [operator for operator in found if not any(operator is other for other in some)]


def collect_api(framework: Framework, api: str, calls: Sequence[Call], other_dtypes: dict[str, list[list[str]]],
                settings: Settings, hangs: Mapping[tuple[str, str], int] | None = None) -> Json:  # fmt: skip
    """The lines of an API's record file, reasons of dropped calls, and suspicious failures.

    `hangs`: number of hanging calls so far, by (API, signature with floats); it grows as calls run.
    """
    work = _Api(framework, api, settings, {} if hangs is None else hangs)
    found = filter.operators(framework, api, calls, work.reasons)
    kept = sorted(chosen(settings, api, found, lambda some: map(work.explore, some)), key=lambda parts: parts[0].key())
    entries = dtype_table.DTYPE_COMBINATIONS if settings.dtypes else dtype_table.DTYPE_ENTRIES
    lines = [_describe(framework, *parts, other_dtypes, number, entries) for number, parts in enumerate(kept)]
    counts = {"operators": len(kept), "pass": sum(len(passing) for _, _, passing, _ in kept),
              "fail": sum(len(failing) for _, _, _, failing in kept), "found": len(found), "tried": work.tried}  # fmt: skip
    dropped = [[text, reason, count] for (text, reason), count in sorted(work.reasons.items())]
    return {"lines": lines, "dropped": dropped, "assertions": sorted(work.suspicious), "counts": counts}


def explored(framework: Framework, operator: filter.Operator, settings: Settings, hangs: Mapping[tuple[str, str], int]) -> Json:
    """The same for one operator, as the first of its API; no line if it is dropped."""
    work = _Api(framework, operator.api, settings, hangs)
    kept = work.explore(operator)
    lines = [] if kept is None else [_describe(framework, *kept, {}, 0)]
    counts = {"pass": len(kept[2]) if kept else 0, "fail": len(kept[3]) if kept else 0, "tried": work.tried}
    dropped = [[text, reason, count] for (text, reason), count in sorted(work.reasons.items())]
    return {"lines": lines, "dropped": dropped, "counts": counts}


def nothing(reason: str, calls: int) -> Json:
    """The result for an API without kept operators."""
    counts = {"operators": 0, "pass": 0, "fail": 0, "found": 0, "tried": 0}
    return {"lines": [], "dropped": [["", reason, calls]], "assertions": [], "counts": counts}


def _with_elements(operator: filter.Operator, passing: list[Values]) -> list[Values]:
    """A few passing records without empty tensors, evenly spread."""
    full = [values for values in passing if _is_full(operator)(values)]
    return full[:: max(1, len(full) // 5)][:6]


def other_tuples(framework: Framework, api: str, args: Sequence[Json]) -> list[list[str]]:
    """Tuples of dtypes to try: the most common one with each of the usual dtypes, and the framework's proposals."""
    own = arglist.dtypes(args)
    if not own:
        return []
    main = Counter(own).most_common(1)[0][0]
    usual = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "bool", "complex64")
    found = [[dtype if old == main else old for old in own] for dtype in usual]
    return found + (framework.wishes(api, args) if isinstance(framework, Wishing) else [])


def _describe(framework: Framework, operator: filter.Operator, records: augment.Records, passing: list[Values],
              failing: list[Values], other_dtypes: dict[str, list[list[str]]], number: int,
              entries: int = dtype_table.DTYPE_ENTRIES) -> str:  # fmt: skip
    seeds = [values for values in operator.seeds if values in records.passing] or passing
    candidates = list(other_dtypes.get(arglist.signature(operator.args), []))
    candidates += other_tuples(framework, operator.api, operator.args)
    table = dtype_table.dtype_table(framework, operator, _with_elements(operator, passing) or seeds[:3], candidates, entries)
    args = dtype_table.seen_floats(framework, operator, seeds[0])
    api = operator.api
    outputs = [(values, records.passing[values].outputs) for values in passing]
    name = f"{api}-{number}"
    return write.line(framework.name, framework.version, name, api, args, operator.types, outputs, failing, table,
                      operator.sources, operator.random)  # fmt: skip

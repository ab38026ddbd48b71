"""All of one API: filter, choose, augment, describe. Runs inside a supervised worker."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from traces.collect.call import arglist
from traces.collect.call.spec import Call, Json, Values
from traces.collect.judge.framework import Framework, Wishing
from traces.collect.records import augment, choose, dtype_table, filter, select, write
from traces.collect.records.asker import Asker, TooManyHangs, TooSlow
from traces.collect.records.settings import Settings, limit

OPERATOR_SECONDS = 8.0
"""Processor time for the mutants of an operator. Most take a tenth of a second; the few beyond have a function whose
cost explodes with an argument (combinations)."""
TRIES = (1.0, 0.12, 0.0)
"""Shares of the trials: an operator that takes too long starts again with the next, and so do the API's others."""
SLOW_ELEMENTS = 64
"""Elements of a tensor then: some functions take milliseconds for each (polygamma)."""
MIXED_SHARE = 20
"""One input in so many may depend on the tensors' elements before an operator is dropped."""


Kept = tuple[filter.Operator, augment.Records, list[Values], list[Values]]
"""An operator, all its records, and those of them that pass and fail and are written."""


def collect_api(framework: Framework, api: str, calls: Sequence[Call], other_dtypes: dict[str, list[list[str]]],
                settings: Settings, hangs: Mapping[tuple[str, str], int] | None = None) -> Json:  # fmt: skip
    """The lines of an API's record file, why calls were dropped, and suspicious failures.

    `hangs`: how many calls of an operator, by (API, signature with floats), hung so far; it grows as calls are made.
    """
    reasons: filter.Reasons = Counter()
    found = filter.operators(framework, api, calls, reasons)
    kept: list[Kept] = []
    hangs = {} if hangs is None else hangs
    level = 0
    suspicious: list[list[str]] = []
    counts = {"operators": 0, "pass": 0, "fail": 0, "found": len(found), "tried": 0}
    waiting = choose.choose(found, limit(settings, api), spread=settings.spread)
    spare = [operator for operator in found if not any(operator is other for other in waiting)] if settings.spread else []
    while waiting or (spare and len(kept) < limit(settings, api)):
        if not waiting:  # in place of those that were dropped
            waiting = choose.choose(spare, limit(settings, api) - len(kept), spread=True)
            spare = [operator for operator in spare if not any(operator is other for other in waiting)]
        operator = waiting.pop(0)
        ask = Asker(framework, operator, hangs)
        digest = hashlib.sha256(f"{settings.seed} {api} {operator.key()}".encode()).digest()
        form = augment.Form(
            len(operator.seeds[0]),
            tuple(tuple(int(s[1:]) for s in tensor["tensor"]) for tensor in arglist.tensors(operator.args)),
            arglist.ranges(operator.args),
        )
        while True:
            ask.limit(OPERATOR_SECONDS if TRIES[level] else math.inf)
            budget = replace(settings.budget, trials=int(settings.budget.trials * TRIES[level]))
            if level:
                budget = replace(budget, elements=SLOW_ELEMENTS)
            budget = budget.for_symbols(form.symbols)
            rng = random.Random(int.from_bytes(digest[:8], "big"))
            explorer = augment.Explorer(form, operator.seeds, ask, rng, budget)
            try:
                records = explorer.explore(operator.failures)
            except TooManyHangs:
                records = explorer.records
                reasons[(operator.key(), "its calls hang: fewer of its mutants are recorded")] += 1
            except TooSlow:
                level += 1
                reasons[(operator.key(), "too slow: fewer mutants of this API's operators are recorded")] = 1
                continue
            break
        counts["tried"] += records.tried
        if ask.suspicious is not None:
            suspicious.append([operator.key(), *ask.suspicious])
        if records.mixed * MIXED_SHARE > records.tried + MIXED_SHARE:
            reasons[(operator.key(), "value-dependent: the outcome of mutants depends on the elements")] += 1
            continue
        if not records.passing:
            reasons[(operator.key(), "no sample passes with all fills")] += 1
            continue
        passing, failing = select.select(records, budget)
        kept.append((operator, records, passing, failing))
        counts["operators"] += 1
        counts["pass"] += len(passing)
        counts["fail"] += len(failing)
    kept.sort(key=lambda parts: parts[0].key())
    lines = [_describe(framework, *parts, other_dtypes, number) for number, parts in enumerate(kept)]
    dropped = [[text, reason, count] for (text, reason), count in sorted(reasons.items())]
    return {"lines": lines, "dropped": dropped, "assertions": sorted(suspicious), "counts": counts}


def nothing(reason: str, calls: int) -> Json:
    """The answer for an API of which nothing is kept."""
    counts = {"operators": 0, "pass": 0, "fail": 0, "found": 0, "tried": 0}
    return {"lines": [], "dropped": [["", reason, calls]], "assertions": [], "counts": counts}


def _with_elements(operator: filter.Operator, passing: list[Values]) -> list[Values]:
    """A few passing records, evenly spread, whose tensors all hold elements."""
    dims = {int(dim[1:]) for dim in re.findall(r"s\d+", " ".join(re.findall(r'"tensor":\s*\[([^\]]*)\]',
                                                                         json.dumps(operator.args))))}  # fmt: skip
    full = [values for values in passing if all(values[dim] > 0 for dim in dims)]
    return full[:: max(1, len(full) // 5)][:6]


def other_tuples(framework: Framework, api: str, args: Sequence[Json]) -> list[list[str]]:
    """Tuples of dtypes to try: the commonest replaced by each of the usual ones, and what the framework wishes."""
    own = arglist.dtypes(args)
    if not own:
        return []
    main = Counter(own).most_common(1)[0][0]
    usual = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "bool", "complex64")
    found = [[dtype if old == main else old for old in own] for dtype in usual]
    return found + (framework.wishes(api, args) if isinstance(framework, Wishing) else [])


def _describe(framework: Framework, operator: filter.Operator, records: augment.Records, passing: list[Values],
              failing: list[Values], other_dtypes: dict[str, list[list[str]]], number: int) -> str:  # fmt: skip
    seeds = [values for values in operator.seeds if values in records.passing] or passing
    candidates = list(other_dtypes.get(arglist.signature(operator.args), []))
    candidates += other_tuples(framework, operator.api, operator.args)
    table = dtype_table.dtype_table(framework, operator, _with_elements(operator, passing) or seeds[:3], candidates)
    args = dtype_table.seen_floats(framework, operator, seeds[0])
    api = operator.api
    outputs = [(values, records.passing[values].outputs) for values in passing]
    name = f"{api}-{number}"
    return write.line(framework.name, framework.version, name, api, args, operator.types, outputs, failing, table,
                      operator.sources, operator.random)  # fmt: skip

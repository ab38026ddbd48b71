"""All of one API: filter, choose, augment, describe. Runs inside a supervised worker."""

from __future__ import annotations

import functools
import hashlib
import random
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from traces.collect import augment, filter, symbolise, write
from traces.collect.oracle import FAIL, Framework, Verdict, judge
from traces.collect.symbolise import Call, Json, Values

BUG_SIGNS = ("INTERNAL ASSERT", "please report a bug")
FEW_TRIALS = 0.25
DEATHS_FEW, DEATHS_NONE = 3, 6
"""An operator whose calls killed the worker this often gets few mutants, then none: only its samples are run."""
OPERATOR_SECONDS = 8.0
"""Processor time for the mutants of an operator. Most take a tenth of a second; the few beyond have a function whose
cost explodes with an argument (combinations, polygamma): the API's other operators get no mutants then."""
MIXED_SHARE = 20
"""One input in so many may depend on the tensors' elements before an operator is dropped."""


class TooSlow(Exception):
    """An operator's mutants take more than OPERATOR_SECONDS."""


@dataclass(frozen=True)
class Settings:
    """What a run is made with."""

    seed: int
    budget: augment.Budget
    functions: int = 10
    """Operators kept of a function."""
    methods: int = 5
    """Operators kept of a method."""


def limit(settings: Settings, api: str) -> int:
    """How many operators of this API are kept."""
    return settings.methods if ".Tensor." in api else settings.functions


def collect_api(framework: Framework, api: str, calls: Sequence[Call], other_dtypes: dict[str, list[list[str]]],
                settings: Settings, deaths: Mapping[tuple[str, str], int] | None = None) -> Json:  # fmt: skip
    """The lines of an API's record file, why calls were dropped, and suspicious failures.

    `deaths`: how many calls of an operator, by (API, signature with floats), killed earlier workers.
    """
    reasons: filter.Reasons = Counter()
    found = filter.operators(framework, api, calls, reasons, other_ranks=settings.budget.trials > 0)
    lines: list[str] = []
    too_slow = False
    assertions: dict[str, tuple[str, str]] = {}
    counts = {"operators": 0, "pass": 0, "fail": 0, "found": len(found), "tried": 0}
    for operator in filter.choose(found, limit(settings, api)):
        call = framework.compile(api, operator.args)

        end = time.process_time() + OPERATOR_SECONDS

        def ask(values: Values, operator: filter.Operator = operator, call: object = call, end: float = end) -> Verdict:
            if time.process_time() > end:
                raise TooSlow
            verdict = judge(framework, call, values, operator.types)
            if verdict.kind == FAIL and any(sign in verdict.message for sign in BUG_SIGNS):
                assertions.setdefault(operator.key(), (",".join(map(str, values)), _first_line(verdict.message)))
            return verdict

        digest = hashlib.sha256(f"{settings.seed} {api} {operator.key()}".encode()).digest()
        form = augment.Form(
            len(operator.seeds[0]),
            tuple(tuple(int(s[1:]) for s in tensor["tensor"]) for tensor in symbolise.tensors(operator.args)),
        )
        killed = (deaths or {}).get((api, symbolise.signature(operator.args, keep_floats=True)), 0)
        trials = 0 if too_slow else _trials(settings.budget.trials, killed)
        budget = replace(settings.budget, trials=trials)
        budget = budget.for_symbols(form.symbols)
        rng = random.Random(int.from_bytes(digest[:8], "big"))
        try:
            records = augment.Explorer(form, operator.seeds, ask, rng, budget).explore(operator.failures)
        except TooSlow:
            budget = replace(budget, trials=0)
            samples = functools.partial(judge, framework, call, types=operator.types)
            records = augment.Explorer(form, operator.seeds, samples, rng, budget).explore(operator.failures)
            reasons[(operator.key(), "too slow: only the samples of this API's operators are recorded")] += 1
            too_slow = True
        counts["tried"] += records.tried
        if records.mixed * MIXED_SHARE > records.tried + MIXED_SHARE:
            reasons[(operator.key(), "value-dependent: the outcome of mutants depends on the elements")] += 1
            continue
        if not records.passing:
            reasons[(operator.key(), "no sample passes with all fills")] += 1
            continue
        passing, failing = augment.select(records, budget)
        lines.append(_describe(framework, operator, records, passing, failing, other_dtypes, len(lines)))
        counts["operators"] += 1
        counts["pass"] += len(passing)
        counts["fail"] += len(failing)
    suspicious = [[key, *found_by] for key, found_by in sorted(assertions.items())]
    dropped = [[text, reason, count] for (text, reason), count in sorted(reasons.items())]
    return {"lines": lines, "dropped": dropped, "assertions": suspicious, "counts": counts}


def nothing(reason: str, calls: int) -> Json:
    """The answer for an API of which nothing is kept."""
    counts = {"operators": 0, "pass": 0, "fail": 0, "found": 0, "tried": 0}
    return {"lines": [], "dropped": [["", reason, calls]], "assertions": [], "counts": counts}


def _trials(trials: int, killed: int) -> int:
    if killed >= DEATHS_NONE:
        return 0
    return int(trials * FEW_TRIALS) if killed >= DEATHS_FEW else trials


def _first_line(message: str) -> str:
    """The message without what differs between builds: where the sources were compiled."""
    return re.sub(r'"/[^"]*?/(?=aten/|c10/|torch/)', '"', message.strip().split("\n", 1)[0])[:200]


def _describe(framework: Framework, operator: filter.Operator, records: augment.Records, passing: list[Values],
              failing: list[Values], other_dtypes: dict[str, list[list[str]]], number: int) -> str:  # fmt: skip
    seeds = [values for values in operator.seeds if values in records.passing] or passing
    own = symbolise.dtypes(operator.args)
    candidates = list(other_dtypes.get(symbolise.signature(operator.args), []))
    if own:
        main = Counter(own).most_common(1)[0][0]
        for dtype in ("float32", "float64", "float16", "bfloat16", "int64", "int32", "bool", "complex64"):
            candidates.append([dtype if old == main else old for old in own])
    table = filter.dtype_table(framework, operator, seeds[:3], candidates)
    args = filter.seen_floats(framework, operator, seeds[0])
    api = operator.api
    outputs = [(values, records.passing[values].outputs) for values in passing]
    name = f"{api}-{number}"
    return write.line(framework.name, framework.version, name, api, args, operator.types, outputs, failing, table,
                      operator.sources)  # fmt: skip

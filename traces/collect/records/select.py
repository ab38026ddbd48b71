"""Selects the inputs to record."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence

from traces.collect.call.spec import Values
from traces.collect.records.augment import Records
from traces.collect.records.settings import Budget


def select(records: Records, budget: Budget) -> tuple[list[Values], list[Values]]:
    """The records to keep, sorted: failing inputs close to passing ones first, with these; the rest spread over the kinds."""
    failing = _select_failing(records, budget.failing)
    cap = budget.passing if failing else budget.passing_if_no_failure
    chosen: dict[Values, None] = {}
    for values in _round_robin(records, [v for v in records.passing if records.kinds[v] == "seed"], cap // 4):
        chosen[values] = None
    for values in failing:
        parent = records.parents.get(values)
        if parent in records.passing and len(chosen) < cap // 2:
            chosen[parent] = None
    for values in _round_robin(records, _spread(list(records.passing)), len(records.passing)):
        if len(chosen) >= cap:
            break
        chosen[values] = None
    return sorted(chosen), sorted(failing)


def _spread(inputs: Sequence[Values]) -> list[Values]:
    """An order in which every prefix is spread over the whole: later mutants are farther from the samples."""
    return [inputs[i] for i in sorted(range(len(inputs)), key=lambda i: f"{i:020b}"[::-1])]


def _round_robin(records: Records, candidates: Sequence[Values], count: int) -> list[Values]:
    queues: dict[str, list[Values]] = defaultdict(list)
    for values in candidates:
        queues[records.kinds[values]].append(values)
    return _interleave(list(queues.values()), count)


def _interleave(queues: Sequence[Sequence[Values]], count: int) -> list[Values]:
    rows = itertools.zip_longest(*queues)
    return list(itertools.islice((v for row in rows for v in row if v is not None), count))


def _select_failing(records: Records, cap: int) -> list[Values]:
    """By distance from a passing record; within a distance, spread over which symbols differ and in which direction."""
    queues: dict[tuple[int, tuple[int, ...]], list[Values]] = defaultdict(list)
    for values, distance in records.failing.items():
        base = records.parents.get(values, values)
        change = tuple((a > b) - (a < b) for a, b in zip(values, base, strict=True))
        queues[(distance if distance <= 2 else 3, change)].append(values)
    near = _interleave([queue for (distance, _), queue in queues.items() if distance == 1], cap)
    middle = _interleave([queue for (distance, _), queue in queues.items() if distance == 2], cap)
    far = _interleave([queue for (distance, _), queue in queues.items() if distance == 3], cap)
    third = cap // 3
    chosen = dict.fromkeys(near[: cap - third] + middle[:third] + far[: third // 2])
    for values in near + middle + far:
        if len(chosen) >= cap:
            break
        chosen[values] = None
    return list(chosen)[:cap]

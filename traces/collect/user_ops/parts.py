"""Collects all signatures of a user-defined operator in parallel, each in its own worker.

A first worker finds the signatures; then each kept one is explored by another worker, whose calls run in servants only
after one has killed it. Random draws are those of a single worker, so results depend neither on other workers nor on
their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rulefuzz import sandbox
from traces.collect.call.spec import Call, Json
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records import filter, operators
from traces.collect.records.settings import Settings
from traces.collect.user_ops.notation import BadCall

LIFE = 2000
"""Calls per servant: all belong to one operator, whose crashes are reported."""
Calls = Callable[[Framework], Sequence[Call]]
Guard = Callable[[Framework], Guarded]


def _deaths(guarded: Guarded) -> list[tuple[str, str]]:
    """Each crashing call, and how it ended its process."""
    return [(how, call) for call, how in guarded.killers.items()]


class Parts:
    """The collection of one API."""

    def __init__(self, framework: Framework, api: str, settings: Settings, scratch: Path, limits: sandbox.Limits,
                 jobs: int = 2) -> None:  # fmt: skip
        self._framework, self._api, self._settings = framework, api, settings
        self._scratch, self._limits, self._jobs = scratch, limits, jobs
        self._parts: list[Json] = []

    def _run(self, names: Sequence[str], work: workers.Work) -> dict[str, Json]:
        ended = workers.run(names, self._jobs, work, self._scratch, limits=self._limits, life=LIFE)
        return {name: answer for name, answer, _ in ended if answer}

    def collect(self, calls: Calls) -> Json:
        """As operators.collect_api, with the crashing calls; empty if the collector fails, and {"error": …} if there are no
        calls."""

        def find(_: str, guard: Guard) -> Json:
            guarded, reasons = guard(self._framework), filter.Reasons()
            try:
                found = filter.operators(guarded, self._api, calls(guarded), reasons)
            except BadCall as error:
                return {"error": str(error)}
            dropped = [[*key, count] for key, count in sorted(reasons.items())]
            return {"found": [operator.told() for operator in found], "dropped": dropped, "deaths": _deaths(guarded)}

        first = self._run([self._api], find).get(self._api, {})
        if "found" not in first:
            return first
        found = [filter.Operator.of(told) for told in first["found"]]
        kept = operators.chosen(self._settings, self._api, found, self._explored)
        return self._together(first, [line for _, line in sorted(kept)])

    def _explored(self, some: Sequence[filter.Operator]) -> Iterator[tuple[str, str] | None]:
        """The key and the line of each operator, None if it is dropped."""
        names = {f"{self._api}-{len(self._parts) + place}": operator for place, operator in enumerate(some)}

        def explore(name: str, guard: Guard) -> Json:
            guarded = guard(self._framework)
            answer = operators.explored(guarded, names[name], self._settings, guarded.hangs)
            return {**answer, "deaths": _deaths(guarded)}

        answers = self._run(list(names), explore)
        for name, operator in names.items():
            part = answers.get(name, {})
            self._parts.append(part)
            yield (operator.key(), part["lines"][0]) if part.get("lines") else None

    def _together(self, first: Json, lines: Sequence[str]) -> Json:
        start = f'{{"op":"{self._api}-'
        numbered = [f"{start}{number}{line[len(start) + 1 :]}" for number, line in enumerate(lines)]
        counts = Counter[str]()
        for part in self._parts:
            counts.update(part.get("counts", {}))
        every = [first, *self._parts]
        joined = {key: [row for part in every for row in part.get(key, ())] for key in ("dropped", "deaths")}
        return {"lines": numbered, **joined, "counts": {**counts, "operators": len(lines)}}

"""A worker's task for one API of a collection."""

from __future__ import annotations

from collections.abc import Callable

from traces.collect.call.spec import Call, Json
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Settings


def work_of(framework: Framework, settings: Settings, plan: dict[str, Json]) -> workers.Work:
    """A worker's task for an API."""

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        entry, guarded = plan[api], guard(framework)
        calls = [Call(api, args, tuple(values), source, failing) for args, values, source, failing in entry["calls"]]
        own = settings.limited(entry.get("limits", {}))
        answer = collect_api(guarded, api, calls, entry["dtypes"], own, guarded.hangs)
        return {**answer, "deaths": guarded.noted()}

    return work

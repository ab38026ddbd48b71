"""The sources of JAX's calls: those written in `examples`, the examples in docstrings (`docs`), and arguments tried by their
annotations (`probe`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from traces.collect import cache
from traces.collect.call.spec import Json
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.jax import adapter, docs, examples, probe, public
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records.plan import Plan
from traces.collect.records.write import write_file

JOBS = 1
FEW = 5
"""Probed calls with which the examples of the docstring are run as well: each compiles."""
BUILD = Path("build/traces/jax")
LIMITS = workers.LIMITS.__class__(adapter.MEMORY, 20.0, 120.0)
"""Of a function: its address space, and CPU and wall-clock seconds per call."""


def _examples(api: str, plan: Plan) -> None:
    for args, kwargs in examples.EXAMPLES.get(api, ()):
        names = list(public.signature(public.functions()[api]).parameters)  # type: ignore[union-attr]
        pairs = [*((n, True, arg) for n, arg in zip(names, args, strict=False)), *((k, False, v) for k, v in kwargs.items())]
        call = symbolise(api, pairs)
        call.source = examples.SOURCE
        plan.add(call)


def found(framework: Framework, api: str, guard: Callable[[Framework], Guarded]) -> Json:
    """The calls of one function."""
    plan, guarded = Plan(), guard(framework)
    _examples(api, plan)
    probed = probe.probe(guarded, api, plan.dropped)
    for call in (*probed, *(docs.calls(api) if len(probed) < FEW else ())):
        plan.add(call)
    plan.deaths = guarded.noted()
    if plan.calls:
        plan.dropped.clear()
    return plan.to_json()


def _refused(reason: str) -> Json:
    plan = Plan()
    plan.dropped[("", reason)] += 1
    return plan.to_json()


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The calls of all functions, by API, symbolised; the reason if the calls of one cannot be recorded. Results are kept under
    build/."""
    framework, key = adapter.JaxAdapter(), cache.key([__name__])
    plans: dict[str, Json] = {}
    left = []
    for api in public.functions():
        reason, path = public.obstacle(api), BUILD / "probes" / f"{api}.json"
        if reason is not None:
            plans[api] = _refused(reason)
        elif path.exists() and (stored := json.loads(path.read_text()))["key"] == key:
            plans[api] = stored["plan"]
        else:
            left.append(api)
    ended = workers.run(left, JOBS, lambda api, guard: found(framework, api, guard), BUILD / "probing", limits=LIMITS)
    for done, (api, answer, deaths) in enumerate(ended, 1):
        report(done, len(left))
        why = "probing ended: its calls kill the worker" if answer is workers.GIVEN_UP else "probing failed"
        plan = answer or _refused(why)
        plans[api] = {**plan, "deaths": plan["deaths"] or deaths}
        write_file(BUILD / "probes" / f"{api}.json", json.dumps({"key": key, "plan": plans[api]}))
    return plans

"""Probes every raw operator that can be recorded; results are cached under build/."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import tensorflow as tf

from traces.collect import cache
from traces.collect.call.spec import Json
from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
from traces.collect.frameworks.tensorflow.adapter import TensorFlowAdapter
from traces.collect.frameworks.tensorflow.probe import Search
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records.plan import Plan
from traces.collect.records.write import write_file

SEED = 1
JOBS = min(2, os.cpu_count() or 1)
BUILD = Path("build/traces/tensorflow")


def names() -> list[str]:
    """All raw operators."""
    return [name for name in dir(tf.raw_ops) if not name.startswith("_")]


def _probe(framework: TensorFlowAdapter, name: str, guard: Callable[[Framework], Guarded]) -> Json:
    guarded = guard(framework)
    search = Search(guarded, tensorflow_defs.define(name), SEED)
    plan = Plan()
    for call in search.run():
        plan.add(call)
    if not plan.calls:
        message = " ".join(search.last.split()).split(" [Op:", 1)[0]
        plan.dropped[("", f"no call made from its definition is accepted, in {search.tried} tries")] += 1
        plan.dropped[("", f"the last of them: {message[:160]}")] += 1
    plan.deaths = guarded.noted()
    return plan.to_json()


def probe_all(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The probed calls of all operators that can be recorded; results are cached under build/."""
    framework, key = TensorFlowAdapter(), cache.key([__name__])
    found: dict[str, Json] = {}
    wanted = [name for name in names() if tensorflow_defs.obstacle(name) is None]
    for name in wanted:
        path = BUILD / "probes" / f"{name}.json"
        if path.exists() and (stored := json.loads(path.read_text()))["key"] == key:
            found[name] = stored["plan"]
    left = [name for name in wanted if name not in found]
    ended = workers.run(left, JOBS, lambda name, guard: _probe(framework, name, guard), BUILD / "probing")
    for done, (name, answer, deaths) in enumerate(ended, 1):
        report(done, len(left))
        reason = "probing ended: its calls kill the worker" if answer is workers.GIVEN_UP else "probing failed"
        probed = answer or Plan(dropped=Counter({("", reason): 1})).to_json()
        plan_json = {**probed, "deaths": probed["deaths"] or deaths}
        write_file(BUILD / "probes" / f"{name}.json", json.dumps({"key": key, "plan": plan_json}))
        found[name] = plan_json
    return found

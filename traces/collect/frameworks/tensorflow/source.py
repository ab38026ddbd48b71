"""Where TensorFlow's calls come from: what runs below its public functions (`recorder`), and probing each raw
operator by its definition (`probe`)."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from rulefuzz.frameworks.tensorflow_evaluate import tf
from traces.collect.call.arglist import signature
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
from traces.collect.frameworks.tensorflow import recorder as tensorflow_recorder
from traces.collect.frameworks.tensorflow.adapter import TensorFlowAdapter
from traces.collect.frameworks.tensorflow.probe import SAMPLES, Search
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records.plan import Plan
from traces.collect.records.write import write_file

SEED = 1
JOBS = min(2, os.cpu_count() or 1)
MOST_RECORDED = 12
"""Structures of an API that are taken from what was recorded."""
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


def _key(pattern: str) -> str:
    sources = [path.read_bytes() for path in sorted(Path(__file__).parent.glob(pattern))]
    return hashlib.sha256(b"".join([tf.__version__.encode(), *sources])).hexdigest()


def _probes(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The probed calls of all operators that have no obstacle; what is done is kept in build/."""
    framework, key = TensorFlowAdapter(), _key("[dop]*.py")
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
        if not answer:
            plan = Plan()
            plan.dropped[("", "probing ended: its calls kill the worker" if answer is workers.GIVEN_UP else "probing failed")] += 1
            answer = plan.to_json()
        plan_json = {**answer, "deaths": answer["deaths"] or deaths}
        write_file(BUILD / "probes" / f"{name}.json", json.dumps({"key": key, "plan": plan_json}))
        found[name] = plan_json
    return found


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """Everything that was found, by API, symbolised; an API that cannot be recorded with the reason."""
    found = _probes(report)
    recorded = _recorded(report)
    plans: dict[str, Json] = {}
    for name in names():
        api = f"tf.raw_ops.{name}"
        reason = tensorflow_defs.obstacle(name)
        plans[api] = merge(recorded.get(api, []), found[name]) if reason is None else _refused(reason)
    return plans


def _refused(reason: str) -> Json:
    plan = Plan()
    plan.dropped[("", reason)] += 1
    return plan.to_json()


def merge(recorded: Sequence[Call], probed: Json) -> Json:
    """One plan of both: a few recorded calls of each structure, then the probed ones."""
    plan, samples = Plan(), Counter[str]()
    for call in recorded:
        text = signature(call.args)
        if text in samples or len(samples) < MOST_RECORDED:
            samples[text] += 1
            if samples[text] <= SAMPLES:
                plan.add(call)
    for args, values, source, _ in probed["calls"]:
        plan.add(Call("", args, tuple(values), source))
    answer = plan.to_json()
    answer["deaths"] = probed["deaths"]
    if not plan.calls:
        answer["dropped"] = probed["dropped"]
    return answer


def _recorded(report: Callable[[int, int], None]) -> dict[str, list[Call]]:
    """What the recorder finds, by API; kept in build/."""
    path, key = BUILD / "recorded.json", _key("r*.py")
    calls: list[Call] = []
    if path.exists() and (stored := json.loads(path.read_text()))["key"] == key:
        calls = [Call(api, args, tuple(values), source) for api, args, values, source in stored["calls"]]
    else:
        calls = tensorflow_recorder.record(report)
        write_file(path, json.dumps({"key": key, "calls": [[c.api, c.args, c.values, c.source] for c in calls]}))
    found: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        found[call.api].append(call)
    return found

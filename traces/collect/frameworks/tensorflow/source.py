"""The sources of TensorFlow's calls: raw operators recorded below its public functions (`recorder`), and probing of each
raw operator by its definition (`probe`)."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from traces.collect import cache
from traces.collect.call.arglist import signature
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
from traces.collect.frameworks.tensorflow import recorder as tensorflow_recorder
from traces.collect.frameworks.tensorflow.probe import SAMPLES
from traces.collect.frameworks.tensorflow.probing import BUILD, names, probe_all
from traces.collect.records.plan import Plan
from traces.collect.records.write import write_file

MOST_RECORDED = 12
"""Structures kept per API from the recorder."""


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """All calls found, symbolized, by API; for an API that cannot be recorded, the reason."""
    found = probe_all(report)
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
    """Merges both: a few recorded calls of each structure, then the probed ones."""
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
    """The recorder's calls by API; cached under build/."""
    path, key = BUILD / "recorded.json", cache.key([tensorflow_recorder.__name__])
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

"""The worker of one target: models by reference and target, compared.   usage: python -m rulefuzz.worker TARGET"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulefuzz import framework, protocol, sandbox, targets
from rulefuzz.framework import Framework, Unavailable
from rulefuzz.model import BadModel, Json, Reader
from rulefuzz.oracle import tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.script import repro, short

BATCH = 16
"""Models that one process runs: forking costs tens of milliseconds, and what a model leaves behind adds up."""
WARM_UP = sandbox.Limits(wall=280.0)
"""A target's first model; `rulefuzz run` waits 300 s for a worker."""


class Worker:
    """See protocol.Backend."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._framework: Any = None
        self._target: Any = None
        self._reader: Any = None

    def ready(self) -> Json:
        """Imports and warms up."""
        self._target = targets.load(self._name)
        adapter: Framework = framework.load(self._target.framework)
        self._framework, self._reader = adapter, Reader(adapter)
        versions = adapter.versions() | self._target.prepare()
        if adapter.warm_mother:
            answer = self._warm_up()
        else:
            answer, end = sandbox.call(self._entered, WARM_UP, output="")
            answer = answer or {"verdict": end.how or "nothing"}
        if answer["verdict"] != "ok" and not (answer["verdict"] == "inconsistency" and self._target.may_differ):
            raise Unavailable(f"{self._name} cannot run a simple model: {answer}"[:600])
        return {"framework": adapter.name, "versions": versions | {"rulefuzz": _fingerprint()}}

    def _entered(self) -> Json:
        self._framework.enter()
        return self._warm_up()

    def _warm_up(self) -> Json:
        model = self._reader.model(self._framework.warm_up())
        return Check(self._framework, self._target, model, Clock(lambda stage: None)).run()

    def enter(self, folder: str) -> None:
        """See protocol.Backend."""
        self._target.enter(folder)
        self._framework.enter()

    def handle(self, request: Json, stage: protocol.Stage) -> Json:
        """Answers "check", "script" and "short"."""
        clock = Clock(stage)
        self._framework.reseed(0)
        try:
            model = self._reader.model(request["model"])
        except BadModel as error:
            return {"verdict": "bad", "error": self._framework.described(error), "times": {}}
        model = replace(model, probe=request.get("probe") is True)
        if request["do"] == "short":
            return {"script": short.short(self._framework, self._target, model, request.get("title", ""), request,
                                          request.get("tolerance", tolerance.MEASURED))}
        if request["do"] == "script":
            return {"script": repro.script(self._framework, self._target, model, request.get("title", ""),
                                           request.get("tolerance", tolerance.MEASURED))}
        answer = Check(self._framework, self._target, model, clock, request.get("tolerance", tolerance.MEASURED)).run()
        clock("")
        return {**answer, "times": clock.times}


def _fingerprint() -> str:
    """Of this package's sources: what a target was seen to do holds for those who looked."""
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:8]


def main() -> int:
    """The command."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m rulefuzz.worker {'|'.join(targets.names())}")
    return protocol.serve(Worker(sys.argv[1]), BATCH)


if __name__ == "__main__":
    sys.exit(main())

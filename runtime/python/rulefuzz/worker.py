"""The worker of one target, or of several in order of cost: runs models by the reference and the targets, and compares them.

usage: python -m rulefuzz.worker TARGET[,TARGET…]
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

if __name__ == "__main__" and importlib.util.find_spec("numpy") is None:  # imported by the rest of this package
    print('{"fatal":"rulefuzz needs numpy, which is not installed","missing":["numpy"]}', flush=True)
    sys.exit(5)

from rulefuzz import assignments, framework, protocol, sandbox, targets
from rulefuzz.framework import Framework, Unavailable
from rulefuzz.model import UNREADABLE, BadModel, Json, Model, Reader
from rulefuzz.oracle import excuses, tolerance
from rulefuzz.oracle.blame import blame, blame_crash
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.tiers import Tiers
from rulefuzz.script import fresh, repro, sequence, short, symbolic
from rulefuzz.session.sequence import fits as is_sequence
from rulefuzz.targets import Target

BATCH = {True: 16, False: 64}
"""Models per process. A fork costs tens of milliseconds, and leaks add up. If the mother may run no call, each process starts
cold, which costs tens of milliseconds more."""
WARM_UP = sandbox.Limits(wall=280.0)
"""Limits for a target's first model; `rulefuzz run` waits 300 s for a worker."""


class Worker:
    """See protocol.Backend."""

    def __init__(self, names: str) -> None:
        self._names = names.split(",")
        self._framework: Any = None
        self._targets: list[Target] = []
        self._reader: Any = None
        self._late: list[Target] = []
        """Targets that take long to warm up, until a child has done so."""
        self._warming = 0
        """The process of that child."""

    @property
    def batch(self) -> int:
        """See protocol.Backend."""
        return BATCH[self._framework.warm_mother]

    def ready(self) -> Json:
        """Imports everything and runs a first model."""
        self._targets = [targets.load(name) for name in self._names]
        if len({target.framework for target in self._targets}) > 1:
            raise Unavailable(f"{','.join(self._names)} belong to different frameworks")
        adapter: Framework = framework.load(self._targets[0].framework)
        self._framework, self._reader = adapter, Reader(adapter)
        excuses.load()
        versions = adapter.versions()
        for target in self._targets:
            versions |= target.prepare()
        if adapter.forks_scripts:
            fresh.start(adapter.warm_for_scripts)
        for target in self._targets:
            if target.is_slow and target is not self._targets[0] and adapter.warm_mother:
                self._late.append(target)
            else:
                self._run_first(target)
        if self._late:
            self._warming = sandbox.fork(self._run_late)
        return {"framework": adapter.name, "versions": versions | {"rulefuzz": _fingerprint()}}

    def _run_first(self, target: Target) -> None:
        """Warms up a target and runs a first model. Raises Unavailable."""
        if self._framework.warm_mother:
            target.warm()
            answer = self._warm_up(target)
        else:
            answer, end = sandbox.call(functools.partial(self._entered, target), WARM_UP, output="")
            answer = answer or {"verdict": end.how or "nothing"}
        if answer["verdict"] != "ok" and not (answer["verdict"] == "inconsistency" and target.may_differ):
            raise Unavailable(f"{target.name} cannot run a simple model: {answer}"[:600])

    def _run_late(self) -> None:
        for target in self._late:
            self._run_first(target)

    def renew(self) -> None:
        """See protocol.Backend. Late targets join when a child has warmed them up and so filled the caches on disk. A target
        that cannot work is dropped."""
        if not self._warming or os.waitpid(self._warming, os.WNOHANG)[0] == 0:
            return
        self._warming = 0
        for target in self._late:
            try:
                self._run_first(target)
            except Unavailable as error:
                print(error, file=sys.stderr, flush=True)
                self._targets.remove(target)
        self._late = []

    def _usable(self, chosen: list[Target]) -> list[Target]:
        """Those that are warm. If none is, this process waits for them."""
        usable = [target for target in chosen if target not in self._late]
        if not usable:
            for target in chosen:
                target.warm()
        return usable or chosen

    def _entered(self, target: Target) -> Json:
        self._framework.enter()
        return self._warm_up(target)

    def _warm_up(self, target: Target) -> Json:
        model = self._reader.model(self._framework.warm_up())
        return Check(self._framework, target, model, Clock(lambda stage: None)).run()

    def enter(self, folder: str) -> None:
        """See protocol.Backend."""
        for target in self._targets:
            target.enter(folder)
        self._framework.enter()

    def handle(self, request: Json, stage: protocol.Stage) -> Json:
        """Answers "check", "script", "short" and "pass" requests."""
        wanted = request.get("targets") or self._names
        chosen = self._usable([target for target in self._targets if target.name in wanted] or self._targets)
        preset = request.get("tolerance", tolerance.MEASURED)
        items = request["models"] if "models" in request else [request["model"]]
        models = [self._read(item, request.get("probe") is True) for item in items]
        if request["do"] == "pass":
            (model,) = models
            if isinstance(model, Model) and is_sequence(chosen[-1], model):
                return {"pass": "session"}
            find = blame_crash if request.get("verdict") == "crash" else blame
            return {"pass": find(self._framework, chosen[-1], model, preset) if isinstance(model, Model) else ""}
        if request["do"] in ("script", "short"):
            (model,) = models
            return self._scripted(request, model, chosen[-1], preset) if isinstance(model, Model) else {"script": ""}
        fit = [model for model in models if isinstance(model, Model)]
        answers = iter(self._judged(chosen, fit, stage, preset, request.get("audit") is True))
        told = [next(answers) if isinstance(model, Model) else model for model in models]
        return {"answers": told} if "models" in request else told[0]

    def _judged(self, chosen: list[Target], fit: list[Model], stage: protocol.Stage, preset: str,
                sampling: bool) -> list[Json]:  # fmt: skip
        """Returns an answer for each model. An exception that neither a framework nor a target raised is a bug of the oracle.
        It is reported as such, never as a verdict on the model."""
        try:
            return Tiers(self._framework, chosen, stage, preset, sampling).run(fit)
        except Exception as error:
            if len(fit) > 1:
                return [{"verdict": "undecided", "why": "the oracle failed; each model is checked alone"}] * len(fit)
            traceback.print_exception(error)
            verdict = "resource" if self._framework.is_memory(error) else "internal-error"
            return [{"verdict": verdict, "error": self._mistake(error), "times": {}} for _ in fit]

    def _mistake(self, error: Exception) -> Json:
        """Describes an exception of the oracle and the last line of this package in its traceback."""
        package = str(Path(__file__).parent)
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(package)]
        where = f"{frames[-1].filename.removeprefix(package + '/')}:{frames[-1].lineno}" if frames else ""
        described = self._framework.described(error)
        return {**described, "message": f"{described['type']}: {described['message']} ({where})", "where": where}

    def _scripted(self, request: Json, model: Model, target: Target, preset: str) -> Json:
        """The answer to "script" and "short". A long script that is to be run comes with whether it reproduces the failure."""
        about = self._framework, target, model, request.get("title", ""), preset
        varies = symbolic.fits(target, model)
        if is_sequence(target, model):
            text = sequence.script(*about) if request["do"] == "script" else ""
            shown = {"shows": short.shows_long(text, request)} if request.get("run") is True and text else {}
            return {"script": text, **shown}
        if request["do"] == "short":
            return {"script": short.written((symbolic.SymbolicWriter if varies else short.Writer)(*about), request)}
        text = (symbolic.script if varies else repro.script)(*about, request.get("verdict", ""))
        return {"script": text, "shows": short.shows_long(text, request)} if request.get("run") is True else {"script": text}

    def _read(self, item: Json, probe: bool) -> Model | Json:
        """The model, or the answer for one that cannot be read."""
        try:
            return replace(assignments.read(item, self._reader.model(item)), probe=probe)
        except (BadModel, *UNREADABLE) as error:
            return {"verdict": "unreadable", "error": self._framework.described(error), "times": {}}


def _fingerprint() -> str:
    """A hash of this package's sources. Capabilities learned of a target hold for one version of them."""
    sources = hashlib.sha256()
    package = Path(__file__).parent
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.tsv")]):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:8]


def main() -> int:
    """Runs the command."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m rulefuzz.worker TARGET[,TARGET…], of {', '.join(targets.names())}")
    return protocol.serve(Worker(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())

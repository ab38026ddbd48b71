"""Collects each API in a worker process, so that a call that kills its process costs only that call.

Before each call the worker writes it into memory shared with the parent. If the worker dies, or uses up its CPU time
without reaching the next call, the parent reads that memory and restarts the API, this time with its calls in a child of
the worker (guard.Guarded).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulefuzz import sandbox
from traces.collect.call.spec import Json
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import CALL_SECONDS, SERVANT_CALLS, Guarded, described

LIMITS = sandbox.Limits(memory=1 << 30, cpu=CALL_SECONDS, wall=120.0)
"""Limits of a worker: address space beyond its start; CPU seconds per call, and wall-clock seconds per call, which may wait
on a lock."""
RESTARTS = 4
"""Deaths after which an API is given up. The first one moves calls to servants, so more are rare."""
LOOK = 0.02
"""Seconds between checks of the workers."""

Work = Callable[[str, Callable[[Framework], Guarded]], Json]
"""A worker's task for an API; its function argument puts the framework under guard."""
GIVEN_UP: Json = {}
"""The answer for an API that kills its worker too often."""
Ended = tuple[str, Json | None, list[list[str]]]


@dataclass
class Job:
    """An API being collected."""

    name: str
    killers: list[list[str]] = field(default_factory=list)
    """[how it ended, the call] for each death."""
    alone: bool = False
    """True if its calls run in servants."""
    forbidden: list[str] = field(default_factory=list)
    """Calls that killed the worker nevertheless."""
    answer: str = ""


@dataclass
class Supervisor:
    """Starts workers and handles their ends."""

    work: Work
    scratch: Path
    """The folder of their logs."""
    limits: sandbox.Limits
    life: int = SERVANT_CALLS
    """Calls per servant."""

    def start(self, job: Job) -> sandbox.Child:
        """A worker for a job."""
        log = self._log(job)
        log.unlink(missing_ok=True)

        def inside(ends: sandbox.Inside) -> None:
            def guard(framework: Framework) -> Guarded:
                return Guarded(framework, ends.journal, job.forbidden, alone=job.alone, seconds=self.limits.cpu, life=self.life)

            ends.tell(json.dumps(self.work(job.name, guard)))

        child = sandbox.Child.start(inside, self.limits, log)
        child.rest()  # no limit before its first call
        return child

    def _log(self, job: Job) -> Path:
        return self.scratch / f"{job.name}.log"

    def ended(self, job: Job, child: sandbox.Child) -> Ended | None:
        """How a worker ended; None if its job is to be repeated."""
        end, call = child.end(), child.journal.text()
        child.journal.close()
        if end.done:
            self._log(job).unlink(missing_ok=True)
            return job.name, json.loads(job.answer), job.killers
        if not end.signal:
            return job.name, None, job.killers
        if len(job.killers) >= RESTARTS:
            return job.name, GIVEN_UP, job.killers
        if job.alone:
            job.forbidden.append(call)
        job.alone = True
        job.killers.append([described(end), call])
        return None


def run(names: Sequence[str], jobs: int, work: Work, scratch: Path, fragile: Container[str] = (),
        limits: sandbox.Limits = LIMITS, life: int = SERVANT_CALLS) -> Iterator[Ended]:  # fmt: skip
    """Collects all APIs; yields (name, the worker's answer or None if it failed, its deaths) as they end.

    `fragile`: APIs whose calls run in servants from the start. `limits`: of a worker and its calls. `life`: calls per
    servant.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    supervisor = Supervisor(work, scratch, limits, life)
    waiting = [Job(name, alone=name in fragile) for name in reversed(names)]
    running: list[tuple[Job, sandbox.Child]] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                job = waiting.pop()
                running.append((job, supervisor.start(job)))
            sandbox.ready([child for _, child in running], LOOK)
            for job, child in list(running):
                job.answer += "".join(child.take(0.0))
                child.watch()
                if not child.over:
                    continue
                running.remove((job, child))
                ended = supervisor.ended(job, child)
                if ended is None:
                    waiting.append(job)
                else:
                    yield ended
    finally:
        for _, child in running:
            child.kill()
            child.end()

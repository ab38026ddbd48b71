"""Runs the collection of each API in a forked worker, so that a call that kills its process costs only that call.

Before each call the worker writes it into memory shared with the supervisor. When the worker dies, or burns processor
time without coming to the next call, the supervisor reads what it was doing, adds that call to the ones never to run,
and starts the API again: everything else is deterministic, so the second run repeats the first up to that call and
goes on behind it.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from traces.collect import symbolise
from traces.collect.oracle import Framework, Output, Unanswered
from traces.collect.symbolise import Json, Values

CALL_SECONDS = 4.0
"""Processor time that one call may take."""
IDLE_SECONDS = 120.0
"""Wall-clock time in which a worker must make some call (it may be waiting on a lock)."""
MEMORY = 1 << 30
"""Address space that a worker may add to what it has at its start."""
RESTARTS = 24
"""Deaths after which an API is given up; its operators are tried less long before (see operators.py)."""
JOURNAL = 1 << 16
CRASH = "killed by "


class Journal:
    """The call a worker is about to run, in memory that outlives it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, JOURNAL)
        self._count = 0

    def note(self, text: str) -> None:
        """Writes a call down."""
        data = text.encode("ascii", "replace")[: JOURNAL - 16]
        self._count += 1
        self._memory[16 : 16 + len(data)] = data
        self._memory[:16] = struct.pack("=QQ", self._count, len(data))

    def count(self) -> int:
        """How many calls were written down."""
        return int(struct.unpack("=QQ", self._memory[:16])[0])

    def text(self) -> str:
        """The last call."""
        size = int(struct.unpack("=QQ", self._memory[:16])[1])
        return self._memory[16 : 16 + size].decode("ascii")

    def close(self) -> None:
        """Frees the memory."""
        self._memory.close()


class Guarded:
    """A framework whose every call is in the journal first, and that refuses calls known to kill."""

    def __init__(self, framework: Framework, journal: Journal, forbidden: Sequence[str],
                 crashed: bool = False) -> None:  # fmt: skip
        self._inner, self._journal, self._forbidden = framework, journal, frozenset(forbidden)
        self.name, self.version = framework.name, framework.version
        self.deaths = Counter((call.split("\t")[0], call.split("\t")[1]) for call in forbidden)
        """(API, signature) to the number of its calls that killed a worker."""
        self.crashed = crashed
        """Whether a worker died of itself: memory may have been overwritten before, so no mutant is to be trusted."""

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""
        text = "\t".join((api, symbolise.signature(args, keep_floats=True), ",".join(symbolise.dtypes(args))))
        return text, self._inner.compile(api, args)

    def _enter(self, text: str, values: Values, fill: str) -> None:
        call = f"{text}\t{','.join(map(str, values))}\t{fill}"
        if call in self._forbidden:
            raise Unanswered("kills its process")
        self._journal.note(call)

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """As Framework.run."""
        self._enter(call[0], values, fill)
        return self._inner.run(call[1], values, fill)

    def deterministic(self, call: Any, values: Values) -> bool:
        """As Framework.deterministic."""
        self._enter(call[0], values, "repeat")
        return self._inner.deterministic(call[1], values)


@dataclass
class Job:
    """One API in work."""

    name: str
    killers: list[list[str]] = field(default_factory=list)
    """[how it ended, the call] for each death."""
    pid: int = 0
    journal: Journal | None = None
    calls: int = 0
    cpu: float = 0.0
    since: float = 0.0
    ended_by_us: str = ""


Work = Callable[[str, Callable[[Framework], Guarded]], Json]


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _start(job: Job, work: Work, scratch: Path) -> None:
    if job.journal is not None:
        job.journal.close()
    journal = job.journal = Journal()
    job.calls, job.cpu, job.since, job.ended_by_us = 0, 0.0, time.monotonic(), ""
    sys.stdout.flush()
    sys.stderr.flush()
    job.pid = os.fork()
    if job.pid:
        return
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        log = os.open(scratch / f"{job.name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(log, 1)
        os.dup2(log, 2)
        _limit_memory()
        forbidden = [call for _, call in job.killers]
        crashed = any(how.startswith(CRASH) for how, _ in job.killers)
        answer = work(job.name, lambda framework: Guarded(framework, journal, forbidden, crashed))
        (scratch / f"{job.name}.answer").write_text(json.dumps(answer))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _watch(job: Job) -> None:
    """Kills a worker whose call takes too long."""
    assert job.journal is not None
    count, cpu, now = job.journal.count(), _cpu_seconds(job.pid), time.monotonic()
    if count != job.calls:
        job.calls, job.cpu, job.since = count, cpu, now
    elif count and cpu - job.cpu > CALL_SECONDS:
        job.ended_by_us = "hang: more than a few seconds of processor time"
    elif count and now - job.since > IDLE_SECONDS:
        job.ended_by_us = "hang: no progress"
    if job.ended_by_us:
        os.kill(job.pid, signal.SIGKILL)


GIVEN_UP: Json = {}
"""The answer for an API that kills its worker too often."""
Ended = tuple[str, Json | None, list[list[str]]]


def run(names: Sequence[str], jobs: int, work: Work, scratch: Path) -> Iterator[Ended]:
    """Works on all APIs; yields (name, the worker's answer or None if it failed, its deaths) as they end."""
    scratch.mkdir(parents=True, exist_ok=True)
    waiting = [Job(name) for name in reversed(names)]
    running: list[Job] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                job = waiting.pop()
                _start(job, work, scratch)
                running.append(job)
            time.sleep(0.02)
            for job in list(running):
                pid, status = os.waitpid(job.pid, os.WNOHANG)
                if pid == 0:
                    _watch(job)
                    continue
                running.remove(job)
                if os.WIFSIGNALED(status) and len(job.killers) < RESTARTS:
                    _bury(job, os.WTERMSIG(status))
                    waiting.append(job)
                elif os.WIFSIGNALED(status):
                    yield job.name, GIVEN_UP, job.killers
                else:
                    yield job.name, _answer(job, status, scratch), job.killers
    finally:
        for job in running:
            os.kill(job.pid, signal.SIGKILL)
            os.waitpid(job.pid, 0)


def _bury(job: Job, number: int) -> None:
    assert job.journal is not None
    job.killers.append([job.ended_by_us or f"{CRASH}{signal.Signals(number).name}", job.journal.text()])


def _answer(job: Job, status: int, scratch: Path) -> Json | None:
    if job.journal is not None:
        job.journal.close()
        job.journal = None
    path = scratch / f"{job.name}.answer"
    if status != 0:
        return None
    answer = json.loads(path.read_text())
    path.unlink()
    (scratch / f"{job.name}.log").unlink(missing_ok=True)
    return answer

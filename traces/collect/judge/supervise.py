"""Runs the collection of each API in a forked worker, so that a call that kills its process costs only that call.

Before each call the worker writes it into memory shared with the supervisor. When the worker dies, or burns processor
time without coming to the next call, the supervisor reads what it was doing and starts the API again, this time with
its calls in a child process, a servant: when one kills it, it is noted, and the worker goes on with the next call and a
new servant. A call that was not its servant's first is tried in a new one before it is blamed: an earlier one may have
overwritten memory.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import pickle
import resource
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn

from traces.collect.call import symbolise
from traces.collect.call.symbolise import Json, Values
from traces.collect.judge.framework import Framework, NotTensors, Output, Rejected, Unanswered, Wishing

CALL_SECONDS = 4.0
"""Processor time that one call may take."""
IDLE_SECONDS = 120.0
"""Wall-clock time in which a worker must make some call (it may be waiting on a lock)."""
MEMORY = 1 << 30
"""Address space that a worker may add to what it has at its start."""
SERVANT_WALL_SECONDS = 60
"""Wall-clock time that a servant's call may take (it may be waiting on a lock)."""
SERVANT_CALLS = 100
"""Calls after which a servant is replaced, so that what one of them did to memory does not last."""
RESTARTS = 4
"""Deaths after which an API is given up; the first leads to calls in servants, so more are rare."""
NOTED = 3
"""Killing calls of one operator that are reported; there may be hundreds of the same sort."""
JOURNAL = 1 << 16
CRASH = "killed by "
KILLS = "kills its process"
"""The message of Unanswered for a call that does."""
HANG = "hang: more than a few seconds of processor time"


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


Request = tuple[str, str, Sequence[Json], Values, str]
"""API, text, arguments, values, fill: `deterministic` is asked for with the fill REPEAT."""
REPEAT = "repeat"


class Died(Exception):
    """A servant died; the argument is how, as os.waitpid tells it."""


class Servant:
    """A child process that runs calls until it dies."""

    def __init__(self, framework: Framework) -> None:
        asked, ask = os.pipe()
        answered, answer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(ask)
            os.close(answered)
            _serve(framework, os.fdopen(asked, "rb"), os.fdopen(answer, "wb"))
        os.close(asked)
        os.close(answer)
        self._ask, self._answered = os.fdopen(ask, "wb"), os.fdopen(answered, "rb")
        self.calls = 0

    def run(self, request: Request) -> tuple[Any, Exception | None]:
        """What a call returned, or what it raised."""
        self.calls += 1
        try:
            pickle.dump(request, self._ask)
            self._ask.flush()
            value, error = pickle.load(self._answered)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as gone:
            raise Died(self.end()) from gone
        return value, error

    def end(self) -> int:
        """Lets it go; how it ended."""
        with contextlib.suppress(BrokenPipeError):
            self._ask.close()
        self._answered.close()
        return os.waitpid(self._pid, 0)[1]


def _serve(framework: Framework, asked: IO[bytes], answer: IO[bytes]) -> NoReturn:
    code, compiled = 1, {}
    try:
        while True:
            try:
                api, text, args, values, fill = pickle.load(asked)
            except EOFError:
                code = 0
                break
            if text not in compiled:
                compiled[text] = framework.compile(api, args)
            call = compiled[text]
            until = int(time.process_time()) + max(1, round(CALL_SECONDS))
            resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
            signal.alarm(SERVANT_WALL_SECONDS)
            value, error = None, None
            try:
                value = framework.deterministic(call, values) if fill == REPEAT else framework.run(call, values, fill)
            except (Rejected, Unanswered, NotTensors) as refusal:
                error = type(refusal)(str(refusal))
            signal.alarm(0)
            pickle.dump((value, error), answer)
            answer.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


class Guarded:
    """A framework whose every call is in the journal first.

    `alone`: calls run in servants, and `forbidden` ones, which killed the worker itself, do not run.
    """

    def __init__(self, framework: Framework, journal: Journal, forbidden: Sequence[str] = (), *,
                 alone: bool = False) -> None:  # fmt: skip
        self._inner, self._journal, self._forbidden = framework, journal, frozenset(forbidden)
        self.name, self.version, self.alone = framework.name, framework.version, alone
        self._servant: Servant | None = None
        self.killers: dict[str, str] = {}
        """Call to how it ended, for calls that killed their servant. They are not run again."""
        self.hangs: Counter[tuple[str, str]] = Counter()
        """(API, signature with floats) to the number of its calls that hung."""

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""
        text = "\t".join((api, symbolise.signature(args, keep_floats=True), ",".join(symbolise.dtypes(args))))
        return api, text, args, self._inner.compile(api, args)

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """As Wishing.wishes; nothing where the framework has no wishes."""
        return self._inner.wishes(api, args) if isinstance(self._inner, Wishing) else []

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """As Framework.run."""
        noted = self._note(call, values, fill)
        if self.alone:
            return tuple(self._served(noted, (*call[:3], values, fill)))
        return self._inner.run(call[3], values, fill)

    def deterministic(self, call: Any, values: Values) -> bool:
        """As Framework.deterministic."""
        noted = self._note(call, values, REPEAT)
        if self.alone:
            return bool(self._served(noted, (*call[:3], values, REPEAT)))
        return self._inner.deterministic(call[3], values)

    def _note(self, call: Any, values: Values, fill: str) -> str:
        noted = f"{call[1]}\t{','.join(map(str, values))}\t{fill}"
        if noted in self._forbidden or noted in self.killers:
            raise Unanswered(KILLS)
        self._journal.note(noted)
        return noted

    def _served(self, noted: str, request: Request) -> Any:
        while True:
            servant = self._servant = self._servant or Servant(self._inner)
            try:
                value, error = servant.run(request)
                break
            except Died as death:
                self._servant = None
                status = int(death.args[0])
                if not os.WIFSIGNALED(status):
                    if servant.calls > 1:  # memory that an earlier call overwrote can do that, too
                        continue
                    raise RuntimeError(f"no answer from {noted}") from death
                number = signal.Signals(os.WTERMSIG(status))
                hung = number in (signal.SIGXCPU, signal.SIGALRM)
                if servant.calls > 1 and not hung:
                    continue
                self.killers[noted] = HANG if hung else f"{CRASH}{number.name}"
                if hung:
                    api, signature, *_ = noted.split("\t")
                    self.hangs[(api, signature)] += 1
                raise Unanswered(KILLS) from death
        if servant.calls >= SERVANT_CALLS:
            servant.end()
            self._servant = None
        if error is not None:
            raise error
        return value

    def noted(self) -> list[list[str]]:
        """[how it ended, the call]: the first few that killed their servant, of each operator."""
        counts: Counter[str] = Counter()
        rows = []
        for call, how in self.killers.items():
            operator = call.split("\t")[1]
            counts[operator] += 1
            if counts[operator] <= NOTED:
                rows.append([how, call])
        return rows


@dataclass
class Job:
    """One API in work."""

    name: str
    killers: list[list[str]] = field(default_factory=list)
    """[how it ended, the call] for each death."""
    alone: bool = False
    """Whether its calls run in servants."""
    forbidden: list[str] = field(default_factory=list)
    """Calls that killed the worker even so."""
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


def limit_memory() -> None:
    """Allows this process MEMORY more than it has, and no core file."""
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
        limit_memory()
        answer = work(job.name, lambda framework: Guarded(framework, journal, job.forbidden, alone=job.alone))
        (scratch / f"{job.name}.answer").write_text(json.dumps(answer))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def watch(job: Job) -> None:
    """Kills a worker whose call takes too long."""
    assert job.journal is not None
    count, cpu, now = job.journal.count(), _cpu_seconds(job.pid), time.monotonic()
    if count != job.calls:
        job.calls, job.cpu, job.since = count, cpu, now
    elif count and cpu - job.cpu > CALL_SECONDS:
        job.ended_by_us = HANG
    elif count and now - job.since > IDLE_SECONDS:
        job.ended_by_us = "hang: no progress"
    if job.ended_by_us:
        os.kill(job.pid, signal.SIGKILL)


GIVEN_UP: Json = {}
"""The answer for an API that kills its worker too often."""
Ended = tuple[str, Json | None, list[list[str]]]


def run(names: Sequence[str], jobs: int, work: Work, scratch: Path,
        fragile: Container[str] = ()) -> Iterator[Ended]:  # fmt: skip
    """Works on all APIs; yields (name, the worker's answer or None if it failed, its deaths) as they end.

    `fragile`: APIs whose calls run in servants from the start.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    waiting = [Job(name, alone=name in fragile) for name in reversed(names)]
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
                    watch(job)
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
    if job.alone:
        job.forbidden.append(job.journal.text())
    job.alone = True
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


def in_child(work: Callable[[], Json], seconds: int) -> tuple[Json, int]:
    """What `work` returns in a forked child, which is silent, and 0; None and the child's status when it dies, as it does
    when it takes longer."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.dup2(2, 1)
        answer = work()
        with os.fdopen(write, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(text) if status == 0 else None, status

"""Supervises child processes: the one place where this package and the collector fork.

A framework's calls crash, hang, take all memory and change the process that they run in, so they run in children:

    mother                                  child, which always ends in os._exit
    Child.start(work, limits)  ──fork──►    memory limited, standard input empty, output where it belongs
      journal.text()  ◄─shared memory──       inside.journal.note("the call that comes now")
      send(request)   ──pipe──►               for request in inside.requests(): …
      take(seconds)   ◄──pipe──               inside.tell(answer)      each at once, so that a death loses none
      watch()         kills it when it has noted nothing for too long
      end() how it ended; the last note names the culprit

A child that ends before its work returned has crashed, even by a call of exit(0).
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import mmap
import os
import pickle
import resource
import select
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TICK = 0.1
"""Seconds between checks of an unresponsive child."""
LEAVE = 10.0
"""Seconds that a child gets to end on request."""
JOURNAL = 1 << 16
"""Bytes of a journal, with its head; longer notes are cut."""
SILENT = os.devnull
"""Discards a child's output."""
PROCESSOR, WALL, MEMORY = "processor", "wall", "memory"
"""The limit that a killed child exceeded."""
_HEAD = struct.Struct("=QQQ")
_FRAME = struct.Struct("=I")
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class Limits:
    """A child's limits; None: unlimited."""

    memory: int | None = None
    """Bytes of address space beyond what the child starts with, for it and each of its processes; also the limit of memory of
    all together, where shared pages count in part (see own_memory)."""
    cpu: float | None = None
    """Seconds of processor time between notes."""
    wall: float | None = None
    """Seconds between notes; a child may spend them waiting for a lock."""


UNLIMITED = Limits()


def mapped() -> int:
    """Bytes of address space of this process."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def limit_memory(more: int) -> None:
    """Limits this process and its children to this number of further bytes of address space."""
    bound = mapped() + more
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in the block after so much processor time. For code in Python: a call into C ends first."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"no result within {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Journal:
    """A child's notes on its next step, in memory that survives it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, JOURNAL)
        self._count = 0

    def note(self, text: str) -> None:
        """Writes a note; for the child. The head is written last, so that a death in between keeps the previous note."""
        data = text.encode("ascii", "replace")[: JOURNAL - _HEAD.size]
        self._count += 1
        self._memory[_HEAD.size : _HEAD.size + len(data)] = data
        _HEAD.pack_into(self._memory, 0, self._count, len(data), 0)

    def count(self) -> int:
        """The number of notes."""
        return int(_HEAD.unpack_from(self._memory)[0])

    def text(self) -> str:
        """The last note; "" before the first."""
        size = int(_HEAD.unpack_from(self._memory)[1])
        return self._memory[_HEAD.size : _HEAD.size + size].decode("ascii")

    def close_work(self) -> None:
        """Notes that the work returned."""
        count, size, _ = _HEAD.unpack_from(self._memory)
        _HEAD.pack_into(self._memory, 0, count, size, 1)

    def is_done(self) -> bool:
        """Whether the work returned."""
        return bool(_HEAD.unpack_from(self._memory)[2])

    def close(self) -> None:
        """Frees the memory."""
        self._memory.close()


@dataclass(frozen=True)
class End:
    """How a child ended."""

    status: int
    """The status of os.waitpid."""
    done: bool
    """Whether its work returned."""
    late: str = ""
    """PROCESSOR, WALL or MEMORY if it was killed for exceeding that limit."""
    how: str = ""
    """In words ("" if it is done): "killed by SIGSEGV", "exit code 1", "no answer within 10 s"."""

    @property
    def signal(self) -> int:
        """The signal that killed it; 0 for none."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    @property
    def code(self) -> int:
        """Its exit code; 0 if a signal killed it."""
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else 0


class Died(Exception):
    """A child died before its answer; the argument is its End."""

    @property
    def end(self) -> End:
        """How."""
        found = self.args[0]
        assert isinstance(found, End)
        return found


def cpu_seconds(pid: int) -> float:
    """Processor time of a process; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A live process and all its live descendants."""
    found = [pid]
    for member in found:
        with contextlib.suppress(OSError):
            for tasks in Path(f"/proc/{member}/task").iterdir():
                found += map(int, (tasks / "children").read_text(encoding="ascii").split())
    return found


def resident(pids: Sequence[int]) -> int:
    """Resident bytes of processes; a page that several share counts once for each."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            pages += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def own_memory(pids: Sequence[int]) -> int:
    """Proportional resident bytes of processes: a page that n processes share counts 1/n for each, so that pages of the
    parent before its forks hardly count. It costs milliseconds a process."""
    kibibytes = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
            kibibytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kibibytes << 10


def is_above(pids: Sequence[int], limit: int) -> bool:
    """Whether processes have more memory together; the exact figure is read only if the upper bound is above the limit."""
    return resident(pids) > limit and own_memory(pids) > limit


# ---- inside the child


class Inside:
    """The child's end of the connection to its parent."""

    def __init__(self, journal: Journal, asked: int, tell: int) -> None:
        self.journal = journal
        self._asked, self._tell = asked, tell

    def requests(self) -> Iterator[Any]:
        """Requests from the parent, until it closes the connection."""
        while len(head := _read(self._asked, _FRAME.size)) == _FRAME.size:
            size = _FRAME.unpack(head)[0]
            if size == 0:
                return
            yield pickle.loads(_read(self._asked, size))

    def tell(self, answer: Any) -> None:
        """Sends an answer."""
        _write(self._tell, _framed(answer))


def _framed(value: Any) -> bytes:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _FRAME.pack(len(data)) + data


def _read(descriptor: int, size: int) -> bytes:
    """Reads this number of bytes, fewer at the end."""
    data = b""
    while len(data) < size and (chunk := os.read(descriptor, size - len(data))):
        data += chunk
    return data


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def program(
    command: Sequence[str], folder: str | Path, environment: dict[str, str], out: str | Path, err: str | Path
) -> Callable[[Inside], None]:
    """Work of a child that executes another program in this folder, with its output in two files. It sends nothing; only its
    exit status counts."""

    def become(inside: Inside) -> None:
        os.chdir(folder)
        for number, path in ((1, out), (2, err)):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(file, number)
            os.close(file)
        os.execve(command[0], list(command), environment)

    return become


def _redirect(output: str | Path) -> None:
    """Empty standard input; output into a file."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    if output:
        log = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)


def _die_with(mother: int) -> None:
    """Makes the kernel kill this process when its parent dies."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != mother:
        os._exit(1)


def fork(work: Callable[[], None], output: str | Path = "") -> int:
    """Forks a child that does the work and ends in os._exit: 0 if the work returns, 1 if it raises.

    Its output goes to the file `output` ("": the parent's output). It leaves no core file, ignores Ctrl-C, and dies with its
    parent. A traceback goes to the log, or to the parent's standard error.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    mother, pid, code = os.getpid(), -1, 1
    try:
        pid = os.fork()
        if pid == 0:
            gc.freeze()  # the parent's imports are never garbage here
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            _die_with(mother)
            own = os.dup(2)
            try:
                _redirect(output)
                work()
                code = 0
            except SystemExit:
                pass
            except BaseException:
                if output == SILENT:
                    os.dup2(own, 2)
                traceback.print_exc()
    finally:
        if pid == 0:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    return pid


# ---- the mother


class Child:
    """A running child, as seen by its parent. `start` makes it, `end` collects it."""

    def __init__(self, pid: int, journal: Journal, limits: Limits, ask: int, told: int) -> None:
        self.pid, self.journal, self.limits = pid, journal, limits
        self.pidfd = os.pidfd_open(pid)
        """Readable once it has ended."""
        self.over = False
        """Whether it has ended and all its answers were read."""
        self._ask, self._told, self._held = ask, told, b""
        self._late = ""
        self._resting = False
        self.restart()

    @staticmethod
    def start(work: Callable[[Inside], None], limits: Limits = UNLIMITED, output: str | Path = "") -> Child:
        """Forks a child that does the work (see `fork`) and starts its clocks."""
        asked, ask = os.pipe()
        told, tell = os.pipe()
        journal = Journal()

        def inside() -> None:
            os.close(ask)
            os.close(told)
            if limits.memory is not None:
                limit_memory(limits.memory)
            work(Inside(journal, asked, tell))
            journal.close_work()

        pid = fork(inside, output)
        os.close(asked)
        os.close(tell)
        return Child(pid, journal, limits, ask, told)

    # ---- its clocks

    def restart(self) -> None:
        """Resets its clocks. The processor's starts at the next check, since most answers come earlier."""
        self._count, self._since = self.journal.count(), time.monotonic()
        self._cpu: float | None = None
        self._resting = False

    def rest(self) -> None:
        """Stops its clocks until its next note."""
        self.restart()
        self._resting = True

    def watch(self) -> bool:
        """Kills it if it and its descendants exceed a limit. Returns whether it did."""
        if self._late:
            return True
        members = family(self.pid) if self.limits.memory is not None else []
        if self.limits.memory is not None and len(members) > 1 and is_above(members, self.limits.memory):
            self._late = MEMORY
            self.kill()
            return True
        if self.journal.count() != self._count:
            self.restart()
            return False
        if self._resting:
            return False
        spent = cpu_seconds(self.pid) if self.limits.cpu is not None else 0.0
        self._cpu = spent if self._cpu is None else self._cpu
        if self.limits.cpu is not None and spent - self._cpu > self.limits.cpu:
            self._late = PROCESSOR
        elif self.limits.wall is not None and time.monotonic() - self._since > self.limits.wall:
            self._late = WALL
        if self._late:
            self.kill()
        return bool(self._late)

    def kill(self) -> None:
        """Kills it and its descendants."""
        members = family(self.pid)[1:]
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        for pid in members:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def gone(self, timeout: float) -> bool:
        """Waits up to `timeout` seconds for its end. Returns whether it has ended."""
        return _ready(self.pidfd, select.POLLIN, timeout)

    # ---- messages

    def send(self, request: Any) -> None:
        """Sends a request. Does nothing if the child has ended; a child that does not read is subject to its clocks."""
        data = _framed(request)
        while data and not self._late:
            if not _ready(self._ask, select.POLLOUT, TICK):
                self.watch()
                continue
            try:
                data = data[os.write(self._ask, data[: select.PIPE_BUF]) :]
            except BrokenPipeError:
                return

    def take(self, timeout: float) -> list[Any]:
        """Its answers, after waiting up to `timeout` seconds for one. `over`: no more will come."""
        found = _poll([self], timeout)
        if self._told in found:
            chunk = os.read(self._told, 1 << 16)
            self.over = not chunk
            self._held += chunk
        elif self.pidfd in found:  # our pipe may still be open in a process that it left behind
            self.over = True
        return list(self._whole())

    def _whole(self) -> Iterator[Any]:
        while len(self._held) >= _FRAME.size:
            end = _FRAME.size + _FRAME.unpack_from(self._held)[0]
            if len(self._held) < end:
                return
            data, self._held = self._held[_FRAME.size : end], self._held[end:]
            yield pickle.loads(data)

    def exchange(self, request: Any) -> Any:
        """Sends a request and waits for its one answer, subject to its clocks. Raises Died, and is collected then."""
        self.restart()
        self.send(request)
        while not self.over:
            for answer in self.take(TICK):
                return answer
            self.watch()
        raise Died(self.end())

    # ---- its end

    def end(self) -> End:
        """Ends it, by force if necessary, and frees all its resources. Call it once."""
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.set_blocking(self._ask, False)
            os.write(self._ask, _FRAME.pack(0))
        os.close(self._ask)
        left = time.monotonic() + LEAVE
        while not _ready(self.pidfd, select.POLLIN, TICK):
            if self.watch() or time.monotonic() > left:
                self.kill()
        status = os.waitpid(self.pid, 0)[1]
        done = self.journal.is_done()
        os.close(self.pidfd)
        os.close(self._told)
        return End(status, done, self._late, "" if done else self._how(status))

    def _how(self, status: int) -> str:
        if self._late == PROCESSOR:
            return f"no answer within {self.limits.cpu:g} s of processor time"
        if self._late == WALL:
            return f"no answer within {self.limits.wall:g} s"
        if self._late:
            return f"more than {(self.limits.memory or 0) >> 20} MiB of memory, children included"
        if os.WIFSIGNALED(status):
            return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
        return f"exit code {os.WEXITSTATUS(status)}"


def _ready(descriptor: int, event: int, timeout: float) -> bool:
    watch = select.poll()
    watch.register(descriptor, event)
    return bool(watch.poll(timeout * 1000))


def _poll(children: Sequence[Child], timeout: float) -> set[int]:
    watch = select.poll()
    for child in children:
        watch.register(child._told, select.POLLIN)
        watch.register(child.pidfd, select.POLLIN)
    return {descriptor for descriptor, _ in watch.poll(timeout * 1000)}


def ready(children: Sequence[Child], timeout: float) -> list[Child]:
    """Children that sent something or ended, after waiting up to `timeout` seconds for one."""
    found = _poll(children, timeout)
    return [child for child in children if not found.isdisjoint((child._told, child.pidfd))]


def call(work: Callable[[], Any], limits: Limits = UNLIMITED, output: str | Path = SILENT) -> tuple[Any, End]:
    """Runs `work` in a child, in an empty folder that is removed. Returns its result (None if it raised, died or took too long)
    and how it ended. A silent child does not print what it raised."""

    def inside(ends: Inside) -> None:
        os.chdir(folder)
        try:
            value = work()
        except Exception:
            if output == SILENT:
                sys.exit(1)
            raise
        ends.tell(value)

    with tempfile.TemporaryDirectory() as folder:
        child = Child.start(inside, limits, output)
        answers: list[Any] = []
        while not child.over:
            answers += child.take(TICK)
            child.watch()
        end = child.end()
    child.journal.close()
    return (answers[0] if end.done and answers else None), end

"""The worker's side of the protocol of docs/running.md: JSON lines, one request, one answer.

The process that starts is only a warm mother: it imports the framework once and forks a child for every few requests.
A crash or a hang then costs one model, and a leak or a changed global a few; the mother reports how the child died and
forks the next.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import traceback
from collections.abc import Callable
from typing import Any, Protocol

Json = Any
Stage = Callable[[str], None]


class Unavailable(Exception):
    """The backend cannot work here; the text says what is missing."""


class Backend(Protocol):
    """What a worker of one framework provides."""

    def ready(self) -> dict[str, str]:
        """Warms up; returns the versions of all that takes part. Raises Unavailable."""

    def enter(self, folder: str) -> None:
        """Called once in a new process; the folder is for its temporary files and goes when it ends."""

    def handle(self, request: Json, stage: Stage) -> Json:
        """Answers one request, in a process of its own; `stage` is called before each step that may not return."""


class Channel:
    """The protocol's output: the original standard output, moved out of reach of whatever prints."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        os.set_inheritable(self._fd, False)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, message: Json) -> None:
        """Writes one line."""
        line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        while line:
            line = line[os.write(self._fd, line) :]


def _limit(mebibytes: int) -> None:
    """Bounds the address space to what is mapped now and so much more."""
    if mebibytes > 0:
        with open("/proc/self/statm", encoding="ascii") as statm:
            mapped = int(statm.read().split()[0]) * resource.getpagesize()
        bound = mapped + (mebibytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


class Requests:
    """The protocol's input: the original standard input, moved out of reach of whatever reads.

    The supervisor sends a request only after the answer to the last one, so nothing is ever read ahead.
    """

    def __init__(self) -> None:
        self.fd = os.dup(0)
        os.set_inheritable(self.fd, False)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)

    def next(self) -> Json | None:
        """The next request, None at the end."""
        line = b""
        while not line.endswith(b"\n"):
            chunk = os.read(self.fd, 1 << 16)
            if not chunk:
                return None
            line += chunk
        return json.loads(line)

    def wait(self) -> bool:
        """Waits for a request; False at the end."""
        watch = select.poll()
        watch.register(self.fd, select.POLLIN)
        return bool(watch.poll()[0][1] & select.POLLIN)


class Current:
    """The id of the request that the child works on, where the mother can see it; 0: none."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)

    def set(self, value: int) -> None:
        """Called by the child."""
        struct.pack_into("q", self._page, 0, value)

    def get(self) -> int:
        """Called by the mother."""
        return struct.unpack_from("q", self._page, 0)[0]


def _child(backend: Backend, requests: Requests, channel: Channel, current: Current, batch: int) -> None:
    """Answers some requests and ends the process, whatever happens."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        faulthandler.enable()
        backend.enter(_folder(os.getpid()))
        limited = False
        for _ in range(batch):
            request = requests.next()
            if request is None:
                break
            current.set(request["id"])
            if not limited:
                _limit(int(request.get("memory", 0)))
                limited = True

            def stage(name: str, number: int = request["id"]) -> None:
                channel.send({"id": number, "stage": name, "pid": os.getpid()})

            answer = backend.handle(request, stage)
            channel.send({"id": request["id"], **answer})
            current.set(0)
            sys.stderr.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _folder(pid: int) -> str:
    """Where a process may leave files."""
    return os.path.join(os.environ.get("RULEFUZZ_SCRATCH", tempfile.gettempdir()), f"rulefuzz-child-{pid}")


def _wait(pid: int, requests: Requests) -> int:
    """Waits for a child; when the supervisor goes away, child and mother go as well."""
    watch = select.poll()
    watch.register(requests.fd, 0)
    pidfd = os.pidfd_open(pid)
    watch.register(pidfd, select.POLLIN)
    while True:
        ready = dict(watch.poll())
        if pidfd in ready:
            os.close(pidfd)
            return os.waitpid(pid, 0)[1]
        if requests.fd in ready:
            os.kill(pid, signal.SIGKILL)
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            os._exit(0)


def serve(backend: Backend, batch: int) -> int:
    """The worker's life, until its input ends; a child answers `batch` requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel, requests, current = Channel(), Requests(), Current()
    try:
        versions = backend.ready()
    except Unavailable as error:
        channel.send({"fatal": str(error)})
        return 5
    channel.send({"ready": 1, "pid": os.getpid(), "versions": versions})
    while requests.wait():
        sys.stderr.flush()
        current.set(0)
        pid = os.fork()
        if pid == 0:
            _child(backend, requests, channel, current, batch)
        status = _wait(pid, requests)
        shutil.rmtree(_folder(pid), ignore_errors=True)
        if status != 0 and current.get() != 0:
            end = {"signal": os.WTERMSIG(status)} if os.WIFSIGNALED(status) else {"status": os.WEXITSTATUS(status)}
            channel.send({"id": current.get(), "died": end})
    return 0

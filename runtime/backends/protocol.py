"""The worker's side of the protocol of docs/running.md: JSON lines, one request, one answer, a child for each request.

The process that starts is only a warm mother: it imports the framework once and forks a child for every request. A
crash, a leak or a changed global then costs one model; the mother reports how the child died and forks the next.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Protocol

Json = Any
Stage = Callable[[str], None]


class Unavailable(Exception):
    """The backend cannot work here; the text says what is missing."""


class Backend(Protocol):
    """What a worker of one framework provides."""

    def ready(self) -> dict[str, str]:
        """Warms up; returns the versions of all that takes part. Raises Unavailable."""

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


def _lines() -> Iterator[bytes]:
    """The lines of standard input; what follows the last newline is not a request."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole


def _limit(mebibytes: int) -> None:
    """Bounds the address space to what is mapped now and so much more."""
    if mebibytes > 0:
        with open("/proc/self/statm", encoding="ascii") as statm:
            mapped = int(statm.read().split()[0]) * resource.getpagesize()
        bound = mapped + (mebibytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _child(backend: Backend, request: Json, channel: Channel) -> None:
    """Answers one request and ends the process, whatever happens."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        faulthandler.enable()
        _limit(int(request.get("memory", 0)))

        def stage(name: str) -> None:
            channel.send({"id": request["id"], "stage": name, "pid": os.getpid()})

        answer = backend.handle(request, stage)
        channel.send({"id": request["id"], **answer})
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _wait(pid: int) -> int:
    """Waits for a child; when the supervisor goes away, child and mother go as well."""
    watch = select.poll()
    watch.register(0, 0)
    pidfd = os.pidfd_open(pid)
    watch.register(pidfd, select.POLLIN)
    while True:
        ready = dict(watch.poll())
        if pidfd in ready:
            os.close(pidfd)
            return os.waitpid(pid, 0)[1]
        if 0 in ready:
            os.kill(pid, signal.SIGKILL)
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            os._exit(0)


def serve(backend: Backend) -> int:
    """The worker's life: until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel()
    try:
        versions = backend.ready()
    except Unavailable as error:
        channel.send({"fatal": str(error)})
        return 5
    channel.send({"ready": 1, "pid": os.getpid(), "versions": versions})
    for line in _lines():
        request = json.loads(line)
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            _child(backend, request, channel)
        status = _wait(pid)
        if status != 0:
            end = {"signal": os.WTERMSIG(status)} if os.WIFSIGNALED(status) else {"status": os.WEXITSTATUS(status)}
            channel.send({"id": request["id"], "died": end})
    return 0

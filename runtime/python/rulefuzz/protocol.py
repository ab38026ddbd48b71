"""The worker's side of the protocol (JSON lines, one answer per request); docs/reference/worker-protocol.md specifies it.

The first process is only a warm parent: it imports the framework once and forks a child for every few requests. A crash or a
hang then costs one model, and a leak or a changed global a few. The parent reports how a child died and forks the next.
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import Any, Protocol

from rulefuzz import sandbox
from rulefuzz.framework import Unavailable

Json = Any
Stage = Callable[[str, str], None]
"""Called with a target ("" for none) and a stage."""
UNAVAILABLE = 5
"""Exit code of a worker that cannot work here."""


FILLED = 4
"""A process ends when it has mapped 1/FILLED of its memory limit since its first model, since the next model needs the rest.
The first call does not count: it maps stacks and arenas of threads once."""


class Backend(Protocol):
    """Answers requests."""

    @property
    def batch(self) -> int:
        """Models per process; known once it is ready."""

    def ready(self) -> Json:
        """Warms up and returns the other members of the ready message. Raises Unavailable."""

    def renew(self) -> None:
        """Called before a new process is made."""

    def enter(self, folder: str) -> None:
        """Called once in a new process. The folder is for its temporary files and is removed when it ends."""

    def handle(self, request: Json, stage: Stage) -> Json:
        """Answers one request in its own process. `stage` is called before each step that may not return."""


class Channel:
    """The protocol's output: the original standard output, moved away from prints of libraries."""

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


class Requests:
    """The protocol's input: the original standard input, moved away from other readers.

    The supervisor sends a request only after the answer to the last one, so nothing is ever read ahead.
    """

    def __init__(self) -> None:
        self.fd = os.dup(0)
        os.set_inheritable(self.fd, False)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        self._returned = os.memfd_create("request")

    def give_back(self, request: Json) -> None:
        """Leaves a request to the next process."""
        os.pwrite(self._returned, json.dumps(request).encode() + b"\n", 0)

    def next(self) -> Json | None:
        """The next request; None at the end."""
        if size := os.fstat(self._returned).st_size:
            line = os.pread(self._returned, size, 0)
            os.ftruncate(self._returned, 0)
            return json.loads(line)
        line = b""
        while not line.endswith(b"\n"):
            chunk = os.read(self.fd, 1 << 16)
            if not chunk:
                return None
            line += chunk
        return json.loads(line)

    def wait(self) -> bool:
        """Waits for a request; False at the end."""
        if os.fstat(self._returned).st_size:
            return True
        watch = select.poll()
        watch.register(self.fd, select.POLLIN)
        return bool(watch.poll()[0][1] & select.POLLIN)


def _work(backend: Backend, requests: Requests, channel: Channel) -> Callable[[sandbox.Inside], None]:
    """A child's work: answers some requests. Its journal holds the id of the current request, "" between two."""

    def work(inside: sandbox.Inside) -> None:
        faulthandler.enable()
        backend.enter(_folder(os.getpid()))
        count, memory, first = 0, 0, 0
        while count < backend.batch and (not memory or sandbox.mapped() - first < memory // FILLED):
            request = requests.next()
            if request is None:
                break
            if count and request.get("alone") is True:
                requests.give_back(request)
                break
            number = request["id"]
            inside.journal.note(str(number))
            if count == 0 and request.get("memory", 0) > 0:
                memory = int(request["memory"]) << 20
                sandbox.limit_memory(memory)
            count += backend.batch if request.get("alone") is True else len(request.get("models", "1"))

            def stage(target: str, name: str, number: int = number) -> None:
                about = {"target": target} if target else {}
                channel.send({"id": number, "stage": name, **about, "pid": os.getpid()})

            answer = backend.handle(request, stage)
            channel.send({"id": number, **answer})
            inside.journal.note("")
            first = first or sandbox.mapped()
            sys.stderr.flush()

    return work


def _folder(pid: int) -> str:
    """The folder for a process's temporary files."""
    return os.path.join(os.environ.get("RULEFUZZ_SCRATCH", tempfile.gettempdir()), f"rulefuzz-child-{pid}")


def _wait(child: sandbox.Child, requests: Requests) -> sandbox.End:
    """Waits for a child. If the supervisor ends, the child is killed and the parent ends as well."""
    watch = select.poll()
    watch.register(requests.fd, 0)
    watch.register(child.pidfd, select.POLLIN)
    while True:
        ready = dict(watch.poll())
        if child.pidfd in ready:
            return child.end()
        if requests.fd in ready:
            child.kill()
            child.end()
            shutil.rmtree(_folder(child.pid), ignore_errors=True)
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            os._exit(0)


def serve(backend: Backend) -> int:
    """Serves requests until the input ends. A child answers up to `batch` models."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel, requests = Channel(), Requests()
    try:
        about = backend.ready()
    except Unavailable as error:
        channel.send({"fatal": str(error), "missing": error.missing})
        return UNAVAILABLE
    channel.send({"ready": 1, "forks": True, "pid": os.getpid(), **about})
    while requests.wait():
        backend.renew()
        child = sandbox.Child.start(_work(backend, requests, channel))
        end = _wait(child, requests)
        shutil.rmtree(_folder(child.pid), ignore_errors=True)
        number = child.journal.text()
        if number:  # also after a call of exit(0)
            channel.send({"id": int(number), "died": {"signal": end.signal} if end.signal else {"status": end.code}})
        child.journal.close()
    return 0

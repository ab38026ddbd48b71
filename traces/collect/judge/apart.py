"""Runs a function in a child process, which may crash, hang or leave things changed."""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
from collections.abc import Callable

from traces.collect.call.symbolise import Json

WALL = 5
"""Times the seconds that a child may last, waiting."""


def apart(function: Callable[[], Json], seconds: int, memory: int = 1 << 31) -> Json | None:
    """What the function returned; None if it raised, died, or took more than `seconds` of processor time.

    The child works in an empty folder, says nothing, and may add `memory` bytes to the address space.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            _run(function, seconds, memory, write)
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(text) if status == 0 else None


def _run(function: Callable[[], Json], seconds: int, memory: int, write: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    signal.alarm(WALL * seconds)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm", encoding="ascii") as pages:
        limit = int(pages.read().split()[0]) * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = json.dumps(function())
        os.chdir("/")
    with os.fdopen(write, "w") as pipe:
        pipe.write(text)
    os._exit(0)

"""A resident process that has imported a framework, and runs commands of visitors in forked children.

    python -m traces.collect.user_ops.resident FRAMEWORK FOLDER

prints "listening" and waits at a socket in FOLDER, which only its user may open, until its input ends. A visitor
(visit.py) sends a module with its arguments, and the files for its input and outputs:

    visit ──module, arguments, files──► resident ──fork──► attendant ──fork──► the module's main, in the visitor's files
          ◄──── taken, its exit code ─────────────────────    │ ends it when the visitor goes

The steps of `rulesmith learn` and the oracles are visitors. Each starts from the framework as imported, so that no call
affects another step.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence

from rulefuzz import sandbox
from traces.collect.frameworks import registry
from traces.collect.user_ops.visit import TAKEN, door

MODULES = ("traces.collect.user_ops.__main__", "traces.collect.cli.ask", "traces.collect.cli.values")
"""Modules imported in advance."""
LARGE_PAGES = "glibc.malloc.hugetlb=1"
"""Makes libc ask for huge pages, if the system has any: such a process forks in half the time."""
LEAVE = 10.0
"""Seconds for a command to end after its visitor has gone."""


def _run(command: Sequence[str]) -> int:
    """The exit code of a module's main with these arguments."""
    name, *arguments = command
    package = importlib.util.find_spec(f"{name}.__main__") if hasattr(importlib.import_module(name), "__path__") else None
    try:
        code = importlib.import_module(f"{name}.__main__" if package else name).main(arguments)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    return code if isinstance(code, int) else int(code is not None)


def _receive(connection: socket.socket) -> tuple[list[str], list[int]]:
    """A visitor's request: working folder, command, and three files."""
    text, files, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while not text.endswith(b"\n"):
        chunk = connection.recv(1 << 16)
        if not chunk:
            raise ConnectionError("the visitor went")
        text += chunk
    return json.loads(text), files


def _work(connection: socket.socket, told: Sequence[str], files: Sequence[int]) -> None:
    connection.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(told[0])
    code = _run(told[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def _attend(connection: socket.socket) -> None:
    """Runs a visitor's command, reports how it ended, and ends it if the visitor goes."""
    told, files = _receive(connection)
    connection.sendall(TAKEN)
    pid = sandbox.fork(lambda: _work(connection, told, files))
    for file in files:
        os.close(file)
    ended = os.pidfd_open(pid)
    ready, _, _ = select.select([ended, connection.fileno()], [], [])
    if ended not in ready:
        os.kill(pid, signal.SIGTERM)
        if not select.select([ended], [], [], LEAVE)[0]:
            os.kill(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with contextlib.suppress(OSError):
        connection.sendall(f"{code if code >= 0 else 128 - code}\n".encode())


def serve(listener: socket.socket) -> None:
    """Serves visitors until the input ends."""
    while True:
        ready, _, _ = select.select([0, listener.fileno()], [], [], 1.0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if 0 in ready:
            return
        if listener.fileno() in ready:
            with listener.accept()[0] as connection:
                sandbox.fork(lambda come=connection: _attend(come))  # type: ignore[misc]


def listen(folder: str) -> socket.socket:
    """Creates the socket of a folder."""
    path = door(folder)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o077)
    listener.bind(path)
    os.umask(before)
    listener.listen()
    return listener


def _with_large_pages() -> None:
    """Restarts the process, unless it has the variable that libc reads at start."""
    told = os.environ.get("GLIBC_TUNABLES", "")
    if "glibc.malloc.hugetlb" not in told:
        os.environ["GLIBC_TUNABLES"] = f"{told}:{LARGE_PAGES}" if told else LARGE_PAGES
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def main(argv: Sequence[str]) -> int:
    """The command."""
    name, folder = argv
    _with_large_pages()
    listener = listen(folder)
    print("listening", flush=True)
    os.dup2(2, 1)
    try:
        for module in MODULES:
            importlib.import_module(module)
        registry.load(name)
    except ImportError:
        return 5  # the next step reports it
    serve(listener)
    os.unlink(door(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs scripts in forks of a process that has run no model.

A new process that compiles one call by inductor needs 15 seconds of processor time: for imports, for the set of vector
instructions and for the compiler's headers. The worker forks the clean process before its first model. Its children, which
write scripts, inherit one end of a socket to it. Until it is warm, each script is a new process.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from rulefuzz import sandbox
from rulefuzz.model import Json

LONGEST = 1 << 18
"""Bytes of a request."""
PACKAGE = Path(__file__).resolve().parents[2]
PACKAGE_NAME = "rulefuzz"
"""Scripts must not depend on it."""


class Clean:
    """The clean process, as seen by its starter and the starter's forks."""

    def __init__(self, warm: Callable[[], None]) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._warm = mmap.mmap(-1, 1)
        self.pid = sandbox.fork(lambda: self._serve(theirs, warm))
        self._number = 0
        theirs.close()

    @property
    def is_warm(self) -> bool:
        """Whether it accepts scripts already."""
        return self._warm[0] > 0

    def _serve(self, end: socket.socket, warm: Callable[[], None]) -> None:
        """The work of the clean process: warms up, then runs one script after another."""
        self._ours.close()
        warm()
        self._warm[0] = 1
        while request := end.recv(LONGEST):
            told = json.loads(request)
            ended, code = _watched(told)
            with contextlib.suppress(OSError):
                end.send(json.dumps({"number": told["number"], "ended": ended, "code": code}).encode())

    def close(self) -> None:
        """Ends it."""
        self._ours.close()
        os.waitpid(self.pid, 0)

    def run(self, path: Path, environment: dict[str, str], out: Path, err: Path, seconds: float) -> tuple[bool, int]:
        """Runs a script in the folder of its file. Returns whether it ended within these seconds, and its exit code, negative
        for a signal. Raises OSError if the process is gone."""
        self._number += 1
        number = f"{os.getpid()}.{self._number}"
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        told = {"number": number, "path": str(path), "environment": environment, "out": str(out), "err": str(err),
                "seconds": seconds, "memory": limit}  # fmt: skip
        self._ours.send(json.dumps(told).encode())
        while answer := self._ours.recv(LONGEST):
            found = json.loads(answer)
            if found["number"] == number:  # others were for a process that was killed while it waited
                return found["ended"], found["code"]
        raise OSError("the clean process has ended")


def _watched(told: Json) -> tuple[bool, int]:
    """Forks a process for a script and waits for it. Kills it with its descendants when it is late."""
    child = sandbox.Child.start(lambda _: _become(told))
    ended = child.gone(max(float(told["seconds"]), 0.0))
    if not ended:
        child.kill()
    how = child.end()
    child.journal.close()
    return ended, -how.signal if how.signal else how.code


def _become(told: Json) -> None:
    """Runs the script as `python -I` does, in this process, and ends it."""
    for number, path in ((1, told["out"]), (2, told["err"])):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
        os.close(file)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    os.chdir(Path(told["path"]).parent)
    os.environ.clear()
    os.environ.update(told["environment"])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (told["memory"], hard))
    sys.argv = [told["path"]]
    sys.path[:] = [path for path in sys.path if path and Path(path).resolve() != PACKAGE]
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE_NAME]:
        del sys.modules[name]
    space = {"__name__": "__main__", "__file__": told["path"], "__builtins__": __builtins__}
    code = 0
    try:
        program = compile(Path(told["path"]).read_text(encoding="utf-8"), told["path"], "exec", dont_inherit=True)
        exec(program, space)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


_clean: list[Clean] = []
"""That of this worker, if it has one."""


def start(warm: Callable[[], None]) -> None:
    """Starts the clean process of this worker, which calls `warm` at once."""
    _clean[:] = [Clean(warm)]


def stop() -> None:
    """Ends the clean process: each script is a new process again."""
    while _clean:
        _clean.pop().close()


def run(path: Path, environment: dict[str, str], out: Path, err: Path, seconds: float) -> tuple[bool, int] | None:
    """As Clean.run; None if there is no warm clean process."""
    with contextlib.suppress(OSError):
        if _clean and _clean[0].is_warm:
            return _clean[0].run(path, environment, out, err, seconds)
    return None

"""Runs a collector's command in the resident process that has its framework imported, and exits as the command does:

    python -m traces.collect.user_ops.visit FOLDER MODULE ARGUMENT…

equals python -m MODULE ARGUMENT…, without the seconds for importing a framework, if a resident listens in FOLDER
(resident.py). Otherwise it runs the module itself.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
from collections.abc import Sequence

DOOR = "resident"
"""The socket's name."""
TAKEN = b"+"
"""The resident's message before it runs the command; the exit code follows as a line at its end."""


def door(folder: str) -> str:
    """A short path to the socket of a folder, however long the folder's path is. The opened descriptor stays open."""
    return f"/proc/self/fd/{os.open(folder, os.O_PATH | os.O_DIRECTORY)}/{DOOR}"


def _told(connection: socket.socket) -> str:
    """Everything read until the other end closes."""
    said = b""
    while chunk := connection.recv(1 << 10):
        said += chunk
    return said.decode("ascii")


def visit(folder: str, command: Sequence[str]) -> int | None:
    """The exit code of a command run by a resident; None if there is no resident, or it could not run it."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(door(folder))
            socket.send_fds(connection, [json.dumps([os.getcwd(), *command]).encode() + b"\n"], [0, 1, 2])
            said = _told(connection)
    except OSError:
        return None
    if not said:
        return None
    return int(said[1:]) if said[1:].strip().isdigit() else 1  # a resident that died did part of the work


def main(argv: Sequence[str]) -> int:
    """The command."""
    folder, *command = argv
    code = visit(folder, command)
    if code is None:
        sys.argv = command
        runpy.run_module(command[0], run_name="__main__", alter_sys=True)
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs a collector's command in the process that has its framework already, and ends as that does:

    python -m traces.collect.own.visit FOLDER MODULE ARGUMENT…

is python -m MODULE ARGUMENT…, without the seconds that importing a framework takes, where a resident is at home in FOLDER
(resident.py); where none is, it runs the module itself.
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
"""What the resident says before it runs the command; its exit code comes behind, as a line, once that ended."""


def door(folder: str) -> str:
    """A path to the socket of a folder, short however long the folder's is. What it opens stays open."""
    return f"/proc/self/fd/{os.open(folder, os.O_PATH | os.O_DIRECTORY)}/{DOOR}"


def _told(connection: socket.socket) -> str:
    """What is said until the other end is closed."""
    said = b""
    while chunk := connection.recv(1 << 10):
        said += chunk
    return said.decode("ascii")


def visit(folder: str, command: Sequence[str]) -> int | None:
    """The exit code of a command that a resident ran; None where there is none, or none that could run it."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(door(folder))
            socket.send_fds(connection, [json.dumps([os.getcwd(), *command]).encode() + b"\n"], [0, 1, 2])
            said = _told(connection)
    except OSError:
        return None
    if not said:
        return None
    return int(said[1:]) if said[1:].strip().isdigit() else 1  # one that fell did its work in part


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

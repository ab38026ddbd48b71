"""Runs a command on a terminal of this width and prints its output: terminal.py COLUMNS COMMAND…"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios


def main() -> int:
    """The command's exit code."""
    columns, command = int(sys.argv[1]), sys.argv[2:]
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(command[0], command)
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # Linux's end of file on a terminal
            break
        if not block:
            break
        sys.stdout.buffer.write(block.replace(b"\r\n", b"\n"))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())

"""What code that is not Python's prints: some libraries say in no other way that they cannot do something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def heard(run: Callable[[], Any]) -> tuple[Any, str]:
    """What a call returns, and what is printed meanwhile on standard output, where it goes afterwards, too. Of a call that
    raises or ends the process nothing is heard."""
    import ctypes
    import os

    flush, plain, said = ctypes.CDLL(None).fflush, os.dup(1), os.memfd_create("said")
    flush(None)
    os.dup2(said, 1)
    try:
        found = run()
        flush(None)
        text = os.pread(said, 1 << 16, 0)
    finally:
        os.dup2(plain, 1)
        os.close(plain)
        os.close(said)
    os.write(1, text)
    return found, text.decode("utf-8", "replace")

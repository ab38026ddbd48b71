"""Captures the output of native code: some libraries report unsupported models only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def heard(run: Callable[[], Any]) -> tuple[Any, str]:
    """A call's result and what it printed on standard output meanwhile, which is still printed. Nothing is captured if the call
    raises or ends the process."""
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

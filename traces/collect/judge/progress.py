"""One line of progress on a terminal."""

from __future__ import annotations

import sys
import time


class Progress:
    """One line on a terminal: stage, i/N, rate, time left. Silent elsewhere."""

    def __init__(self, stage: str) -> None:
        self._stage, self._start, self._live = stage, time.monotonic(), sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Redraws the line."""
        if self._live:
            rate = done / max(time.monotonic() - self._start, 1e-6)
            left = (total - done) / rate if rate else 0.0
            sys.stderr.write(f"\r\033[K{self._stage} {done}/{total}  {rate:.1f}/s  {left:.0f} s left")
            sys.stderr.flush()

    def end(self) -> None:
        """Clears the line."""
        if self._live:
            sys.stderr.write("\r\033[K")

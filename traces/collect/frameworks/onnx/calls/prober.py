"""Runs guessed calls of operators in a process of its own, since some kernels die of arguments that they do not expect."""

from __future__ import annotations

import multiprocessing
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Call
from traces.collect.judge.framework import NotTensors

SECONDS = 20.0
"""Time for a call; after that its process is ended."""


class Prober:
    """Whether an adapter accepts calls."""

    def __init__(self, adapter: Any) -> None:
        self._adapter = adapter
        self._context = multiprocessing.get_context("fork")
        self._process: Any = None
        self._pipe: Any = None

    def accepts(self, call: Call) -> bool:
        """True if the call runs; false also if it kills its process or takes too long."""
        if self._process is None or not self._process.is_alive():
            self._pipe, theirs = self._context.Pipe()
            self._process = self._context.Process(target=self._work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        try:
            self._pipe.send((call.api, call.args, call.values))
            if self._pipe.poll(SECONDS):
                return bool(self._pipe.recv())
        except (EOFError, OSError):
            pass
        self.end()
        return False

    def end(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def _work(self, pipe: Any) -> None:
        while True:
            api, args, values = pipe.recv()
            pipe.send(self._runs(api, args, values))

    def _runs(self, api: str, args: Any, values: Any) -> bool:
        try:
            call = self._adapter.compile(api, args)
            return bool(self._adapter.run(call, values, "ones"))
        except (Rejected, Unanswered, NotTensors):
            return False

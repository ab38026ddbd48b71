"""Runs guessed calls of operators in a separate process, since some kernels die of arguments that they do not expect."""

from __future__ import annotations

from typing import Any, cast

from rulefuzz import sandbox
from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Call
from traces.collect.judge.framework import NotTensors

LIMITS = sandbox.Limits(wall=20.0)
"""Of a call; beyond them its process is ended."""


class Prober:
    """Whether an adapter accepts calls."""

    def __init__(self, adapter: Any) -> None:
        self._adapter = adapter
        self._child: sandbox.Child | None = None

    def accepts(self, call: Call) -> bool:
        """True if the call runs; false also if it kills its process or takes too long."""
        return self.refusal(call) is None

    def refusal(self, call: Call) -> str | None:
        """Why the call is rejected; None if it runs."""
        self._child = self._child or sandbox.Child.start(self._work, LIMITS)
        try:
            return cast("str | None", self._child.exchange((call.api, call.args, call.values)))
        except sandbox.Died:
            self._child.journal.close()
            self._child = None
            return "it kills its process"

    def end(self) -> None:
        """Ends the process."""
        if self._child is not None:
            self._child.end()
            self._child.journal.close()
            self._child = None

    def _work(self, inside: sandbox.Inside) -> None:
        for api, args, values in inside.requests():
            inside.tell(self._runs(api, args, values))

    def _runs(self, api: str, args: Any, values: Any) -> str | None:
        try:
            call = self._adapter.compile(api, args)
            return None if self._adapter.run(call, values, "ones") else "it returns nothing"
        except (Rejected, Unanswered, NotTensors) as error:
            return str(error) or "rejected"

"""A framework that writes every call to a journal first, so that a crash can be attributed to a call.

After a worker's first death its calls run in a child process, the servant. If a call kills the servant, the call is
recorded, and the worker continues with the next call and a new servant. A call that was not its servant's first is
retried in a new one before it is blamed: an earlier one may have overwritten memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulefuzz import sandbox
from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Fencing, Framework, NotTensors, Output, Wishing

CALL_SECONDS = 4.0
"""CPU seconds per call."""
SERVANT_WALL_SECONDS = 60.0
"""Wall-clock seconds per call of a servant, which may wait on a lock."""
SERVANT_CALLS = 100
"""Calls before a servant is replaced, to limit the effect of memory corruption."""
NOTED = 3
"""Reported crashing calls per operator; there may be hundreds alike."""
KILLS = "kills its process"
"""The message of Unanswered for a crashing call."""
BEYOND = "reads or writes beyond its tensors"
"""The message of Rejected for a call that dies at a fence."""
AT_FENCE = frozenset({"killed by SIGSEGV", "killed by SIGBUS", "killed by SIGABRT"})
"""How such a call ends; the last of these if it corrupted the allocator's data."""
HANG = "hang: more than a few seconds of processor time"
NO_PROGRESS = "hang: no progress"

Request = tuple[str, str, Sequence[Json], Values, str]
"""API, text, arguments, values, fill; the fill REPEAT stands for `deterministic`."""
REPEAT = "repeat"


OWN_FAULT = "killed by SIGFPE"
"""The kind of death that is always the call's own fault. Others may come from memory that an earlier call overwrote."""


def described(end: sandbox.End) -> str:
    """How a child ended, as in findings and tables."""
    return {sandbox.PROCESSOR: HANG, sandbox.WALL: NO_PROGRESS}.get(end.late, end.how)


def is_at_fence(framework: Framework, api: str, how: str) -> bool:
    """True if a call with this end died at a fence."""
    return how in AT_FENCE and isinstance(framework, Fencing) and framework.is_fenced(api)


def _serve(framework: Framework, inside: sandbox.Inside) -> None:
    """The servant: answers requests with (result, exception)."""
    compiled: dict[str, Any] = {}
    for api, text, args, values, fill in inside.requests():
        if text not in compiled:
            compiled[text] = framework.compile(api, args)
        call = compiled[text]
        value, error = None, None
        try:
            value = framework.deterministic(call, values) if fill == REPEAT else framework.run(call, values, fill)
        except (Rejected, Unanswered, NotTensors) as refusal:
            error = type(refusal)(str(refusal))
        inside.tell((value, error))


class Guarded:
    """A framework that writes every call to the journal first.

    `alone`: calls run in servants, with `seconds` of CPU time per call and `life` calls per servant; `forbidden` calls,
    which killed the worker itself, do not run.
    """

    def __init__(self, framework: Framework, journal: sandbox.Journal, forbidden: Sequence[str] = (), *, alone: bool = False,
                 seconds: float | None = CALL_SECONDS, life: int = SERVANT_CALLS) -> None:  # fmt: skip
        self._inner, self._journal, self._forbidden, self._seconds = framework, journal, frozenset(forbidden), seconds
        self._life = life
        self.name, self.version, self.alone = framework.name, framework.version, alone
        self._servant: sandbox.Child | None = None
        self._served_calls = 0
        """Calls of the current servant."""
        self.killers: dict[str, str] = {}
        """How calls that killed their servant ended. They are not run again."""
        self.hangs: Counter[tuple[str, str]] = Counter()
        """Number of hanging calls by (API, signature with floats)."""

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""
        text = "\t".join((api, arglist.signature(args, keep_floats=True), ",".join(arglist.dtypes(args))))
        return api, text, args, self._inner.compile(api, args)

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """As Wishing.wishes; empty if the framework has none."""
        return self._inner.wishes(api, args) if isinstance(self._inner, Wishing) else []

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """As Framework.run."""
        noted = self._note(call, values, fill)
        if self.alone:
            return tuple(self._served(noted, (*call[:3], values, fill)))
        return self._inner.run(call[3], values, fill)

    def deterministic(self, call: Any, values: Values) -> bool:
        """As Framework.deterministic."""
        noted = self._note(call, values, REPEAT)
        if self.alone:
            return bool(self._served(noted, (*call[:3], values, REPEAT)))
        return self._inner.deterministic(call[3], values)

    def _note(self, call: Any, values: Values, fill: str) -> str:
        noted = f"{call[1]}\t{','.join(map(str, values))}\t{fill}"
        if noted in self._forbidden or noted in self.killers:
            raise self._death(noted)
        self._journal.note(noted)
        return noted

    def _started(self) -> sandbox.Child:
        """The servant, started if necessary."""
        if self._servant is None:
            limits = sandbox.Limits(cpu=self._seconds, wall=SERVANT_WALL_SECONDS)
            self._servant = sandbox.Child.start(lambda inside: _serve(self._inner, inside), limits)
            self._served_calls = 0
        return self._servant

    def _served(self, noted: str, request: Request) -> Any:
        """The result of a call in the servant. Raises the call's exception, or Unanswered if it kills the servant."""
        while True:
            servant = self._started()
            self._served_calls += 1
            try:
                value, error = servant.exchange(request)
                break
            except sandbox.Died as death:
                servant.journal.close()
                self._servant = None
                if self._is_to_blame(noted, death.end):
                    raise self._death(noted) from death
        if self._served_calls >= self._life:
            servant.end()
            servant.journal.close()
            self._servant = None
        if error is not None:
            raise error
        return value

    def _death(self, noted: str) -> Rejected | Unanswered:
        """The exception for a crashing call."""
        api = noted.split("\t", maxsplit=1)[0]
        return Rejected(BEYOND) if is_at_fence(self._inner, api, self.killers.get(noted, "")) else Unanswered(KILLS)

    def _is_to_blame(self, noted: str, end: sandbox.End) -> bool:
        """True if this call, not an earlier one, killed its servant; it is then recorded."""
        is_own = bool(end.late) or end.how == OWN_FAULT
        if not is_own and self._served_calls > 1:  # memory that an earlier call overwrote can cause that, too
            return False
        if not end.late and not end.signal:
            raise RuntimeError(f"no answer from {noted}: {end.how}")
        self.killers[noted] = HANG if end.late else end.how
        if end.late:
            api, signature, *_ = noted.split("\t")
            self.hangs[(api, signature)] += 1
        return True

    def noted(self) -> list[list[str]]:
        """[how it ended, the call]: the first few crashing calls of each operator."""
        counts: Counter[str] = Counter()
        rows = []
        for call, how in self.killers.items():
            operator = call.split("\t")[1]
            counts[operator] += 1
            if counts[operator] <= NOTED:
                rows.append([how, call])
        return rows

"""A framework whose every call is in a journal first, so that a death has something to be blamed on.

Where a worker has died before, its calls run in a child of its own, a servant: when one kills it, that call is noted, and the
worker goes on with the next call and a new servant. A call that was not its servant's first is tried in a new one before it
is blamed: an earlier one may have overwritten memory.
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
"""Processor time that one call may take."""
SERVANT_WALL_SECONDS = 60.0
"""Wall-clock time that a servant's call may take (it may be waiting on a lock)."""
SERVANT_CALLS = 100
"""Calls after which a servant is replaced, so that what one of them did to memory does not last."""
NOTED = 3
"""Killing calls of one operator that are reported; there may be hundreds of the same sort."""
KILLS = "kills its process"
"""The message of Unanswered for a call that does."""
BEYOND = "reads or writes beyond its tensors"
"""The message of Rejected for a call that dies at a fence."""
AT_FENCE = frozenset({"killed by SIGSEGV", "killed by SIGBUS", "killed by SIGABRT"})
"""How such a call ends; the last of these where it wrote over what the allocator needs."""
HANG = "hang: more than a few seconds of processor time"
NO_PROGRESS = "hang: no progress"

Request = tuple[str, str, Sequence[Json], Values, str]
"""API, text, arguments, values, fill: `deterministic` is asked for with the fill REPEAT."""
REPEAT = "repeat"


OWN_FAULT = "killed by SIGFPE"
"""The end that is the call's own fault whatever ran before it: other deaths may be of memory that an earlier call overwrote."""


def described(end: sandbox.End) -> str:
    """How a child ended, as findings and tables say it."""
    return {sandbox.PROCESSOR: HANG, sandbox.WALL: NO_PROGRESS}.get(end.late, end.how)


def is_at_fence(framework: Framework, api: str, how: str) -> bool:
    """Whether an operator's call that ended so died at a fence."""
    return how in AT_FENCE and isinstance(framework, Fencing) and framework.is_fenced(api)


def _serve(framework: Framework, inside: sandbox.Inside) -> None:
    """The servant: answers requests with (what the call returned, what it raised)."""
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
    """A framework whose every call is in the journal first.

    `alone`: calls run in servants, `seconds` of processor time each and `life` of them to a
    servant, and `forbidden` ones, which killed the worker itself, do
    not run.
    """

    def __init__(self, framework: Framework, journal: sandbox.Journal, forbidden: Sequence[str] = (), *, alone: bool = False,
                 seconds: float | None = CALL_SECONDS, life: int = SERVANT_CALLS) -> None:  # fmt: skip
        self._inner, self._journal, self._forbidden, self._seconds = framework, journal, frozenset(forbidden), seconds
        self._life = life
        self.name, self.version, self.alone = framework.name, framework.version, alone
        self._servant: sandbox.Child | None = None
        self._served_calls = 0
        """Calls that the servant was asked for."""
        self.killers: dict[str, str] = {}
        """Call to how it ended, for calls that killed their servant. They are not run again."""
        self.hangs: Counter[tuple[str, str]] = Counter()
        """(API, signature with floats) to the number of its calls that hung."""

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""
        text = "\t".join((api, arglist.signature(args, keep_floats=True), ",".join(arglist.dtypes(args))))
        return api, text, args, self._inner.compile(api, args)

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """As Wishing.wishes; nothing where the framework has no wishes."""
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
        """The servant, a new one where there is none."""
        if self._servant is None:
            limits = sandbox.Limits(cpu=self._seconds, wall=SERVANT_WALL_SECONDS)
            self._servant = sandbox.Child.start(lambda inside: _serve(self._inner, inside), limits)
            self._served_calls = 0
        return self._servant

    def _served(self, noted: str, request: Request) -> Any:
        """What a servant's call returned; raises what that raised, and Unanswered where it kills."""
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
        """What is said of a call that kills."""
        api = noted.split("\t", maxsplit=1)[0]
        return Rejected(BEYOND) if is_at_fence(self._inner, api, self.killers.get(noted, "")) else Unanswered(KILLS)

    def _is_to_blame(self, noted: str, end: sandbox.End) -> bool:
        """Whether a call, not those before it, ended its servant; it is noted then."""
        is_own = bool(end.late) or end.how == OWN_FAULT
        if not is_own and self._served_calls > 1:  # memory that an earlier call overwrote can do that, too
            return False
        if not end.late and not end.signal:
            raise RuntimeError(f"no answer from {noted}: {end.how}")
        self.killers[noted] = HANG if end.late else end.how
        if end.late:
            api, signature, *_ = noted.split("\t")
            self.hangs[(api, signature)] += 1
        return True

    def noted(self) -> list[list[str]]:
        """[how it ended, the call]: the first few that killed their servant, of each operator."""
        counts: Counter[str] = Counter()
        rows = []
        for call, how in self.killers.items():
            operator = call.split("\t")[1]
            counts[operator] += 1
            if counts[operator] <= NOTED:
                rows.append([how, call])
        return rows

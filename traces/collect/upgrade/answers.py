"""One version's answer to a call, with the dtypes of its results: the child of an oracle.

subject, values ──► compile ──► judge (judge/verdict.py) ──► "outcome", "out", "dtypes", "message"
                        └ absent: this version has no such API, or accepts no such constant
"""

from __future__ import annotations

import json
from typing import Any

from rulefuzz import sandbox
from traces.collect.call.spec import Values
from traces.collect.judge.framework import Framework, Output
from traces.collect.judge.guard import Guarded
from traces.collect.judge.oracle import LONGEST, Answer, Subject
from traces.collect.judge.verdict import PASS, judge

ABSENT = "absent"
"""The outcome of a call that this version cannot express."""


class Noting:
    """A framework that remembers the result of its last run with the fill "normal": `judge` returns dimensions only."""

    def __init__(self, inner: Guarded) -> None:
        self._inner, self.name, self.version = inner, inner.name, inner.version
        self.outputs: tuple[Output, ...] = ()

    def compile(self, api: str, args: Any) -> Any:
        """As Framework.compile."""
        return self._inner.compile(api, args)

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """As Framework.run."""
        outputs = self._inner.run(call, values, fill)
        if fill == "normal":
            self.outputs = outputs
        return outputs

    def deterministic(self, call: Any, values: Values) -> bool:
        """As Framework.deterministic."""
        return self._inner.deterministic(call, values)


def _text(outcome: str, message: str) -> Answer:
    told = f'"outcome":"{outcome}"'
    return f'{told},"message":{json.dumps(message[:LONGEST])}' if message else told


def _answer(framework: Noting, call: Any, values: Values, subject: Subject) -> Answer:
    if isinstance(call, Exception):
        return _text(ABSENT, f"{type(call).__name__}: {call}")
    verdict = judge(framework, call, values, None, subject.ranges)
    if verdict.kind != PASS:
        return _text(verdict.kind, verdict.message)
    outputs = [[list(dims), dtype] for dims, dtype in framework.outputs]
    return f'"outcome":"{PASS}","outputs":{json.dumps(outputs, separators=(",", ":"))}'


def _compiled(framework: Noting, subject: Subject) -> Any:
    """The compiled call, or why this version cannot express it: an adapter looks names up, and any may be missing."""
    try:
        return framework.compile(subject.api, subject.args)
    except Exception as error:
        return error


def work(framework: Framework, inside: sandbox.Inside) -> None:
    """The child of an oracle (judge/oracle.py, Work)."""
    noting = Noting(Guarded(framework, inside.journal))
    calls: dict[str, tuple[Any, Subject]] = {}
    for subjects, batch in inside.requests():
        for subject in subjects:
            calls[subject.name] = _compiled(noting, subject), subject
        for name, values in batch:
            call, subject = calls[name]
            inside.tell(_answer(noting, call, values, subject))

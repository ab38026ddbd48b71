"""The oracle: answers questions about calls from the live framework, in children that may die.

A child judges many questions, each call in the journal first. One that dies or hangs costs the question that it was at, which
is noted as a finding; what kills a child that was asked others before is tried again in a new one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulefuzz import sandbox
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import HANG, NOTED, Guarded, described
from traces.collect.judge.verdict import LOST, PASS, judge
from traces.collect.judge.workers import LIMITS

LIFE = 20_000
"""Questions after which a child is replaced, so that what its calls did to memory does not last."""
TICK = 0.05
"""Seconds between looks at a child that does not answer."""
NO_MEMORY = tuple(f'"outcome":"{LOST}","message":"{what}' for what in ("out of memory", "MemoryError"))
"""How the answer to a call begins that memory did not suffice for."""
LONGEST = 300
"""Characters of a message."""

Answer = str
"""What an answer adds to its question: the inside of a JSON object."""


def answer(kind: str, out: Sequence[int] = (), message: str = "") -> Answer:
    """The keys of an answer."""
    text = f'"outcome":"{kind}"'
    if kind == PASS:
        text += f',"out":[{",".join(map(str, out))}]'
    return f'{text},"message":{json.dumps(message[:LONGEST])}' if message else text


@dataclass(frozen=True)
class Subject:
    """What a question is about."""

    name: str
    """No two subjects of an oracle have the same."""
    api: str
    args: Sequence[Json]
    types: Sequence[tuple[int, str]]
    """Rank and dtype of each output."""
    ranges: Sequence[tuple[Values, int, int]]
    """As symbolise.ranges tells them."""


Question = tuple[Subject, Values]


def _judge(framework: Framework, inside: sandbox.Inside) -> None:
    """The child: answers batches until there are no more."""
    guarded = Guarded(framework, inside.journal)
    calls: dict[str, tuple[Any, Subject]] = {}
    for subjects, batch in inside.requests():
        for subject in subjects:
            calls[subject.name] = guarded.compile(subject.api, subject.args), subject
        for name, values in batch:
            call, subject = calls[name]
            verdict = judge(guarded, call, values, subject.types, subject.ranges)
            inside.tell(answer(verdict.kind, [dim for dims in verdict.outputs for dim in dims], verdict.message))


Work = Callable[[Framework, sandbox.Inside], None]
"""What a child does: it takes batches of (new subjects, [(a subject's name, values), …]) and tells an answer for each pair,
noting in the journal what it is at."""


class _Child:
    """A child that answers questions."""

    def __init__(self, framework: Framework, log: Path, limits: sandbox.Limits, work: Work) -> None:
        self._child = sandbox.Child.start(lambda inside: work(framework, inside), limits, log)
        self._known: set[str] = set()
        self.asked = 0
        self._left = 0
        """Questions that it is at work on."""

    def run(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """The answers, as far as it lives."""
        new = {subject.name: subject for subject, _ in questions if subject.name not in self._known}
        self._known.update(new)
        self.asked += len(questions)
        self._left = len(questions)
        self._child.restart()
        self._child.send((list(new.values()), [(subject.name, values) for subject, values in questions]))
        while self._left and not self._child.over:
            answers = self._child.take(TICK)
            self._child.watch()
            for text in answers:
                self._left -= 1
                yield text

    def end(self) -> str:
        """Lets it go, kills it if it is at work; how it ended, "" if by itself."""
        if self._left:
            self._child.kill()
        end = self._child.end()
        self._child.journal.close()
        return described(end)


class Oracle:
    """The framework behind children that may die. What they print goes to the log."""

    def __init__(self, framework: Framework, findings: Path, log: Path, limits: sandbox.Limits = LIMITS,
                 work: Work = _judge) -> None:  # fmt: skip
        self._framework, self._findings, self._log, self._limits, self._work = framework, findings, log, limits, work
        self._child: _Child | None = None
        self._ends: Counter[tuple[str, str]] = Counter()
        """(Subject, how) to the number of its questions that ended so."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """One answer a question."""
        done = 0
        while done < len(questions):
            if self._ends[(questions[done][0].name, HANG)] >= NOTED:
                yield answer(LOST, message="its operator hangs")
                done += 1
                continue
            child = self._child = self._child or _Child(self._framework, self._log, self._limits, self._work)
            alone = child.asked == 0
            for text in child.run(questions[done:]):
                if text.startswith(NO_MEMORY):
                    self._note(questions[done], "out of memory")
                yield text
                done += 1
                alone = False
            if done == len(questions) and child.asked < LIFE:
                return
            how = self.end()
            if done < len(questions) and (alone or how.startswith("hang")):
                self._note(questions[done], how)
                yield answer(LOST, message=how)
                done += 1

    def _note(self, question: Question, how: str) -> None:
        subject, values = question
        self._ends[(subject.name, how)] += 1
        if self._ends[(subject.name, how)] <= NOTED:
            finding = {"api": subject.api, "args": subject.args, "in": values, "how": how}
            with self._findings.open("a", encoding="ascii") as file:
                file.write(json.dumps(finding, separators=(",", ":")) + "\n")

    def end(self) -> str:
        """Ends the child; how it ended."""
        child, self._child = self._child, None
        return child.end() if child else ""

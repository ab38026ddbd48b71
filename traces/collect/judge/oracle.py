"""The oracle: answers questions about calls from the live framework, in children that may die.

A child answers many questions and writes each call to the journal first. If it dies or hangs, only its current question
is lost and recorded as a finding. A question that kills a child which had answered others before is retried in a new
one.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulefuzz import sandbox
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import BEYOND, HANG, NOTED, OWN_FAULT, Guarded, described, is_at_fence
from traces.collect.judge.verdict import FAIL, LOST, PASS, judge
from traces.collect.judge.workers import LIMITS

LIFE = 20_000
"""Questions before a child is replaced, to limit the effect of memory corruption."""
PIECE = 16
"""Questions per batch if there are several children."""
HOPELESS = "its operator hangs"
TICK = 0.05
"""Seconds between checks of a silent child."""
NO_MEMORY = tuple(f'"outcome":"{LOST}","message":"{what}' for what in ("out of memory", "MemoryError"))
"""Start of the answer to a call that ran out of memory."""
LONGEST = 300
"""Maximum characters of a message."""

Answer = str
"""The fields that an answer adds to its question: the inside of a JSON object."""


def answer(kind: str, out: Sequence[int] = (), message: str = "") -> Answer:
    """The keys of an answer."""
    text = f'"outcome":"{kind}"'
    if kind == PASS:
        text += f',"out":[{",".join(map(str, out))}]'
    return f'{text},"message":{json.dumps(message[:LONGEST])}' if message else text


@dataclass(frozen=True)
class Subject:
    """The subject of a question."""

    name: str
    """Unique among an oracle's subjects."""
    api: str
    args: Sequence[Json]
    types: Sequence[tuple[int, str]]
    """Rank and dtype of each output."""
    ranges: Sequence[tuple[Values, int, int]]
    """See symbolise.ranges."""


Question = tuple[Subject, Values]


def _judge(framework: Framework, inside: sandbox.Inside) -> None:
    """The child's loop: answers batches until there are no more."""
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
"""The work of a child: it receives batches of (new subjects, [(a subject's name, values), …]) and sends an answer for each
pair, noting the current one in the journal."""


class _Child:
    """A child that answers questions."""

    def __init__(self, framework: Framework, log: Path, limits: sandbox.Limits, work: Work) -> None:
        self.child = sandbox.Child.start(lambda inside: work(framework, inside), limits, log)
        self._known: set[str] = set()
        self.asked = 0
        self.fresh = True
        """True before its first answer."""

    def ask(self, questions: Sequence[Question]) -> None:
        """Sends these."""
        new = {subject.name: subject for subject, _ in questions if subject.name not in self._known}
        self._known.update(new)
        self.asked += len(questions)
        self.child.restart()
        self.child.send((list(new.values()), [(subject.name, values) for subject, values in questions]))

    def take(self) -> list[Answer]:
        """The answers received so far."""
        answers: list[Answer] = self.child.take(0.0)
        self.child.watch()
        self.fresh = self.fresh and not answers
        return answers

    def end(self, *, busy: bool) -> str:
        """Ends the child, by force if it is busy; returns how it ended, "" if normally."""
        if busy:
            self.child.kill()
        end = self.child.end()
        self.child.journal.close()
        return described(end)


class _Lane:
    """The questions of a succession of children: by number, in order."""

    def __init__(self, start: Callable[[], _Child]) -> None:
        self._start = start
        self.child: _Child | None = None
        self.left: deque[tuple[int, Question]] = deque()

    def ask(self, questions: Sequence[tuple[int, Question]]) -> None:
        """Assigns questions, if none are left."""
        self.left = deque(questions)
        if self.left:
            self.child = self.child or self._start()
            self.child.ask([question for _, question in self.left])

    def take(self) -> Iterator[tuple[int, Answer, str]]:
        """New answers: number, answer, and "" or how the child died at it."""
        child = self.child
        if child is None:
            return
        is_alone = child.fresh
        for text in child.take():
            is_alone = False
            yield self.left.popleft()[0], text, "out of memory" if text.startswith(NO_MEMORY) else ""
        if not child.child.over and (self.left or child.asked < LIFE):
            return
        how = self.end()
        if self.left and (is_alone or how == OWN_FAULT or how.startswith("hang")):
            yield self.left.popleft()[0], answer(LOST, message=how), how

    def end(self) -> str:
        """Ends the child; returns how it ended."""
        child, self.child = self.child, None
        return child.end(busy=bool(self.left)) if child else ""


class Oracle:
    """The framework behind children that may die. Their output goes to the log.

    Several children work in parallel, but results are processed in the order of the questions. So the number and speed
    of children do not change any answer.
    """

    def __init__(self, framework: Framework, findings: Path, log: Path, limits: sandbox.Limits = LIMITS,
                 work: Work = _judge, children: int = 1) -> None:  # fmt: skip
        self._framework, self._findings = framework, findings
        self._lanes = [_Lane(lambda: _Child(framework, log, limits, work)) for _ in range(children)]
        self._ends: Counter[tuple[str, str]] = Counter()
        """Number of questions that ended so, by (subject, how)."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """One answer per question."""
        found: dict[int, tuple[Answer, str]] = {}
        waiting = deque(enumerate(questions))
        for number, question in enumerate(questions):
            while number not in found:
                found.update((at, (text, how)) for at, text, how in self._step(waiting))
            yield self._settled(question, *found.pop(number))

    def _step(self, waiting: deque[tuple[int, Question]]) -> Iterator[tuple[int, Answer, str]]:
        """Distributes questions and collects answers, waiting for at most a TICK."""
        piece = PIECE if len(self._lanes) > 1 else len(waiting)
        for lane in self._lanes:
            if lane.child is None or not lane.left:  # a child's death returns its remaining questions here
                asked = [*lane.left] or [waiting.popleft() for _ in range(min(piece, len(waiting)))]
                hopeless = [number for number, question in asked if self._hangs(question)]
                yield from ((number, answer(LOST, message=HOPELESS), "") for number in hopeless)
                lane.ask([(number, question) for number, question in asked if number not in hopeless])
        busy = [lane.child.child for lane in self._lanes if lane.child is not None and lane.left]
        if busy:
            sandbox.ready(busy, TICK)
        for lane in self._lanes:
            if lane.left:
                yield from lane.take()

    def _hangs(self, question: Question) -> bool:
        return self._ends[(question[0].name, HANG)] >= NOTED

    def _settled(self, question: Question, text: Answer, how: str) -> Answer:
        """The final answer; records a finding if the question killed its child."""
        if self._hangs(question):
            return answer(LOST, message=HOPELESS)
        if how:
            self._note(question, how)
        return answer(FAIL, message=BEYOND) if is_at_fence(self._framework, question[0].api, how) else text

    def _note(self, question: Question, how: str) -> None:
        subject, values = question
        self._ends[(subject.name, how)] += 1
        if self._ends[(subject.name, how)] <= NOTED:
            finding = {"api": subject.api, "args": subject.args, "in": values, "how": how}
            with self._findings.open("a", encoding="ascii") as file:
                file.write(json.dumps(finding, separators=(",", ":")) + "\n")

    def end(self) -> str:
        """Ends the children; returns how the first abnormal one ended."""
        return next(filter(None, [lane.end() for lane in self._lanes]), "")

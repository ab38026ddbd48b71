"""Runs many models on the reference, in children. If a child dies, one model is lost and one call is blamed.

The parent imports the framework and never calls it. Each child runs a batch of models and notes model and node
before each call:

    lines ──► parent ──batch──► child: note, call, compare; note, call, …
                     ◄─answer, answer, … (each at once, so that a death loses none)
"""

from __future__ import annotations

import functools
import itertools
import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rulefuzz import sandbox
from rulefuzz.framework import Framework
from rulefuzz.model import Json, Reader
from rulefuzz.sandbox import Child, End, Inside, Limits
from rulefuzz.validate.judge import Run, failure, judge

BATCH = 200
"""Models per child. A start costs up to a second, and leaks add up."""
LIMITS = Limits(memory=4 << 30, cpu=10.0, wall=60.0)
"""Limits of a child: additional memory, and time per call."""


@dataclass
class Batch:
    """A child's models and its progress."""

    lines: Sequence[str]
    first: int
    """The index of its first model."""
    child: Child
    done: int = 0


@dataclass
class Fleet:
    """Runs models of JSON lines in `jobs` children."""

    framework: Framework
    jobs: int = 1
    limits: Limits = LIMITS
    notes: Counter[str] = field(default_factory=Counter)
    """The framework's notes on how calls were run."""
    _waiting: deque[tuple[int, Sequence[str]]] = field(default_factory=deque)
    _ready: dict[int, tuple[str, Json]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reader = Reader(self.framework)

    def answers(self, lines: Iterable[str]) -> Iterator[tuple[str, Json]]:
        """Yields each line with its answer, in order."""
        batches: list[Batch] = []
        source = self._batches(lines)
        following = 0
        try:
            while True:
                while len(batches) < self.jobs and (batch := self._next(source)):
                    batches.append(batch)
                if not batches:
                    return
                told = sandbox.ready([batch.child for batch in batches], sandbox.TICK)
                for batch in list(batches):
                    batch.child.watch()
                    if batch.child in told:
                        self._take(batch)
                    if batch.child.over:
                        batches.remove(batch)
                        self._bury(batch)
                while following in self._ready:
                    yield self._ready.pop(following)
                    following += 1
        finally:
            for batch in batches:
                batch.child.kill()
                batch.child.end()

    @staticmethod
    def _batches(lines: Iterable[str]) -> Iterator[tuple[int, Sequence[str]]]:
        source, first = iter(lines), 0
        while batch := list(itertools.islice(source, BATCH)):
            yield first, batch
            first += len(batch)

    def _next(self, source: Iterator[tuple[int, Sequence[str]]]) -> Batch | None:
        found = self._waiting.popleft() if self._waiting else next(source, None)
        if found is None:
            return None
        return Batch(found[1], found[0], self._start(functools.partial(self._judge_all, found[1])))

    def _start(self, work: Callable[[Inside], None]) -> Child:
        def inside(ends: Inside) -> None:
            self.framework.enter()
            work(ends)
            ends.tell({"notes": self.framework.notes()})

        return Child.start(inside, self.limits, sandbox.SILENT)  # some operators print

    def _judge_all(self, lines: Sequence[str], ends: Inside) -> None:
        for i, line in enumerate(lines):

            def note(node: int, place: int = i) -> None:
                ends.journal.note(f"{place} {node}")

            note(0)
            ends.tell(judge(self.framework, self._reader, json.loads(line), note))

    def _take(self, batch: Batch) -> None:
        for answer in batch.child.take(0):
            if "notes" in answer:
                self.notes.update(answer["notes"])
                continue
            self._ready[batch.first + batch.done] = batch.lines[batch.done], answer
            batch.done += 1

    # ---- deaths

    def _bury(self, batch: Batch) -> None:
        """Blames the call at which a child died, and requeues the models after it."""
        end = batch.child.end()
        if batch.done == len(batch.lines):
            return
        line = batch.lines[batch.done]
        place, node = map(int, (batch.child.journal.text() or "0 0").split())
        answer = self._post_mortem(json.loads(line), node if place == batch.done else 0, end)
        self._ready[batch.first + batch.done] = line, answer
        if left := batch.lines[batch.done + 1 :]:
            self._waiting.append((batch.first + batch.done + 1, left))

    def _watched(self, work: Callable[[Inside], None]) -> tuple[Json, Child, End]:
        """A child's answers, the child, and how it ended."""
        child = self._start(work)
        facts: Json = {}
        while not child.over:
            for fact in child.take(sandbox.TICK):
                facts.update(fact)
            child.watch()
        facts.pop("notes", None)
        return facts, child, child.end()

    def _post_mortem(self, item: Json, index: int, end: End) -> Json:
        """The answer for a model that killed its process at this node or in the span that it starts."""
        model = self._reader.model(item)
        dtypes = {i: t.dtype for i, t in model.tensors().items()}

        def again(ends: Inside) -> None:
            Run(self.framework, model, lambda node: ends.journal.note(str(node))).until(one_by_one=True)

        def inspect(ends: Inside) -> None:
            """Describes the inputs of the node, then whether it dies alone, as far as the process survives."""
            run = Run(self.framework, model)
            if run.until(index, one_by_one=True) is None:
                ends.tell({"inputs": run.inputs(index)})
                ends.tell({"alone": run.alone(index)})

        if self.framework.span(model.nodes, index, dtypes) > 1:
            _, child, died = self._watched(again)
            if not died.done:
                index, end = int(child.journal.text() or 0), died
        facts, _, died = self._watched(inspect)
        if "inputs" in facts and not died.done:
            facts["alone"] = True
        return {**failure(item, index, "hang" if end.late in (sandbox.PROCESSOR, sandbox.WALL) else "crash", end.how), **facts}

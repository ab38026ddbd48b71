"""Finds calls of a raw operator from its definition alone: passing calls are kept and guide the search.

A candidate has a dtype for each type attribute, a length for each list, dimensions for each input, elements for small
integer tensors (sizes, positions or indices), and values for the other attributes. Candidates are drawn and mutated. One
is mutated further if it passed, or if its error message is new: then it reached another check. Messages are not
interpreted, and no operator's name is known here.
"""

from __future__ import annotations

import random
import re

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.arglist import signature
from traces.collect.call.spec import Call
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.tensorflow.defs import Definition
from traces.collect.frameworks.tensorflow.maker import Candidate, Maker
from traces.collect.judge.framework import Framework, NotTensors

SOURCE = "probe"
TRIES, FRUITLESS, MORE, STALE = 600, 2500, 80, 400
"""Limits on candidates: in total, while none has passed, since the last new structure, and since the last new message while
none has passed."""
STRUCTURES, SAMPLES = 8, 2
"""Argument structures to find per operator, and calls per structure."""
FIXED = frozenset({"seed", "seed2"})
"""Integers that do not influence shapes."""


HELD_STALE = 250


def _kind(message: str) -> str:
    """The message without the parts that vary between calls: numbers, dtypes, lists."""
    text = message.split("\n", 1)[0].removeprefix("InvalidArgumentError: ").split("}} ", 1)[-1]
    return re.sub(r"\[[^\[\]]*\]|\d+|DT_\w+|-", "#", text)[:120]


class Search:
    """The search for one operator."""

    def __init__(self, framework: Framework, definition: Definition, seed: int) -> None:
        self._framework, self._rng = framework, random.Random(f"{seed} {definition.name}")
        self._maker = Maker(definition, self._rng)
        self._api = f"tf.raw_ops.{definition.name}"
        self._messages: set[str] = set()
        self._promising: list[Candidate] = []
        self.found: dict[str, list[Call]] = {}
        """Passing calls by structure."""
        self.tried, self.last = 0, ""

    def _known(self, call: Call, made: Candidate) -> bool:
        calls = self.found.get(self._text(call, made), [])
        return len(calls) >= SAMPLES or any(call.values == other.values and call.args == other.args for other in calls)

    @staticmethod
    def _text(call: Call, made: Candidate) -> str:
        return signature(call.args) + str(sorted(made.types.items()))

    def _try(self, made: Candidate) -> bool:
        """True if the candidate passed and has a new structure."""
        self.tried += 1
        call = symbolise(self._api, self._maker.arguments(made, told=True), FIXED)
        try:
            outputs = self._framework.run(self._framework.compile(self._api, call.args), call.values, "normal")
        except Rejected as error:
            self.last = str(error)
            kind = _kind(self.last)
            if kind not in self._messages:
                self._messages.add(kind)
                self._promising.append(made)
            return False
        except (Unanswered, NotTensors) as error:
            self.last = str(error)
            return False
        hinted = symbolise(self._api, self._maker.arguments(made, told=False), FIXED)
        if not outputs or self._known(hinted, made):
            return False
        hinted.source = SOURCE
        text = self._text(hinted, made)
        new = text not in self.found
        self.found.setdefault(text, []).append(hinted)
        if new:
            self._promising.append(made)
        return new

    def _next(self) -> Candidate:
        rng = self._rng
        if self.tried < 36:
            return self._maker.fresh(self.tried % 6)
        if not self._promising or rng.random() < 0.2:
            return self._maker.fresh()
        pool = self._promising[-5:] if rng.random() < 0.5 else self._promising
        return self._maker.changed(rng.choice(pool))

    def run(self) -> list[Call]:
        """The passing calls."""
        since = 0
        stale = HELD_STALE if self._maker.holds() else STALE
        while self.tried < (TRIES if self.found else FRUITLESS) and len(self.found) < STRUCTURES:
            known = len(self._promising)
            self._try(self._next())
            if len(self._promising) > known:
                since = 0
            elif (since := since + 1) >= (MORE if self.found else stale):
                break
        return [call for _, calls in sorted(self.found.items()) for call in calls]

"""Judges the inputs of one operator, within limits of time."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Values
from traces.collect.judge import companions
from traces.collect.judge.framework import Framework, NotTensors
from traces.collect.judge.verdict import FAIL, Verdict, judge
from traces.collect.records import filter

BUG_SIGNS = ("INTERNAL ASSERT", "please report a bug")
HANGS, HANGS_LATER = 3, 1
"""Calls of the API's first operator that hangs, and of each later one, that may hang before it gets no more mutants.
The results so far are recorded. This is a count, so it is the same in every run."""
CLOCK = 16
"""Calls between two readings of the clock, which can take milliseconds."""


class TooSlow(Exception):
    """An operator's mutants take more than OPERATOR_SECONDS."""


class TooManyHangs(Exception):
    """An operator's mutants hang again and again."""


class Asker:
    """Classifies the inputs of an operator within time limits."""

    def __init__(self, framework: Framework, operator: filter.Operator, hangs: Mapping[tuple[str, str], int]) -> None:
        self._framework, self._operator, self._hangs = framework, operator, hangs
        self._call = framework.compile(operator.api, operator.args)
        self._signature = (operator.api, arglist.signature(operator.args, keep_floats=True))
        self._ranges = arglist.ranges(operator.args)
        self._end, self._allowed, self._asked = math.inf, 0, 0
        self.suspicious: tuple[str, str] | None = None
        """The first input that failed an internal assertion, and the message."""

    def limit(self, seconds: float) -> None:
        """Starts the CPU time and hang limits of an operator."""
        self._end = _cpu() + seconds
        self._allowed = self._hangs.get(self._signature, 0) + (HANGS_LATER if any(self._hangs.values()) else HANGS)

    def glance(self, values: Values) -> str:
        """Why an input is rejected under the first fill; ACCEPTED if it is worth a full verdict."""
        self._asked += 1
        if self._asked % CLOCK == 0 and _cpu() > self._end:
            raise TooSlow
        if any(values[low] > values[high] for _, low, high in self._ranges):
            return "the range ends before it begins"
        try:
            self._framework.run(self._call, values, "normal")
        except (Rejected, Unanswered, NotTensors) as error:
            return companions.reason(str(error))
        return companions.ACCEPTED

    def __call__(self, values: Values) -> Verdict:
        """The verdict; raises TooSlow or TooManyHangs."""
        self._asked += 1
        if self._asked % CLOCK == 0 and _cpu() > self._end:
            raise TooSlow
        if self._hangs.get(self._signature, 0) >= self._allowed:
            raise TooManyHangs
        verdict = judge(self._framework, self._call, values, self._operator.types, self._ranges)
        if verdict.kind == FAIL and any(sign in verdict.message for sign in BUG_SIGNS) and self.suspicious is None:
            self.suspicious = (",".join(map(str, values)), _first_line(verdict.message))
        return verdict


def _cpu() -> float:
    """CPU time of this process and its children, user time only (system time is mostly process creation)."""
    times = os.times()
    return times.user + times.children_user


def _first_line(message: str) -> str:
    """The message without the path of the sources, which varies between builds."""
    return re.sub(r'"/[^"]*?/(?=aten/|c10/|torch/)', '"', message.strip().split("\n", 1)[0])[:200]

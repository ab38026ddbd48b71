"""One operator's line of a record file, which answers questions about inputs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.judge.oracle import Answer, Question, Subject, answer
from traces.collect.judge.verdict import FAIL, LOST, PASS
from traces.collect.records.settings import Budget


class BadLine(Exception):
    """A line that is malformed or names no operator; the message has the reason."""


@dataclass
class Recorded:
    """One operator's record line, which answers questions about inputs."""

    record: Json
    subject: Subject
    passing: dict[Values, list[int]] = field(default_factory=dict)
    failing: set[Values] = field(default_factory=set)
    tensors: list[list[int]] = field(default_factory=list)
    """For each input tensor the indices of its dimensions' symbols."""
    symbols: int = 0
    elements: int = 0
    """Maximum elements of a tensor."""

    @staticmethod
    def of(record: Json, name: str = "") -> Recorded:
        """From its line; `name`: the oracle's name for it, if not the operator's."""
        types = [(len(output["tensor"]), output["dtype"]) for output in record["outputs"]]
        ranges = arglist.ranges(record["args"])
        operator = Recorded(record, Subject(name or record["op"], record["api"], record["args"], types, ranges))
        operator.passing = {tuple(values): out for values, out in record["pass"]}
        operator.failing = {tuple(values) for values in record["fail"]}
        known = next(iter(operator.passing), None) or next(iter(operator.failing), ())
        operator.symbols = len(known)
        for tensor in arglist.tensors(record["args"]):
            operator.tensors.append([int(symbol[1:]) for symbol in tensor["tensor"]])
        most = max((operator.largest(values) for values in operator.passing), default=0)
        operator.elements = max(Budget.elements, 2 * most)
        return operator

    def largest(self, values: Values) -> int:
        """Elements of the largest input tensor."""
        return max((math.prod([values[i] for i in dims]) for dims in self.tensors), default=0)

    def known(self, values: Values) -> Answer | None:
        """The recorded answer for an input."""
        if values in self.passing:
            return answer(PASS, self.passing[values]) + ',"seen":true'
        return answer(FAIL) + ',"seen":true' if values in self.failing else None

    def settled(self, values: Values) -> Answer | None:
        """The answer without a call: for impossible tensors, and for inputs that are too large to run."""
        if any(values[i] < 0 for dims in self.tensors for i in dims):
            return answer(FAIL, message="a negative dimension")
        for dims, low, high in self.subject.ranges:
            if values[low] > values[high]:
                return answer(FAIL, message="the range ends before it begins")
            empty = any(values[i] == 0 for i in dims)
            if (values[low], values[high]) != (0, 0) if empty else values[low] == values[high]:
                return answer(LOST, message="a range that is never asked")
        return answer(LOST, message="too large") if self.largest(values) > self.elements else None

    def question(self, values: Values) -> Question:
        """Its subject for the oracle."""
        return self.subject, values

    def keep(self, passing: Sequence[tuple[Values, list[int]]], failing: Sequence[Values]) -> int:
        """Adds new records; returns their number."""
        before = len(self.passing) + len(self.failing)
        for values, out in passing:
            if values not in self.failing:
                self.passing.setdefault(values, out)
        self.failing.update(values for values in failing if values not in self.passing)
        return len(self.passing) + len(self.failing) - before

    def line(self) -> str:
        """The record line; its keys keep their order."""
        passing = [[list(values), out] for values, out in sorted(self.passing.items())]
        failing = [list(values) for values in sorted(self.failing)]
        added: dict[str, Json] = {"pass": passing, "fail": failing}
        if len(passing) > len(self.record["pass"]) or len(failing) > len(self.record["fail"]):
            added["source"] = sorted({*self.record.get("source", []), "refine"})
        return json.dumps({**self.record, **added}, separators=(",", ":"), ensure_ascii=True)


def integers(values: Any) -> Values:
    """A list of integers; raises BadLine for anything else."""
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise BadLine(f"not a list of integers: {json.dumps(values)[:60]}")
    return tuple(values)

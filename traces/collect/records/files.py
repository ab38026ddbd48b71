"""The record files of a folder, as far as they answer questions and take new records."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from traces.collect.call import symbolise
from traces.collect.call.symbolise import Json, Values
from traces.collect.judge.oracle import Answer, Question, Subject, answer
from traces.collect.judge.verdict import FAIL, LOST, PASS
from traces.collect.records import write
from traces.collect.records.augment import Budget

APIS = 256
"""Record files held in memory, besides those that changed."""


class BadLine(Exception):
    """A line that names no operator, or has not the form that it should; the message says why."""


@dataclass
class Recorded:
    """One operator's record line, and what it says of inputs."""

    record: Json
    subject: Subject
    passing: dict[Values, list[int]] = field(default_factory=dict)
    failing: set[Values] = field(default_factory=set)
    tensors: list[list[int]] = field(default_factory=list)
    """For each input tensor the indices of its dimensions' symbols."""
    symbols: int = 0
    elements: int = 0
    """Most elements that a tensor may have."""

    @staticmethod
    def of(record: Json, name: str = "") -> Recorded:
        """From its line; `name`: what the oracle knows it by, if not the operator's name."""
        types = [(len(output["tensor"]), output["dtype"]) for output in record["outputs"]]
        ranges = symbolise.ranges(record["args"])
        operator = Recorded(record, Subject(name or record["op"], record["api"], record["args"], types, ranges))
        operator.passing = {tuple(values): out for values, out in record["pass"]}
        operator.failing = {tuple(values) for values in record["fail"]}
        known = next(iter(operator.passing), None) or next(iter(operator.failing), ())
        operator.symbols = len(known)
        for tensor in symbolise.tensors(record["args"]):
            operator.tensors.append([int(symbol[1:]) for symbol in tensor["tensor"]])
        most = max((operator.largest(values) for values in operator.passing), default=0)
        operator.elements = max(Budget.elements, 2 * most)
        return operator

    def largest(self, values: Values) -> int:
        """Elements of the largest input tensor."""
        return max((math.prod([values[i] for i in dims]) for dims in self.tensors), default=0)

    def known(self, values: Values) -> Answer | None:
        """The answer of the records."""
        if values in self.passing:
            return answer(PASS, self.passing[values]) + ',"seen":true'
        return answer(FAIL) + ',"seen":true' if values in self.failing else None

    def settled(self, values: Values) -> Answer | None:
        """The answer that needs no call: about what no tensor can be, and what is too large to try."""
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
        """For the oracle."""
        return self.subject, values

    def keep(self, passing: Sequence[tuple[Values, list[int]]], failing: Sequence[Values]) -> int:
        """Adds records that are new; how many."""
        before = len(self.passing) + len(self.failing)
        for values, out in passing:
            if values not in self.failing:
                self.passing.setdefault(values, out)
        self.failing.update(values for values in failing if values not in self.passing)
        return len(self.passing) + len(self.failing) - before

    def line(self) -> str:
        """The record line; its keys keep their order."""
        passing = [[list(values), out] for values, out in sorted(self.passing.items())]
        added = {"pass": passing, "fail": [list(values) for values in sorted(self.failing)]}
        if len(passing) > len(self.record["pass"]) or len(added["fail"]) > len(self.record["fail"]):
            added["source"] = sorted({*self.record.get("source", []), "refine"})
        return json.dumps({**self.record, **added}, separators=(",", ":"), ensure_ascii=True)


class RecordFiles:
    """The record files of a folder, each read when one of its operators is named."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._apis: dict[str, dict[str, Recorded]] = {}
        self._changed: set[str] = set()

    def find(self, name: Any) -> Recorded:
        """The operator of that name; raises BadLine."""
        api = name.rpartition("-")[0] if isinstance(name, str) else ""
        if api not in self._apis:
            if len(self._apis) > APIS:
                self._apis = {known: self._apis[known] for known in self._changed}
            self._apis[api] = self._read(api)
        try:
            return self._apis[api][name]
        except (KeyError, TypeError):
            raise BadLine(f"unknown operator {name!r}") from None

    def _read(self, api: str) -> dict[str, Recorded]:
        path = self._folder / f"{api}.jsonl"
        if not api or "/" in api or not path.exists():
            return {}
        records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return {record["op"]: Recorded.of(record) for record in records}

    def keep(self, name: Any, passing: Any, failing: Any) -> int:
        """Adds records to an operator; how many were new. Raises BadLine."""
        operator = self.find(name)
        try:
            pairs = [(integers(values), list(integers(out))) for values, out in passing]
        except (TypeError, ValueError):
            raise BadLine('"pass" is not a list of [in, out]') from None
        if not isinstance(failing, list):
            raise BadLine('"fail" is not a list')
        fails = [integers(values) for values in failing]
        if any(len(values) != operator.symbols for values in [*fails, *(values for values, _ in pairs)]):
            raise BadLine(f"{name} has {operator.symbols} symbols")
        count = operator.keep(pairs, fails)
        if count:
            self.touch(name)
        return count

    def touch(self, name: str) -> None:
        """Has the file of an operator, whose record was changed, written by the next save."""
        self._changed.add(name.rpartition("-")[0])

    def save(self) -> int:
        """Writes the files that changed; how many."""
        for api in sorted(self._changed):
            lines = [operator.line() + "\n" for operator in self._apis[api].values()]
            write.write_file(self._folder / f"{api}.jsonl", "".join(lines))
        count = len(self._changed)
        self._changed.clear()
        return count


def integers(values: Any) -> Values:
    """A list of integers; raises BadLine for anything else."""
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise BadLine(f"not a list of integers: {json.dumps(values)[:60]}")
    return tuple(values)

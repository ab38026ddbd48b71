"""Patterns of recorded calls, as lines of CHAINS.models."""

from __future__ import annotations

import contextlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.records.write import write_models
from traces.collect.zoo import select
from traces.collect.zoo.eager.taped import Call, Tape, Tensor
from traces.collect.zoo.patterns import Graph

MOST = 8192
"""Maximum elements of a tensor."""
TENSORS = 128
INPUTS = 4
"""Maximum inputs that are not constants."""
DTYPES = frozenset("bool uint8 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64".split())


class Unfit(Exception):
    """A window that cannot be written."""


class Window:
    """One window being written."""

    def __init__(self, framework: str, tape: Tape, calls: list[Call]) -> None:
        self._framework, self._tape, self._calls = framework, tape, calls
        self._ids: dict[str, int] = {}

    def _tensor(self, name: str) -> Json:
        tensor = self._tape.tensors[name]
        if tensor.dtype not in DTYPES or not 0 < math.prod(tensor.shape) <= MOST:
            raise Unfit("tensor")
        self._ids[name] = len(self._ids)
        return {"id": self._ids[name], "shape": list(tensor.shape), "dtype": tensor.dtype}

    def _input(self, name: str) -> Json:
        return {**self._tensor(name), **_elements(self._tape.tensors[name])}

    def _value(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._value(item) for item in value]
        return {**value, "ref": self._ids[value["ref"]]} if "ref" in value else value

    def _node(self, call: Call) -> Json:
        args = [{**arg, "value": self._value(arg["value"])} for arg in call.args]
        return {"op": call.api, "api": call.api, "args": args, "outputs": [self._tensor(name) for name in call.output]}

    def line(self) -> Json:
        """The model. Raises Unfit."""
        made = {name for call in self._calls for name in call.output}
        taken = dict.fromkeys(name for call in self._calls for name in call.input)
        inputs = [self._input(name) for name in taken if name not in made]
        if not 1 <= sum(not tensor.get("constant") for tensor in inputs) <= INPUTS:
            raise Unfit("inputs")
        nodes = [self._node(call) for call in self._calls]
        if len(self._ids) > TENSORS:
            raise Unfit("tensors")
        outputs = [self._ids[name] for name in self._ids if name in made and name not in taken]
        return {"model": 1, "framework": self._framework, "seed": 0, "index": 0, "values": 0, "inputs": inputs, "nodes": nodes,
                "outputs": outputs}  # fmt: skip


def _elements(tensor: Tensor) -> Json:
    """The range or the class of an input's elements."""
    said: Json = {}
    if tensor.dtype.lstrip("u").startswith("int"):
        said["range"] = [int(tensor.low), int(tensor.high) + 1]
    elif "float" in tensor.dtype and tensor.low >= 0:
        said["values"] = "unit" if tensor.low >= 0.1 and tensor.high <= 0.9 else "positive"
    return {**said, "constant": True} if tensor.constant else said


@dataclass
class Patterns:
    """The patterns of all modules."""

    framework: str
    known: set[str]
    """The APIs with rules."""
    found: dict[str, select.Found] = field(default_factory=dict)
    lines: dict[str, Json] = field(default_factory=dict)
    """A recording of each pattern that can be written."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Calls without rules."""

    def add(self, name: str, tape: Tape) -> None:
        """The patterns of a module."""
        apis = [call.api if call.api in self.known else None for call in tape.calls]
        self.dropped.update(call.api for call in tape.calls if call.api not in self.known)
        graph, here = Graph(tape.calls, apis, tape.constants), set[tuple[int, ...]]()
        for window in graph.windows():
            if window in here or len(window) < 2 or not graph.is_closed(window):
                continue
            here.add(window)
            order = graph.ordered(window)
            pattern = graph.pattern(order)
            self.found.setdefault(pattern, select.Found(pattern)).models.add(name.partition("-")[0])
            if pattern not in self.lines:
                self._write(pattern, tape, [tape.calls[i] for i in order])

    def _write(self, pattern: str, tape: Tape, calls: list[Call]) -> None:
        with contextlib.suppress(Unfit):
            self.lines[pattern] = Window(self.framework, tape, calls).line()

    def chosen(self) -> Iterator[Json]:
        """The lines to keep, with `count`."""
        kept = select.choose([self.found[pattern] for pattern in sorted(self.lines)])
        for found in kept:
            yield {"count": len(found.models), **self.lines[found.pattern]}


def collect(patterns: Patterns, programs: Iterable[tuple[str, Callable[[], Tape]]]) -> None:
    """Adds the patterns of programs; one that does not run is reported and skipped."""
    for name, record in programs:
        try:
            tape = record()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:100]!r}", file=sys.stderr)
            continue
        patterns.add(name, tape)


def write(folder: Path, patterns: Patterns) -> None:
    """Writes CHAINS.models and prints a summary."""
    lines = list(patterns.chosen())
    write_models(folder / "CHAINS.models", lines)
    print(f"{len(patterns.found)} patterns, {len(patterns.lines)} recorded, {len(lines)} kept")
    print("calls without rules:", ", ".join(f"{name} {n}" for name, n in patterns.dropped.most_common()))

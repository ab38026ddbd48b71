"""Patterns in files: connected calls, which output feeds which input, and which inputs are constant.

A window is a call with its producers, nearest first, or with its consumers and producers alternately. Windows with equal
patterns count once: shapes, attributes and elements do not matter.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterator, Sequence
from typing import Protocol

BEFORE = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20)
AROUND = (3, 4, 6, 8)
"""Numbers of calls."""
RESULTS = 8
"""Maximum results of a window that no call of it reads."""


class Node(Protocol):
    """A call: the names of the tensors that it takes and makes; "" for an omitted one."""

    @property
    def input(self) -> Sequence[str]:
        """Taken tensors."""

    @property
    def output(self) -> Sequence[str]:
        """Made tensors."""


class Graph:
    """Calls with edges. apis: their names, None without a rule; fixed: tensors that do not depend on elements of inputs."""

    def __init__(self, nodes: Sequence[Node], apis: Sequence[str | None], fixed: Container[str]) -> None:
        self._nodes, self.apis, self._fixed = nodes, apis, fixed
        self._made = {name: (i, k) for i, node in enumerate(nodes) for k, name in enumerate(node.output) if name}
        self.producers = [list(dict.fromkeys(self._made[n][0] for n in node.input if n in self._made)) for node in nodes]
        self.consumers: list[list[int]] = [[] for _ in nodes]
        for i, before in enumerate(self.producers):
            for j in before:
                self.consumers[j].append(i)

    def _grown(self, start: int, around: bool, most: int) -> list[int]:
        """Up to this number of calls in the order of the walk, which does not pass calls without a rule."""
        found, waiting = [start], deque([start])
        while waiting and len(found) < most:
            i = waiting.popleft()
            for j in self.producers[i] + (self.consumers[i] if around else []):
                if self.apis[j] and j not in found and len(found) < most:
                    found.append(j)
                    waiting.append(j)
        return found

    def windows(self) -> Iterator[tuple[int, ...]]:
        """Sets of calls, in file order."""
        for start, api in enumerate(self.apis):
            for around, sizes in ((False, BEFORE), (True, AROUND)) if api else ():
                found = self._grown(start, around, sizes[-1])
                yield from (tuple(sorted(found[:size])) for size in sizes if size <= len(found))

    def is_closed(self, window: tuple[int, ...]) -> bool:
        """Whether the calls depend on elements of inputs and make few results."""
        nodes = [self._nodes[i] for i in window]
        taken = {name for node in nodes for name in node.input}
        open_ends = sum(name not in taken for node in nodes for name in node.output)
        return any(name not in self._fixed for node in nodes for name in node.output) and open_ends <= RESULTS

    def ordered(self, window: tuple[int, ...]) -> list[int]:
        """The calls in an order that depends on the data flow only, if there is one last call: producers first."""
        inside, found = set(window), dict[int, None]()

        def visit(i: int) -> None:
            for j in self.producers[i]:
                if j in inside and j not in found:
                    visit(j)
            found[i] = None

        for i in window:
            if not any(j in inside for j in self.consumers[i]):
                visit(i)
        return list(found)

    def pattern(self, order: list[int]) -> str:
        """The pattern of ordered calls."""
        places, inputs = {i: place for place, i in enumerate(order)}, dict[str, int]()

        def argument(name: str) -> str:
            i, k = self._made.get(name, (-1, 0))
            if i in places:
                return f"{places[i]}.{k}" if k else str(places[i])
            if not name:
                return ""
            if name in self._fixed:
                return "c"
            return f"x{inputs.setdefault(name, len(inputs))}"

        def call(i: int) -> str:
            node = self._nodes[i]
            several = f"={len(node.output)}" if len(node.output) > 1 else ""
            return f"{self.apis[i]}({','.join(map(argument, node.input))}){several}"

        return ";".join(map(call, order))


VERSION = re.compile(r"_\d+(?=\()")


def unversioned(pattern: str) -> str:
    """A pattern with the names of APIs without versions."""
    return VERSION.sub("", pattern)


def versions(pattern: str) -> int:
    """How many of its calls have a version."""
    return len(VERSION.findall(pattern))


def features(pattern: str) -> frozenset[str]:
    """The features of a pattern: each call's versioned name, each edge, and pairs of edges in a row. An edge has a call, the
    argument of another call that it feeds, and the constants beside. Only the first distinguishes versions."""
    calls = pattern.split(";")
    apis = [call.split("(")[0] for call in calls]
    names = [call.split("(")[0] for call in unversioned(pattern).split(";")]
    edges: list[tuple[int, str, int]] = []
    for i, call in enumerate(calls):
        inside = call[call.index("(") + 1 : call.index(")")].split(",")
        for at, part in enumerate(inside):
            if re.fullmatch(r"\d+(\.\d+)?", part):
                beside = ",".join("*" if k == at else "v" if p[:1].isdigit() else p[:1] for k, p in enumerate(inside))
                j = int(part.split(".")[0])
                edges.append((i, f"{names[j]}>{names[i]}({beside})", j))
    rows = {f"{before}>{after}" for i, after, j in edges for k, before, _ in edges if k == j}
    return frozenset(apis) | {edge for _, edge, _ in edges} | rows

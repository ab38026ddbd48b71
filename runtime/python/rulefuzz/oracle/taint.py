"""Marks tensors on whose elements a correct compiler may disagree with the reference (undefined values, as poison in LLVM)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rulefuzz.framework import Framework
from rulefuzz.model import Model, Node, Values
from rulefuzz.oracle import excuses
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Call, bounds
from rulefuzz.oracle.excuses.ties import IndexOfEqual


class Taint:
    """Follows a reference run and marks undefined tensors and all that is computed from them, each with the names of its
    excuses: those of excuses/undefined.py and excuses/outside.py."""

    def __init__(self, framework: Framework) -> None:
        self._framework = framework
        self.why: dict[int, frozenset[str]] = {}
        """The marked tensors, and the excuses of each."""
        self.lawless: set[int] = set()
        """Results of calls that violate the specification, so that a target may reject them."""
        self.outlawed: set[int] = set()
        """Results of calls that violate it, apart from lax ones; a target may give them other dimensions."""
        self.private: set[int] = set()
        """Results saved for a call's own gradient; they may be uninitialized memory."""
        self.turned: set[int] = set()
        """Vectors that may each have the other sign."""
        self.made: dict[int, Node] = {}
        """The call that made each tensor."""
        self.partial: dict[int, Any] = {}
        """Indices that may be others, as masks: these elements are not compared, nor is anything computed from the tensor."""
        self._places: dict[int, frozenset[str]] = {}

    def reasons(self, tensor: int, value: Any) -> frozenset[str]:
        """The excuses of a tensor that is marked or shares its elements with a marked one; empty for any other."""
        found = [self.why.get(tensor, frozenset())]
        if self._places:
            found += [self._places[place] for place in self._framework.places(value) if place in self._places]
        return frozenset().union(*found)

    def covers(self, tensor: int, value: Any) -> bool:
        """Whether a tensor is marked, or shares its elements with a marked one."""
        return tensor in self.why or bool(self._places and self._framework.places(value) & self._places.keys())

    def follow(self, node: Node, values: Values, results: list[Any], names: Sequence[str] = (),
               taken_from: Values | None = None, written: Collection[int] = ()) -> None:  # fmt: skip
        """Follows one node. `names`: of its results, if they have any. `taken_from`: operands that it wrote to, as they were
        before; `written`: the tensors whose memory it wrote to."""
        before = {**values, **taken_from} if taken_from else values
        call = Call(self._framework, node, before, results, names, self)
        whole = frozenset().union(*(self.reasons(i, values[i]) for i in node.refs()))
        if not self.partial.keys().isdisjoint(node.refs()):
            whole |= {IndexOfEqual.name}
        found: dict[int, set[str]] = {}
        outlawed = not self.outlawed.isdisjoint(node.refs())
        for excuse, rows in excuses.of_results(call.operation):
            call.rows = rows
            places = excuse.applies(call)
            if places and excuse.violates:
                self.lawless.update(out.id for out in node.outputs)
            if not places or excuse.violates == "dimensions":
                continue
            outlawed = outlawed or excuse.violates == "elements"
            if places is True:
                whole |= {excuse.name}
            else:
                for place in places:
                    found.setdefault(place, set()).add(excuse.name)
        for place, (out, result) in enumerate(zip(node.outputs, results, strict=True)):
            if whole or place in found:
                self.mark(out.id, result, whole | found.get(place, set()))
            if outlawed:
                self.outlawed.add(out.id)
            self.made[out.id] = node
        for i in written if whole else ():
            self.mark(i, values[i], whole)

    def outlaw(self, nodes: Sequence[Node], against: Collection[int], values: Values, name: str) -> None:
        """Marks the results of some nodes that violate the specification, and all that is computed from them."""
        self.lawless.update(out.id for i in against for out in nodes[i].outputs)
        for i, node in enumerate(nodes):
            behind = frozenset().union(*(self.reasons(ref, values[ref]) for ref in node.refs()))
            why = behind | {name} if i in against else behind
            for out in node.outputs if why else ():
                self.mark(out.id, values[out.id], why)

    def mark(self, tensor: int, value: Any, why: frozenset[str]) -> None:
        """Marks a tensor."""
        self.why[tensor] = self.why.get(tensor, frozenset()) | why
        for place in self._framework.places(value):
            self._places[place] = self._places.get(place, frozenset()) | why


def long(framework: Framework, model: Model, values: Values) -> frozenset[int]:
    """The tensors with an integer that needs more than 32 bits, and all computed from them."""
    low, high = bounds("int32") or (0, 0)

    def is_long(tensor: int) -> bool:
        if (bounds(framework.describe(values[tensor])[1]) or (low, high))[1] <= high:
            return False
        _, least, greatest = framework.extent(values[tensor])
        return least is not None and not low <= least <= greatest <= high

    return model.behind(lambda tensor, node: is_long(tensor.id))


def quantises(operation: str) -> bool:
    """Whether an operation makes integers of float quotients."""
    return unspecified.has("saturates", operation)

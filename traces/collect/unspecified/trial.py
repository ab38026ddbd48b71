"""One call by several implementations, on plain and on special inputs.

An implementation counts for a call if it agrees on plain inputs; a function of the same name only if the results differ from
element to element. The results for a special input are unspecified if one of them disagrees there, unless it stands alone
against two that agree with the reference. It may fail there only if it is of the same framework.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulefuzz import targets
from rulefuzz.framework import Framework
from rulefuzz.model import Const, Model, Node, Raised, Ref, Values, at_work
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.rounding import widened_model
from rulefuzz.targets import Target
from traces.collect.unspecified.inputs import special
from traces.collect.unspecified.peer import Peer

TARGETS = {"tensorflow": "tensorflow-xla", "torch": "torch-decomp", "jax": "jax-jit"}
"""A second implementation of a framework's calls in its own environment."""
Way = Callable[[Values], "list[Any] | None"]
"""An implementation: the arrays of the results for these inputs; None if it fails."""


@dataclass(frozen=True)
class Row:
    """A result that is unspecified."""

    operation: str
    argument: str
    kind: str
    answers: str
    """The implementations by result, at the first element that differs."""


def _alike(one: Sequence[Any] | None, other: Sequence[Any] | None) -> bool:
    if one is None or other is None or len(one) != len(other):
        return False
    return all(a.shape == b.shape and not bool(_differing(b, a).any()) for a, b in zip(one, other, strict=True))


def _differing(got: Any, want: Any) -> Any:
    limits = tolerance.bounds("neuri", want.dtype.name) if want.dtype.kind in "fc" else (0.0, 0.0)
    with np.errstate(all="ignore"):
        return np.asarray(compare.differing(got, want, *limits))


class Trial:
    """A call, and its implementations."""

    def __init__(self, framework: Framework, model: Model, peers: Sequence[Peer]) -> None:
        self._framework, self._model, self._peers = framework, model, peers
        self._node: Node = model.nodes[-1]
        self.operation = framework.operation(self._node.api)
        self.inputs = framework.inputs(model)
        self._operands = [ref for ref in dict.fromkeys(self._node.refs()) if ref in self.inputs]
        self._plain = self.reference(self.inputs)
        self._known: dict[str, list[str]] = {}
        """The functions of each peer that agree on plain inputs."""
        self._ways = dict(self._qualified()) if self._plain else {}

    def _arrays(self, tensors: Sequence[Any]) -> list[Any] | None:
        seen = [self._framework.seen(tensor) for tensor in tensors]
        return None if any(one[0] or one[2] == "string" for one in seen) else [np.asarray(one[3]) for one in seen]

    def _ran(self, run: Callable[[], Any]) -> list[Any] | None:
        with contextlib.suppress(Raised, Exception):
            return self._arrays(self._framework.tensors_of(at_work(run)))
        return None

    def reference(self, values: Values) -> list[Any] | None:
        """The framework's own."""
        return self._ran(lambda: self._framework.run_again(self._node, self._framework.copies(values, self._model)))

    def _wide(self, values: Values) -> list[Any] | None:
        framework, model = self._framework, widened_model(self._framework, self._model)
        wide = {i: framework.widened(tensor) for i, tensor in values.items()}
        return self._ran(lambda: framework.run_again(model.nodes[-1], wide))

    def _second(self, values: Values) -> list[Any] | None:
        return self._ran(lambda: self._framework.second(self._node, values) or ())

    def _compiled(self, name: str) -> Way:
        framework, model, target = self._framework, self._model, targets.load(name)
        assert isinstance(target, Target)
        made: list[Any] = []

        def way(values: Values) -> list[Any] | None:
            def run() -> Any:
                if not made:
                    result = framework.run_again(self._node, framework.copies(self.inputs, model))
                    subject = framework.subject(model, [result], model.outputs)
                    made.append(target.compile(subject, framework.arguments(model, self.inputs), lambda stage: None))
                return list(made[0](*framework.arguments(model, values)))

            return self._ran(run)

        return way

    def _reversed(self, index: int, other: int, axis: int, along: int) -> Way:
        """The call with the order of two operands' elements reversed: of writes, if it writes elements to indices."""

        def way(values: Values) -> list[Any] | None:
            moved = dict(values)
            for ref, dim in ((index, axis), (other, along)):
                _, dtype = self._framework.describe(values[ref])
                array = np.asarray(self._framework.seen(values[ref])[3])
                moved[ref] = self._framework.tensor(np.flip(array, dim).copy(), dtype)
            return self.reference(moved)

        return way

    def _own(self) -> Iterator[tuple[str, Way]]:
        """The framework's own implementations."""
        yield "64 bits", self._wide
        yield "second", self._second
        name = TARGETS.get(self._framework.name)
        if name:
            yield name, self._compiled(name)
        shapes = {ref: self._framework.describe(self.inputs[ref]) for ref in self._operands}
        for index, (shape, dtype) in shapes.items():
            for other, (dims, _) in shapes.items() if "int" in dtype else ():
                pairs = [(i, k) for i, n in enumerate(shape) for k, m in enumerate(dims) if n == m > 1 and index != other]
                for axis, along in pairs:
                    yield f"t{index}, t{other} reversed {axis} {along}", self._reversed(index, other, axis, along)

    def _qualified(self) -> Iterator[tuple[str, Way]]:
        for name, way in self._own():
            if _alike(way(self.inputs), self._plain):
                yield name, way
        varied = any(array.size and bool((array != array.reshape(-1)[0]).any()) for array in self._plain or ())
        for peer in self._peers if varied else ():
            answers = self._asked(peer, self.inputs, None)
            self._known[peer.framework] = [label for label, arrays in answers.items() if _alike(arrays, self._plain)][:2]

    def _asked(self, peer: Peer, values: Values, wanted: Sequence[str] | None) -> dict[str, list[Any] | None]:
        arrays = [np.asarray(self._framework.seen(values[ref])[3]) for ref in self._node.refs() if ref in values]
        if any(array.dtype.kind not in "fciub" for array in arrays):
            return {}
        constants = {arg.name: _value(arg.value) for arg in self._node.args if _is_plain(_value(arg.value))}
        return peer.ask(self.operation, arrays, constants, wanted)

    def _answers(self, values: Values) -> Iterator[tuple[str, list[Any]]]:
        """Results for special inputs. A peer may fail for reasons of its own."""
        for name, way in self._ways.items():
            yield name, way(values) or []
        for peer in self._peers:
            wanted = self._known.get(peer.framework)
            for label, arrays in (self._asked(peer, values, wanted) if wanted else {}).items():
                if arrays is not None:
                    yield label, arrays

    def rows(self, draw: np.random.Generator, known: set[tuple[str, str]]) -> Iterator[Row]:
        """The disagreements that are not known yet, by argument and class."""
        if not self._plain or not (self._ways or any(self._known.values())):
            return
        for name, ref in self._named():
            _, dtype = self._framework.describe(self.inputs[ref])
            if dtype == "string":
                continue
            array = np.asarray(self._framework.seen(self.inputs[ref])[3])
            most = max((n for i in self._operands if i != ref for n in self._framework.describe(self.inputs[i])[0]), default=1)
            for kind, changed in special(array, most, draw):
                values = self.inputs | {ref: self._framework.tensor(changed, dtype)}
                answers = "" if (name, kind) in known else self._disagreement(values)
                if answers:
                    known.add((name, kind))
                    yield Row(self.operation, name, kind, answers)

    def _named(self) -> Iterator[tuple[str, int]]:
        for arg in self._node.args:
            for value in arg.value if isinstance(arg.value, list) else [arg.value]:
                if isinstance(value, Ref) and value.id in self.inputs:
                    yield arg.name, value.id

    def _disagreement(self, values: Values) -> str:
        """The implementations by result; "" if the results agree."""
        want = self.reference(values)
        if want is None:
            return ""
        found = dict(self._answers(values))
        apart = {name: arrays for name, arrays in found.items() if not _alike(arrays, want)}
        if not apart or (len(apart) == 1 and len(found) > 2):
            return ""
        first = next(iter(apart.values()))
        place = next(((k, tuple(np.argwhere(_differing(b, a))[0])) for k, (a, b) in enumerate(
            zip(want, first, strict=False)) if a.shape == b.shape and bool(_differing(b, a).any())), None)  # fmt: skip
        told = {self._framework.reference: want} | found
        return "; ".join(f"{name} {_element(arrays, place)}" for name, arrays in told.items())


def _element(arrays: Sequence[Any], place: Any) -> str:
    if not arrays:
        return "fails"
    if place is None or place[0] >= len(arrays):
        return "/".join(str(list(array.shape)) for array in arrays)
    try:
        return f"{arrays[place[0]][place[1]]:.6g}"
    except (IndexError, TypeError, ValueError):
        return "?"


def _is_plain(value: Any) -> bool:
    """Whether a value has the same meaning in all frameworks."""
    return all(map(_is_plain, value)) if isinstance(value, list) else isinstance(value, (bool, int, float, str, type(None)))


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(item) for item in value]
    return value.value if isinstance(value, Const) else value

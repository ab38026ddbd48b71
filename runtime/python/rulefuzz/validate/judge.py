"""Runs one model by the reference alone: checks that each call returns the declared results, and describes the first that does
not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulefuzz.framework import Framework, line_of
from rulefuzz.model import (
    DEFAULT,
    BadModel,
    Failed,
    Interpreter,
    Json,
    Mismatch,
    Model,
    Raised,
    Reader,
    Tensor,
    Values,
    at_work,
    check_results,
)

ORIGINS = 8
"""Maximum number of nodes listed that first made a non-finite element."""
Note = Callable[[int], None]
"""Called with a node before it runs."""


class Run:
    """One model's run."""

    def __init__(self, framework: Framework, model: Model, note: Note = lambda node: None) -> None:
        self.framework, self.model, self.note = framework, model, note
        self.values: Values = {}
        self.infinite: set[int] = set()
        """Tensors with a non-finite element."""
        self.origins: list[int] = []
        """Nodes that made one of finite inputs."""

    def until(self, end: int | None = None, *, one_by_one: bool = False) -> Failed | None:
        """Runs the nodes before `end`. Returns the first failure."""
        self.values = self.framework.inputs(self.model)
        interpreter = Interpreter(self.framework, self.model, self.values, self.note, self._follow, one_by_one=one_by_one)
        try:
            interpreter.run(end)
        except Failed as failed:
            return failed
        return None

    def _follow(self, index: int, result: Any, tensors: list[Any]) -> list[Any]:
        node, bad = self.model.nodes[index], False
        for out, tensor in zip(node.outputs, tensors, strict=True):
            if not self.framework.finite(tensor):
                self.infinite.add(out.id)
                bad = True
        if bad and self.infinite.isdisjoint(node.refs()):
            self.origins.append(index)
        return tensors

    def inputs(self, index: int) -> list[Json]:
        """Describes the inputs of a node."""
        described = []
        given = {t.id: t for t in self.model.inputs}
        for ref in self.model.nodes[index].refs():
            shape, dtype = self.framework.describe(self.values[ref])
            finite, low, high = self.framework.extent(self.values[ref])
            facts: Json = {"shape": list(shape), "dtype": dtype, "min": low, "max": high, "finite": finite}
            if ref in given and given[ref].span:
                facts["range"] = list(given[ref].span or ())
            if ref in given and given[ref].kind:
                facts["values"] = given[ref].kind
            described.append(facts)
        return described

    def by_layout(self, index: int) -> bool:
        """Whether a node runs if its inputs are contiguous."""
        taken = {ref: self.values[ref] for ref in self.model.nodes[index].refs()}
        plain = {ref: self.framework.plain(tensor) for ref, tensor in taken.items()}
        return any(plain[ref] is not tensor for ref, tensor in taken.items()) and self._runs(index, plain)

    def alone(self, index: int) -> bool:
        """Whether a node also fails with fresh inputs of class small (or of their range)."""
        tensors = self.model.tensors(index)
        fresh = {}
        for ref in self.model.nodes[index].refs():
            t = tensors[ref]
            fresh[ref] = self.framework.seeded(t if t.span else Tensor(t.id, t.shape, t.dtype, DEFAULT), 1)
        return not self._runs(index, fresh)

    def _runs(self, index: int, values: Values) -> bool:
        node = self.model.nodes[index]
        try:
            (result,) = at_work(self.framework.run, [node], values)
            check_results(self.framework, node, self.framework.tensors_of(result))
        except (Raised, Mismatch):
            return False
        return True


def failure(item: Json, index: int, kind: str, error: str) -> Json:
    """The answer for an invalid model."""
    node = item["nodes"][index]
    return {"index": item.get("index"), "valid": False, "node": index, "api": node["api"], "op": node["op"],
            "kind": kind, "error": error}  # fmt: skip


def judge(framework: Framework, reader: Reader, item: Json, note: Note) -> Json:
    """The answer for one model."""
    try:
        model = reader.model(item)
    except BadModel as error:
        return {**failure(item, error.node or 0, "raises", line_of(error)), "inputs": [], "alone": True}
    run = Run(framework, model, note)
    failed = run.until()
    if failed is None:
        answer: Json = {"index": model.index, "valid": True, "finite": not run.infinite}
        if run.origins:
            answer["nonfinite"] = run.origins[:ORIGINS]
        return answer
    fault, node = failed.error, failed.node
    kind, what = (fault.args[0], fault.args[1]) if isinstance(fault, Mismatch) else ("raises", line_of(fault))
    answer = failure(item, node, kind, what)
    answer["inputs"] = run.inputs(node)
    answer["alone"] = run.alone(node)
    if not answer["alone"] and run.by_layout(node):
        answer["layout"] = True
    return answer

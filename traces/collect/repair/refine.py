"""Turns calls of models that contradict the rules into records."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rulefuzz import model
from traces.collect.judge.oracle import Oracle
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine
from traces.collect.repair.symbols import symbols

Span = tuple[int, ...] | None
Guess = tuple[tuple[int, ...], tuple[Span, ...], tuple[int, ...]]
"""A call of a model: its symbols without those of ranges, the range of each input tensor, and the output dimensions that
the rule gives."""


class _Names:
    """Reads calls without building any: see model.Names."""

    def __init__(self, apis: frozenset[str]) -> None:
        self.apis = apis

    def resolve(self, api: str) -> Any:
        """Nothing."""
        return None

    def constant(self, text: str) -> model.Const:
        """Its text."""
        return model.Const(None, text)

    def has_dtype(self, _: str) -> bool:
        """Always."""
        return True


def read_guesses(lines: Iterable[str], apis: frozenset[str]) -> dict[str, dict[str, list[Guess]]]:
    """The calls of models by API and operator, without duplicates, sorted. Raises model.BadModel."""
    asked: dict[str, dict[str, set[Guess]]] = defaultdict(lambda: defaultdict(set))
    reader = model.Reader(_Names(apis))
    for line in lines:
        read = reader.model(json.loads(line))
        spans = {tensor.id: tensor.span for tensor in read.inputs}
        for index, node in enumerate(read.nodes):
            outputs = tuple(dim for tensor in node.outputs for dim in tensor.shape)
            given = tuple(model.symbols(read, index)[0])
            asked[node.api][node.op].add((given, tuple(spans.get(ref) for ref in node.refs()), outputs))
    return {api: {op: sorted(guesses, key=repr) for op, guesses in ops.items()} for api, ops in asked.items()}


def refine_operator(oracle: Oracle, records: RecordFiles, name: str, guesses: Sequence[Guess]) -> int:
    """Runs the calls of one operator that its records do not answer, and keeps those with a wrong prediction; returns their
    number. Raises BadLine if the records lack the operator or it has other arguments."""
    operator = records.find(name)
    try:
        calls = [(symbols(operator, given, [{"range": span} for span in spans]), out) for given, spans, out in guesses]
    except (StopIteration, ValueError):
        raise BadLine(f"the records of {name} have other arguments") from None
    calls = [call for call in calls if not operator.known(call[0]) and not operator.settled(call[0])]
    answers = oracle.answers([operator.question(values) for values, _ in calls])
    passing, failing = [], []
    for (values, predicted), text in zip(calls, answers, strict=True):
        found = json.loads(f"{{{text}}}")
        if found["outcome"] in (FAIL, OTHER):
            failing.append(list(values))
        elif found["outcome"] == PASS and found["out"] != list(predicted):
            passing.append([list(values), found["out"]])
    return records.keep(name, passing, failing)

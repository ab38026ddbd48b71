"""Which calls of models are not as the rules said: they become records."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from traces.collect.call.spec import Json, Values
from traces.collect.judge.oracle import Oracle
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records.files import RecordFiles

Guess = tuple[Values, Values]
"""The symbols of a call, and the output dimensions that the rule gives."""


def read_questions(lines: Sequence[str]) -> dict[str, dict[str, list[Guess]]]:
    """Questions by API and operator, without repetition, in order."""
    asked: dict[str, dict[str, set[Guess]]] = defaultdict(lambda: defaultdict(set))
    for line in lines:
        model = json.loads(line)
        shapes = {tensor["id"]: tensor["shape"] for tensor in model["inputs"]}
        for node in model["nodes"]:
            shapes.update((tensor["id"], tensor["shape"]) for tensor in node["outputs"])
            numbers: list[int] = []
            _walk([arg["value"] for arg in node["args"]], shapes, numbers)
            outputs = [dim for tensor in node["outputs"] for dim in tensor["shape"]]
            asked[node["api"]][node["op"]].add((tuple(numbers), tuple(outputs)))
    return {api: {op: sorted(questions) for op, questions in ops.items()} for api, ops in asked.items()}


def _walk(value: Json, shapes: dict[int, list[int]], numbers: list[int]) -> None:
    if isinstance(value, list):
        for item in value:
            _walk(item, shapes, numbers)
    elif isinstance(value, int):
        numbers.append(value)
    elif "elements" in value:
        _walk(value["elements"], shapes, numbers)
    elif "ref" in value:
        numbers.extend(shapes[value["ref"]])


def refine_operator(oracle: Oracle, records: RecordFiles, name: str, guesses: Sequence[Guess]) -> int:
    """Asks about the calls of one operator that its records do not answer, and keeps what was wrong; how many."""
    operator = records.find(name)
    guesses = [guess for guess in guesses if not operator.known(guess[0]) and not operator.settled(guess[0])]
    answers = oracle.answers([operator.question(values) for values, _ in guesses])
    passing, failing = [], []
    for (values, predicted), text in zip(guesses, answers, strict=True):
        found = json.loads(f"{{{text}}}")
        if found["outcome"] in (FAIL, OTHER):
            failing.append(list(values))
        elif found["outcome"] == PASS and found["out"] != list(predicted):
            passing.append([list(values), found["out"]])
    return records.keep(name, passing, failing)

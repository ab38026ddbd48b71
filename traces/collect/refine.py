"""Asks the framework about calls that the rules accept, and adds what they got wrong to the records.

    rulefuzz gen --count N | python -m traces.collect.refine [FOLDER]

Each call of the models on standard input runs live by itself, with its operator's own dtypes. A call that the framework refuses
becomes a failing record, one that returns another shape than predicted a passing one with the true shape: a counterexample
that the next synthesis must respect. Calls that the rules foretold right are not recorded, and neither are those that depend
on elements. An API's calls run in a process of their own; if it dies, each operator's do; one that dies alone adds nothing.
Prints how many calls were asked and how many were wrong.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import torch

from traces.collect.delicate import operator_line
from traces.collect.oracle import FAIL, OTHER, PASS, judge
from traces.collect.symbolise import Json
from traces.collect.torch_oracle import TorchOracle
from traces.collect.write import write_file

SECONDS = 30

Question = tuple[tuple[int, ...], tuple[int, ...]]
"""The symbols of a call, and the output dimensions that the rule gives."""


def read_questions(lines: Sequence[str]) -> dict[str, dict[str, list[Question]]]:
    """Questions by API and operator, without repetition, in order."""
    asked: dict[str, dict[str, set[Question]]] = defaultdict(lambda: defaultdict(set))
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
    elif "ref" in value:
        numbers.extend(shapes[value["ref"]])


def answer(framework: TorchOracle, operator: Json, questions: Sequence[Question]) -> tuple[list[Json], list[Json]]:
    """New passing and failing records: what the rule got wrong."""
    call = framework.compile(operator["api"], operator["args"])
    types = [(len(output["tensor"]), output["dtype"]) for output in operator["outputs"]]
    passing, failing = [], []
    for symbols, predicted in questions:
        verdict = judge(framework, call, symbols, types)
        if verdict.kind in (FAIL, OTHER):
            failing.append(list(symbols))
        elif verdict.kind == PASS:
            found = [dim for dims in verdict.outputs for dim in dims]
            if found != list(predicted):
                passing.append([list(symbols), found])
    return passing, failing


Answers = list[tuple[list[Json], list[Json]]]


def _apart(framework: TorchOracle, operators: Sequence[Json], questions: dict[str, list[Question]]) -> Answers:
    """The answers for each operator, from a child that may die; then each operator gets a child of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.dup2(2, 1)
        with os.fdopen(write, "w") as pipe:
            json.dump([answer(framework, operator, questions.get(operator["op"], [])) for operator in operators], pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    if os.waitpid(child, 0)[1] == 0:
        return [(passing, failing) for passing, failing in json.loads(text)]
    if len(operators) > 1:
        return [found for operator in operators for found in _apart(framework, [operator], questions)]
    return [([], [])]


def _extended(operator: Json, passing: list[Json], failing: list[Json]) -> Json:
    known = {tuple(symbols) for symbols, _ in operator["pass"]} | {tuple(symbols) for symbols in operator["fail"]}
    passing = [record for record in passing if tuple(record[0]) not in known]
    failing = [symbols for symbols in failing if tuple(symbols) not in known]
    return dict(operator, **{"source": sorted({*operator["source"], "refine"}),
                             "pass": sorted(operator["pass"] + passing), "fail": sorted(operator["fail"] + failing)})


def refine_file(path: Path, framework: TorchOracle, questions: dict[str, list[Question]], wrong: Counter[str]) -> None:
    """Asks about the operators of one API and rewrites its file where an answer was not foreseen."""
    operators = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    answers = _apart(framework, operators, questions)
    for i, (operator, (passing, failing)) in enumerate(zip(operators, answers, strict=True)):
        if passing or failing:
            wrong[operator["op"]] += len(passing) + len(failing)
            operators[i] = _extended(operator, passing, failing)
    if any(passing or failing for passing, failing in answers):
        write_file(path, "".join(operator_line(operator) + "\n" for operator in operators))


def main() -> int:
    torch.set_num_threads(1)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "traces/torch")
    asked = read_questions(sys.stdin.readlines())
    framework = TorchOracle()
    wrong: Counter[str] = Counter()
    for api in sorted(asked):
        path = folder / f"{api}.jsonl"
        if path.exists():
            refine_file(path, framework, asked[api], wrong)
    count = sum(len(questions) for ops in asked.values() for questions in ops.values())
    print(f"refine: {count} calls asked, {sum(wrong.values())} not as the rules said, of {len(wrong)} operators")
    for op, times in wrong.most_common(20):
        print(f"  {times:5} {op}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

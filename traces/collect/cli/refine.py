"""Asks the framework about calls that the rules accept, and adds what they got wrong to the records.

    rulefuzz gen --count N | python -m traces.collect.cli.refine FRAMEWORK [FOLDER]

Each call of the models on standard input runs live by itself, with its operator's own dtypes. A call that the framework
refuses becomes a failing record, one that returns another shape than predicted a passing one with the true shape: a
counterexample that the next synthesis must respect. Calls that the rules foretold right are not recorded, and neither
are those that depend on elements or kill their process (see ask). Prints how many calls were asked and were wrong.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from traces.collect.call.spec import Json, Values
from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine

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


def main() -> int:
    """The command."""
    name = sys.argv[1] if len(sys.argv) > 1 else "torch"
    build = Path("build/traces") / name
    build.mkdir(parents=True, exist_ok=True)
    asked = read_questions(sys.stdin.readlines())
    records = RecordFiles(Path(sys.argv[2] if len(sys.argv) > 2 else f"traces/{name}"))
    oracle = Oracle(registry.load(name), build / "findings.jsonl", build / "ask.log")
    wrong: Counter[str] = Counter()
    for api in sorted(asked):
        for op, guesses in asked[api].items():
            try:
                wrong[op] += refine_operator(oracle, records, op, guesses)
            except BadLine as error:
                print(f"refine: error: {error}", file=sys.stderr)
        records.save()
    oracle.end()
    count = sum(len(guesses) for ops in asked.values() for guesses in ops.values())
    print(f"refine: {count} calls asked, {wrong.total()} not as the rules said, of {len(+wrong)} operators")
    for op, times in (+wrong).most_common(20):
        print(f"  {times:5} {op}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

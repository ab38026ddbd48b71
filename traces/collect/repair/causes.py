"""Finds why calls failed in models: each runs alone, and with its operator's own dtypes and constants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.judge.oracle import Oracle, Question
from traces.collect.judge.verdict import FAIL, LOST, MIXED, OTHER, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine, Recorded
from traces.collect.repair.symbols import symbols

CAUSES = ("rule", "constants", "dtypes", "layout", "values", "lost", "unknown")


def with_constants(args: Sequence[Json], texts: Sequence[str]) -> list[Json]:
    """The arguments with other constants, in order."""
    rest = iter(texts)

    def leaf(old: Json) -> Json:
        return {"const": next(rest, old["const"])} if isinstance(old, dict) and "const" in old else old

    return arglist.map_leaves(args, leaf)


def questions(operator: Recorded, call: Json) -> Iterator[Question]:
    """The four variants; a later one may equal an earlier one."""
    record, values = operator.record, symbols(operator, call["in"], call.get("inputs", ()))
    own, outs = record["args"], [out["dtype"] for out in record["outputs"]]
    table = {tuple(row[0]): row[1] for row in record.get("dtypes", ())}
    cast, others = arglist.with_dtypes(own, call["dtypes"]), table.get(tuple(call["dtypes"]), outs)
    drawn = with_constants(own, call["constants"])
    both = with_constants(cast, call["constants"])
    for args, dtypes in ((own, outs), (drawn, outs), (cast, others), (both, others)):
        outputs = [{**out, "dtype": dtype} for out, dtype in zip(record["outputs"], dtypes, strict=True)]
        name = f"{record['op']} {json.dumps([args, dtypes])}"
        changed = Recorded.of({**record, "args": args, "outputs": outputs, "pass": [], "fail": []}, name)
        yield changed.question(values)


def wrong(found: Json, out: Sequence[int]) -> bool:
    """True if an answer differs from the rule's."""
    return found["outcome"] in (FAIL, OTHER) or (found["outcome"] == PASS and found["out"] != list(out))


def cause(answers: Sequence[Json], out: Sequence[int]) -> tuple[str, Json]:
    """The cause, and the answer that proves it."""
    for name, found in zip(("rule", "constants", "dtypes", "dtypes"), answers, strict=True):
        if found["outcome"] == LOST:
            return "lost", found
        if wrong(found, out):
            return name, found
    return "values", next((found for found in answers if found["outcome"] == MIXED), answers[-1])


def distinct(lines: Iterable[str]) -> dict[str, tuple[Json, int]]:
    """Each call with its number of occurrences."""
    found: dict[str, tuple[Json, int]] = {}
    for line in lines:
        call = json.loads(line)
        key = json.dumps([call["op"], call["in"], call["dtypes"], call["constants"]])
        found[key] = found.get(key, (call, 0))[0], found.get(key, (call, 0))[1] + 1
    return found


def judged(records: RecordFiles, oracle: Oracle, calls: Iterable[Json]) -> Iterator[tuple[str, Json]]:
    """The cause of each, with the call and its answers."""
    asked: list[tuple[Json, list[Question]]] = []
    for call in calls:
        try:
            operator = records.find(call["op"])
            asked.append((call, list(questions(operator, call))))
        except (BadLine, ValueError, StopIteration, RuntimeError) as error:
            yield "unknown", {**call, "found": {"outcome": "unknown", "message": str(error)}}
    texts = oracle.answers([question for _, four in asked for question in four])
    for call, four in asked:
        answers = [json.loads(f"{{{next(texts)}}}") for _ in four]
        name, found = cause(answers, call["out"])
        if name == "values" and call.get("layout"):
            name, found = "layout", {"outcome": PASS, "message": call["error"]}
        yield name, {**call, "found": found}

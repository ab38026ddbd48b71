"""Corrects the records that made calls fail in models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.repair.symbols import symbols


def calls(folders: Sequence[Path], cause: str) -> Iterator[Json]:
    """The calls of one cause."""
    for folder in folders:
        path = folder / f"{cause}.jsonl"
        if path.exists():
            yield from map(json.loads, path.read_text(encoding="ascii").splitlines())


def add_record(records: RecordFiles, call: Json) -> int:
    """Adds the call as a record; 1 if it is new."""
    values, found = list(symbols(records.find(call["op"]), call["in"], call.get("inputs", ()))), call["found"]
    failing = [values] if found["outcome"] in (FAIL, OTHER) else []
    passing = [] if failing else [[values, found["out"]]]
    return records.keep(call["op"], passing, failing)


def drop_tuple(record: Json, call: Json) -> bool:
    """Drops the call's tuple of dtypes."""
    rows = record.get("dtypes", [])
    left = [row for row in rows if row[0] != call["dtypes"]]
    if call["dtypes"] == list(arglist.dtypes(record["args"])) or len(left) == len(rows):
        return False
    record["dtypes"] = left
    return True


def drop_floats(record: Json, call: Json) -> bool:
    """Drops the call's floats from the sampled ones, except the operator's own."""
    texts, changed = iter(call["constants"]), False

    def leaf(old: Json) -> Json:
        nonlocal changed
        if not isinstance(old, dict) or "const" not in old:
            return old
        text = next(texts, old["const"])
        if text == old["const"] or text not in old.get("seen", ()):
            return old
        changed = True
        return {**old, "seen": [seen for seen in old["seen"] if seen != text]}

    record["args"] = arglist.map_leaves(record["args"], leaf)
    return changed


def copy_inputs(record: Json, call: Json) -> bool:
    """Marks every input of the operator to be copied."""
    every = list(range(len(arglist.tensors(record["args"]))))
    if record.get("writes") == every:
        return False
    record["writes"] = every
    return True


def add_answers(records: RecordFiles, path: Path) -> tuple[int, set[str]]:
    """Adds verify's wrong answers as records; returns the number of new ones, and the operators whose rule accepted rejected
    calls."""
    new, loose = 0, set()
    for line in path.read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        if answer["was"] == PASS:
            new += records.keep(answer["op"], [[answer["in"], answer["out"]]], [])
        elif answer["was"] == FAIL:
            new += records.keep(answer["op"], [], [answer["in"]])
        if answer["said"] == "valid" and answer["drawn"] == "sample":
            loose.add(answer["op"])
    return new, loose

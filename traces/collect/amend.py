"""Puts right in the records what made calls fail in models.

    python -m traces.collect.amend FOLDER CAUSES...

CAUSES are folders that traces.collect.causes wrote. A call that the rule had wrong becomes a record; a tuple of dtypes with
which a call failed goes, unless it is the operator's own; so do floats with which one failed, from those seen in their place.
What failed by layout gets copies of its inputs (`"writes"`). The rest is for others: elements have their classes
(docs/values.md), and what kills the framework is in docs/findings. Prints how much of each.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from traces.collect import ask, causes, symbolise
from traces.collect.oracle import FAIL, OTHER
from traces.collect.symbolise import Json


def calls(folders: Sequence[Path], cause: str) -> Iterator[Json]:
    """The calls of one cause."""
    for folder in folders:
        path = folder / f"{cause}.jsonl"
        if path.exists():
            yield from map(json.loads, path.read_text(encoding="ascii").splitlines())


def add_record(records: ask.Records, call: Json) -> int:
    """The call as a record; 1 if it is new."""
    values, found = list(causes.symbols(records.find(call["op"]), call)), call["found"]
    failing = [values] if found["outcome"] in (FAIL, OTHER) else []
    passing = [] if failing else [[values, found["out"]]]
    return records.keep(call["op"], passing, failing)


def drop_tuple(record: Json, call: Json) -> bool:
    """Drops the call's tuple of dtypes."""
    rows = record.get("dtypes", [])
    left = [row for row in rows if row[0] != call["dtypes"]]
    if call["dtypes"] == list(symbolise.dtypes(record["args"])) or len(left) == len(rows):
        return False
    record["dtypes"] = left
    return True


def drop_floats(record: Json, call: Json) -> bool:
    """Drops the call's floats from those seen, but for the operator's own."""
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

    record["args"] = symbolise.map_leaves(record["args"], leaf)
    return changed


def copy_inputs(record: Json, call: Json) -> bool:
    """Has every input of the operator copied."""
    every = list(range(len(symbolise.tensors(record["args"]))))
    if record.get("writes") == every:
        return False
    record["writes"] = every
    return True


def main(argv: Sequence[str]) -> int:
    """The command."""
    if len(argv) < 2:
        print("usage: python -m traces.collect.amend FOLDER CAUSES...", file=sys.stderr)
        return 2
    records, folders, counts = ask.Records(Path(argv[0])), [Path(text) for text in argv[1:]], Counter[str]()
    for call in calls(folders, "rule"):
        counts["records added"] += add_record(records, call)
    changes = {"dtypes": ("tuples dropped", drop_tuple), "constants": ("operators lost floats", drop_floats),
               "layout": ("operators take copies", copy_inputs)}  # fmt: skip
    for cause, (what, change) in changes.items():
        for call in calls(folders, cause):
            if change(records.find(call["op"]).record, call):
                counts[what] += 1
                records.touch(call["op"])
    files = records.save()
    print(f"amend: {', '.join(f'{count} {what}' for what, count in counts.items()) or 'nothing'}; {files} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Puts right in the records what made calls fail in models.

    python -m traces.collect.cli.amend FOLDER [--again] CAUSES...
    python -m traces.collect.cli.amend FOLDER [--again] WRONG.jsonl...
    python -m traces.collect.cli.amend FOLDER NONFINITE.tsv...

CAUSES are folders that traces.collect.cli.causes wrote. A call that the rule had wrong becomes a record; a tuple of dtypes
with which a call failed goes, unless it is the operator's own; so do floats with which one failed, from those seen in
their place. What failed by layout gets copies of its inputs (`"writes"`). An operator whose success depends on elements
beyond its classes (docs/values.md) goes to FOLDER/RUNS.tsv as one that generators leave out; one that kills the
framework as one that they use by its records only, and if it does so again leave out. With --again, so do those whose
records were amended before and that failed all the same: by their records only where the rule is wrong, else never.
WRONG.jsonl is what `rulefuzz verify --wrong` found: answers that a rule had wrong, which become records; with --again
an operator whose rule accepted what the framework refuses is used by its records. NONFINITE.tsv is what
runtime/backends/FRAMEWORK_eager.py --nonfinite wrote of models whose elements keep to classes (neuri and graph): of
operators that made infinities or NaN of finite elements more than rarely, FOLDER/VALUES.tsv says from then on that
outputs may be anything. An operator that was given elements beyond its classes is not to blame: from then on it is
`delicate`, and its classes are kept where any are asked for. Prints how much of each.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.cli import causes
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records import write
from traces.collect.records.files import RecordFiles
from traces.collect.values import classes


def calls(folders: Sequence[Path], cause: str) -> Iterator[Json]:
    """The calls of one cause."""
    for folder in folders:
        path = folder / f"{cause}.jsonl"
        if path.exists():
            yield from map(json.loads, path.read_text(encoding="ascii").splitlines())


def add_record(records: RecordFiles, call: Json) -> int:
    """The call as a record; 1 if it is new."""
    values, found = list(causes.symbols(records.find(call["op"]), call)), call["found"]
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

    record["args"] = arglist.map_leaves(record["args"], leaf)
    return changed


def copy_inputs(record: Json, call: Json) -> bool:
    """Has every input of the operator copied."""
    every = list(range(len(arglist.tensors(record["args"]))))
    if record.get("writes") == every:
        return False
    record["writes"] = every
    return True


USES = {"values": "never", "lost": "records"}
ANY = classes.LETTERS[classes.ANY]
AGAIN = {"rule": "records", "unknown": "never"}
RUNS_HEADER, VALUES_HEADER = ("op", "use", "why"), ("op", "accepts", "gives")
RARELY, RARELY_CALLS = 0.01, 2  # share and number of calls below which an overflow is a product of large elements

Table = dict[str, tuple[str, str]]
"""RUNS.tsv or VALUES.tsv: operator to its two other cells."""


def read_table(path: Path) -> Table:
    """A table; empty where there is none."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return {op: (one, two) for op, one, two in (line.split("\t") for line in lines)}


def write_table(path: Path, header: Sequence[str], table: Table) -> None:
    """The same, sorted."""
    write.write_file(path, write.table(header, [(op, *cells) for op, cells in table.items()]))


def betrayed(call: Json, values: Table) -> bool:
    """Whether an input holds what is beyond the class of elements that the operator takes there."""
    accepts = values.get(call["op"], ("", ""))[0]
    return any(beyond(*one) for one in zip(call.get("inputs", ()), call["dtypes"], accepts, strict=False))


def beyond(facts: Json, dtype: str, letter: str) -> bool:
    """Whether a tensor's elements are not of this class."""
    if letter not in classes.LETTERS or letter == ANY or not classes.known(dtype):
        return False
    if not facts.get("finite", True) or facts.get("min") is None:
        return not facts.get("finite", True)
    return not classes.within(facts["min"], facts["max"], classes.LETTERS.index(letter), dtype)


def note_nonfinite(path: Path, files: Sequence[Path]) -> int:
    """Widens to ANY what operators give that made infinities or NaN of finite elements; how many lines are other."""
    made, calls = Counter[str](), Counter[str]()
    for file in files:
        for line in file.read_text(encoding="ascii").splitlines()[1:]:
            op, nonfinite, total = line.split("\t")
            made[op] += int(nonfinite)
            calls[op] += int(total)
    table, changed = read_table(path), 0
    for op, count in made.items():
        accepts, gives = table.get(op, ("", ""))
        wide = ANY * len(gives)
        if count >= RARELY_CALLS and count >= RARELY * calls[op] and gives != wide:
            table[op] = (accepts, wide)
            changed += 1
    if changed:
        write_table(path, VALUES_HEADER, table)
    return changed


def reason(call: Json) -> str:
    """A call's error in one short line of ASCII."""
    return " ".join(str(call.get("error", "")).split())[:120].encode("ascii", "replace").decode()


def note_new(runs: Table, op: str, use: str, why: str) -> int:
    """Notes a use where there is none yet; 1 if there was none."""
    if op in runs:
        return 0
    runs[op] = (use, why)
    return 1


def note_uses(path: Path, folders: Sequence[Path], loose: dict[str, str], again: bool) -> int:
    """Adds to RUNS.tsv how operators that failed are used from now on; how many lines are new or other."""
    before, values = read_table(path), read_table(path.with_name("VALUES.tsv"))
    runs = dict(before)
    changed = sum(note_new(runs, op, "records", why) for op, why in loose.items())
    for cause, use in (USES | (AGAIN if again else {})).items():
        for call in calls(folders, cause):
            if cause == "values" and betrayed(call, values):
                changed += note_new(runs, call["op"], "delicate", reason(call))
                continue
            op, old = call["op"], before.get(call["op"], ("", ""))[0]
            use_now = "never" if old == "never" or old == use == "records" else use
            if use_now != runs.get(op, ("", ""))[0]:
                runs[op] = (use_now, reason(call))
                changed += 1
    if changed:
        write_table(path, RUNS_HEADER, runs)
    return changed


def add_answers(records: RecordFiles, path: Path) -> tuple[int, set[str]]:
    """What verify found as records: how many are new, and the operators whose rule accepted too much."""
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


def main(argv: Sequence[str]) -> int:
    """The command."""
    again = "--again" in argv
    argv = [word for word in argv if word != "--again"]
    if len(argv) < 2:
        print("usage: python -m traces.collect.cli.amend FOLDER [--again] CAUSES...", file=sys.stderr)
        return 2
    records, folders, counts = RecordFiles(Path(argv[0])), [Path(text) for text in argv[1:]], Counter[str]()
    files = [path for path in folders if path.suffix == ".jsonl"]
    tables = [path for path in folders if path.suffix == ".tsv"]
    folders = [path for path in folders if path not in files + tables]
    loose: dict[str, str] = {}
    for path in files:
        added, found = add_answers(records, path)
        counts["records added"] += added
        loose |= dict.fromkeys(found, "its rule accepted what the framework refuses")
    counts["operators may give anything"] = note_nonfinite(Path(argv[0]) / "VALUES.tsv", tables)
    counts["operators used otherwise"] = note_uses(Path(argv[0]) / "RUNS.tsv", folders, loose if again else {}, again)
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

"""RUNS.tsv and VALUES.tsv: restrictions on operators that failed in models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.records import write
from traces.collect.repair.amend import calls
from traces.collect.values import classes

USES = {"values": "never", "lost": "records"}
ANY = classes.LETTERS[classes.ANY]
AGAIN = {"rule": "records", "unknown": "never"}
RUNS_HEADER, VALUES_HEADER = ("op", "use", "why"), ("op", "accepts", "gives")
LOOSE = "its rule accepted calls that the framework rejects"
"""The reason in RUNS.tsv for operators found by `verify`, which only use recorded calls."""
ENOUGH = 300  # this many accepted calls without a rejection: the rule is wrong in less than 1 %, with 95 % confidence
RARELY, RARELY_CALLS = 0.01, 2  # share and number of calls below which an overflow is attributed to large elements
Table = dict[str, tuple[str, str]]
"""RUNS.tsv or VALUES.tsv: operator to its other two cells."""


def read_table(path: Path) -> Table:
    """A table; empty if the file is missing."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return {op: (one, two) for op, one, two in (line.split("\t") for line in lines)}


def write_table(path: Path, header: Sequence[str], table: Table) -> None:
    """Writes the table, sorted."""
    write.write_file(path, write.table(header, [(op, *cells) for op, cells in table.items()]))


def betrayed(call: Json, values: Table) -> bool:
    """True if an input exceeds the class of elements that the operator accepts there."""
    accepts = values.get(call["op"], ("", ""))[0]
    return any(beyond(*one) for one in zip(call.get("inputs", ()), call["dtypes"], accepts, strict=False))


def beyond(facts: Json, dtype: str, letter: str) -> bool:
    """True if a tensor's elements exceed this class."""
    if letter not in classes.LETTERS or letter == ANY or not classes.known(dtype):
        return False
    if not facts.get("finite", True) or facts.get("min") is None:
        return not facts.get("finite", True)
    return not classes.within(facts["min"], facts["max"], classes.LETTERS.index(letter), dtype)


def note_nonfinite(path: Path, files: Sequence[Path]) -> int:
    """Sets the output class to ANY for operators that made infinities or NaN from finite elements; returns the number of
    changed lines."""
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
    """Adds a restriction unless there is one; 1 if it was new."""
    if op in runs:
        return 0
    runs[op] = (use, why)
    return 1


def note_uses(path: Path, folders: Sequence[Path], loose: dict[str, str], again: bool) -> int:
    """Adds restrictions for failed operators to RUNS.tsv; returns the number of new or changed lines."""
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


def lift(path: Path, file: Path) -> int:
    """Removes from RUNS.tsv the restriction to recorded calls of operators whose rule is right by `rulefuzz verify
    --by-op`.

    Restrictions for crashes or failing elements stay: only models can show these.
    """
    runs, lifted = read_table(path), 0
    for line in file.read_text(encoding="ascii").splitlines()[1:]:
        op, _, accepted, refused, _, other_outputs = line.split("\t")
        right = refused == "0" and other_outputs == "0"
        if runs.get(op, ("", ""))[0] == "records" and int(accepted) >= ENOUGH and right:
            del runs[op]
            lifted += 1
    if lifted:
        write_table(path, RUNS_HEADER, runs)
    return lifted

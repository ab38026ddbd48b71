"""RUNS.tsv and VALUES.tsv: how operators that failed in models are used, and what they may give."""

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
LOOSE = "its rule accepted what the framework refuses"
"""Why an operator is used by its records, where `verify` found it."""
ENOUGH = 300  # accepted calls, none refused: the rule accepts wrongly less than 1 % of the time, at 95 %
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


def lift(path: Path, file: Path) -> int:
    """Takes out of RUNS.tsv who is used by its records, whatever for, and whose rule is right by `rulefuzz verify --by-op`.

    Whether it kills the framework, or fails by its elements in models, that does not tell: models will.
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

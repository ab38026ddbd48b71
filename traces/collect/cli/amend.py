"""Corrects the records that made calls fail in models.

    python -m traces.collect.cli.amend FOLDER [--again] CAUSES...
    python -m traces.collect.cli.amend FOLDER [--again] WRONG.jsonl...
    python -m traces.collect.cli.amend FOLDER NONFINITE.tsv...
    python -m traces.collect.cli.amend FOLDER BY-OP.tsv...

CAUSES are folders that traces.collect.cli.causes wrote. A call with a wrong prediction becomes a record. A tuple of
dtypes with which a call failed is dropped, unless it is the operator's own; so are sampled floats with which one
failed. A call that failed by memory layout gets copies of its inputs (`"writes"`). An operator that needs elements
within its classes (docs/explanation/models.md) goes to FOLDER/RUNS.tsv with use `never`. One that kills the
framework goes there with use `records` (recorded calls only), and with use `never` if it does so again. With
--again, operators that failed although their records were amended before get use `records` if the rule is wrong,
else `never`.

WRONG.jsonl is written by `rulefuzz verify --wrong`: wrong predictions, which become records. With --again, an
operator whose rule accepted calls that the framework rejects gets use `records`. BY-OP.tsv is written by `rulefuzz
verify --by-op`: an operator with use `records` is released if its rule accepts 300 calls or more and the framework
accepts them all with the predicted outputs; models (`rulefuzz gen --ops`) then test it. NONFINITE.tsv is written by
`rulefuzz validity --nonfinite` for models whose elements keep to classes (neuri and graph): for operators that made
infinities or NaN from finite elements more than rarely, FOLDER/VALUES.tsv then allows any output. An operator whose inputs were
beyond its classes is not at fault; it becomes `delicate`. Prints the number of each.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from traces.collect.records.files import RecordFiles
from traces.collect.repair.amend import add_answers, add_record, calls, copy_inputs, drop_floats, drop_tuple
from traces.collect.repair.uses import LOOSE, lift, note_nonfinite, note_uses

BY_OP = "op\tinputs\taccepted\trefused"  # the first bytes of that file


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
    by_op = [path for path in tables if path.read_text(encoding="ascii").startswith(BY_OP)]
    tables = [path for path in tables if path not in by_op]
    loose: dict[str, str] = {}
    for path in files:
        added, found = add_answers(records, path)
        counts["records added"] += added
        loose |= dict.fromkeys(found, LOOSE)
    counts["operators used by their rule again"] = sum(lift(Path(argv[0]) / "RUNS.tsv", path) for path in by_op)
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
    saved = records.save()
    print(f"amend: {', '.join(f'{count} {what}' for what, count in counts.items()) or 'nothing'}; {saved} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

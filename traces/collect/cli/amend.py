"""Puts right in the records what made calls fail in models.

    python -m traces.collect.cli.amend FOLDER [--again] CAUSES...
    python -m traces.collect.cli.amend FOLDER [--again] WRONG.jsonl...
    python -m traces.collect.cli.amend FOLDER NONFINITE.tsv...
    python -m traces.collect.cli.amend FOLDER BY-OP.tsv...

CAUSES are folders that traces.collect.cli.causes wrote. A call that the rule had wrong becomes a record; a tuple of dtypes
with which a call failed goes, unless it is the operator's own; so do floats with which one failed, from those seen in
their place. What failed by layout gets copies of its inputs (`"writes"`). An operator whose success depends on elements
beyond its classes (docs/explanation/models.md) goes to FOLDER/RUNS.tsv as one that generators leave out; one that kills the
framework as one that they use by its records only, and if it does so again leave out. With --again, so do those whose
records were amended before and that failed all the same: by their records only where the rule is wrong, else never.
WRONG.jsonl is what `rulefuzz verify --wrong` found: answers that a rule had wrong, which become records; with --again
an operator whose rule accepted calls that the framework rejects uses its records only. BY-OP.tsv is what
`rulefuzz verify --by-op` found: an operator that is used by its records and whose rule now accepts 300 calls or more,
all of which the framework takes and gives the outputs of that were foretold, is used by its rule again; models of those
(`rulefuzz gen --ops`) tell whether it should be. NONFINITE.tsv is what
`rulefuzz validity --nonfinite` wrote of models whose elements keep to classes (neuri and graph): of
operators that made infinities or NaN of finite elements more than rarely, FOLDER/VALUES.tsv says from then on that
outputs may be anything. An operator that was given elements beyond its classes is not to blame: from then on it is
`delicate`, and its classes are kept where any are asked for. Prints how much of each.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from traces.collect.records.files import RecordFiles
from traces.collect.repair.amend import add_answers, add_record, calls, copy_inputs, drop_floats, drop_tuple
from traces.collect.repair.uses import LOOSE, lift, note_nonfinite, note_uses

BY_OP = "op\tinputs\taccepted\trefused"  # how such a file begins


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

"""Retests the dtype tuples of records.

    python -m traces.collect.cli.rows FRAMEWORK [FOLDER] [--drop] [--only GLOB] [--jobs N]

A tuple is kept if some of the operator's passing records without empty tensors run with it. They must return the
recorded shapes under every fill under which the operator's own tuple does. Its output dtypes are the observed ones.
Existing tuples are tried, and those that the collector would try. If an operator's own tuple does not run, the first
that does replaces it; if none does, it stays. In both cases the operator is listed. Prints the numbers of added and
dropped tuples. An operator that VALUES.tsv in the folder restricts to elements other than 0 gets only such.

With --drop nothing is added. A sampled float is dropped if one of many passing records (some with empty tensors) is
rejected with it. Then a tuple is dropped if it does not run with each remaining float, or gives other dtypes with
one.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records import write
from traces.collect.repair import uses
from traces.collect.repair.rows import Within, dropped, renewed, seen_floats, table
from traces.collect.values.variants import Looking


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m traces.collect.cli.rows", description="Tries tuples of dtypes anew.")
    parser.add_argument("framework", choices=registry.NAMES)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--drop", action="store_true", help="only drop floats and tuples that fail in combination")
    parser.add_argument("--only", metavar="GLOB", default="*", help="only APIs whose name matches")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(argv)
    folder = options.folder or Path("traces") / options.framework
    records = {
        path.name.removesuffix(".jsonl"): [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(folder.glob("*.jsonl"))
        if fnmatch.fnmatch(path.stem, options.only)
    }
    framework = registry.load(options.framework)
    looking = None if options.drop else registry.looking(options.framework)  # which not every framework has
    accepted = {op: accepts for op, (accepts, _) in uses.read_table(folder / "VALUES.tsv").items()}

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(framework)
        if options.drop:
            return {"records": [dropped(guarded, record) for record in records[api]]}
        within = cast(Looking, guard(cast(Framework, looking)))
        classes = [accepted.get(record["op"], "") for record in records[api]]
        return {"tables": [table(guarded, record, Within(within, some) if Within.needed(some) else None)
                           for record, some in zip(records[api], classes, strict=True)]}  # fmt: skip

    counts: Counter[str] = Counter()
    scratch = Path("build/traces") / options.framework / "rows"
    fragile, limits = registry.fragile(options.framework), registry.limits(options.framework)
    for api, answer, _ in workers.run(sorted(records), options.jobs, work, scratch, fragile, limits):
        if not answer:
            print(f"{api}: no answer, unchanged")
            continue
        made = answer["records"] if options.drop else [
            renewed(record, rows, print) for record, rows in zip(records[api], answer["tables"], strict=True)
        ]  # fmt: skip
        for record, new in zip(records[api], made, strict=True):
            old, now = ({json.dumps(row) for row in some.get("dtypes", [])} for some in (record, new))
            counts.update({"before": len(old), "gone": len(old - now), "new": len(now - old)})
            counts["floats"] += len(seen_floats(record)) - len(seen_floats(new))
        lines = [json.dumps(new, separators=(",", ":"), ensure_ascii=True) + "\n" for new in made]
        if [json.loads(line) for line in lines] != records[api]:
            counts["files"] += 1
            write.write_file(folder / f"{api}.jsonl", "".join(lines))
    print(f"rows: of {counts['before']} tuples {counts['gone']} dropped, {counts['new']} added; "
          f"{counts['floats']} floats dropped; {counts['files']} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

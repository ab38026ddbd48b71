"""Tries the tuples of dtypes of records anew.

    python -m traces.collect.cli.rows FRAMEWORK [FOLDER] [--drop] [--jobs N]

A tuple stands when some of the operator's passing records, whose tensors hold elements, run with it and return what is
recorded, with every kind of elements with which the operator's own tuple does; the output dtypes are those that come out.
Tried are the tuples that are there and those that the collector would try. An operator whose own tuple does not run takes
the first that does for its own; it is named, and so is one for which none does, which stays as it is. Prints how many came
and went.

With --drop nothing comes: a float that was seen goes when one of many passing records, empty tensors among them, is refused
with it; then a tuple goes when it does not run with each of the floats that are left, or gives other dtypes with one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework, NotTensors, Rejected, Unanswered
from traces.collect.judge.guard import Guarded
from traces.collect.records import operators, write
from traces.collect.records.dtype_table import DTYPE_ENTRIES

RECORDS = 5
"""Records that a tuple is tried with."""
MANY = 12
"""Records, and as many with empty tensors, that a float is tried with."""
FILLS = ("normal", "zeros", "small", "ones")
"""Elements to try; a tuple must run with those with which its operator's own does."""


def full(record: Json) -> list[Json]:
    """Some passing records, evenly spread, whose tensors hold elements; any where there is none."""
    return arglist.spread(arglist.full(record) or record["pass"], RECORDS)


def outputs_of(framework: Framework, record: Json, row: Sequence[str], cases: Sequence[Json],
               fills: Sequence[str]) -> list[str] | None:  # fmt: skip
    """The output dtypes of a tuple; None when it does not run on all of the cases as recorded."""
    call = framework.compile(record["api"], arglist.with_dtypes(record["args"], row))
    found = set()
    try:
        for values, out in cases:
            answer = framework.run(call, tuple(values), fills[0])
            if [dim for dims, _ in answer for dim in dims] != out:
                return None
            found.add(tuple(dtype for _, dtype in answer))
        for fill in fills[1:]:
            framework.run(call, tuple(cases[-1][0]), fill)
    except (Rejected, Unanswered, NotTensors):
        return None
    return list(found.pop()) if len(found) == 1 else None


def table(framework: Framework, record: Json) -> list[Json]:
    """The tuples that stand, sorted; those that are there come before others, where there are too many."""
    own = list(arglist.dtypes(record["args"]))
    wishes = [row[0] for row in record.get("dtypes", [])] + operators.other_tuples(framework, record["api"], record["args"])
    cases = full(record)
    fills = [fill for fill in FILLS if outputs_of(framework, record, own, cases, [fill])] or FILLS[:2]
    rows: list[Json] = []
    for wish in dict.fromkeys(map(tuple, [own, *wishes])):
        if len(rows) < DTYPE_ENTRIES and len(wish) == len(own):
            outs = outputs_of(framework, record, wish, cases, fills)
            rows += [] if outs is None else [[list(wish), outs]]
    return sorted(rows)


def seen_floats(record: Json) -> list[tuple[int, str]]:
    """Each float that was seen in the place of one of the operator's own, behind the number of that place."""
    seen = [leaf["seen"] for leaf in arglist.leaves(record["args"]) if isinstance(leaf, dict) and "seen" in leaf]
    return [(place, text) for place, texts in enumerate(seen) for text in texts]


def with_float(record: Json, place: int, text: str) -> list[Json]:
    """The arguments with another float in one place."""
    texts = list(arglist.floats(record["args"]))
    texts[place] = text
    return arglist.with_floats(record["args"], texts)


def many(record: Json) -> list[Json]:
    """Many passing records, evenly spread; half of them with an empty tensor, where there are such."""
    dims = arglist.dimension_symbols(record["args"])
    empty = [row for row in record["pass"] if any(row[0][dim] == 0 for dim in dims)]
    return [row for rows in (record["pass"], empty) for row in arglist.spread(rows, MANY)]


def refused(framework: Framework, record: Json, args: Sequence[Json], cases: Sequence[Json]) -> bool:
    """Whether one of the cases is refused, or gives other shapes than recorded."""
    call = framework.compile(record["api"], args)
    try:
        for values, out in cases:
            if [dim for dims, _ in framework.run(call, tuple(values), "normal") for dim in dims] != out:
                return True
    except (Rejected, NotTensors):
        return True
    except Unanswered:
        pass
    return False


def dropped(framework: Framework, record: Json) -> Json:
    """The record without the floats, then the tuples, that do not go with everything else."""
    cases = many(record)
    if refused(framework, record, record["args"], cases):
        return record  # on elements: nothing can be told apart
    good = [one for one in seen_floats(record) if not refused(framework, record, with_float(record, *one), cases)]
    places = itertools.count()

    def keep(old: Json) -> Json:
        if not isinstance(old, dict) or "seen" not in old:
            return old
        place = next(places)
        return {**old, "seen": [text for at, text in good if at == place]}

    new = {**record, "args": arglist.map_leaves(record["args"], keep)}
    cases, own, rows = full(new)[:2], list(arglist.dtypes(new["args"])), []
    every = [new["args"], *(with_float(new, *one) for one in seen_floats(new))]
    for row in new.get("dtypes", []):
        outs = [outputs_of(framework, {**new, "args": args}, row[0], cases, FILLS[:1]) for args in every]
        if row[0] == own or all(out == row[1] for out in outs):
            rows.append(row)
    return {**new, "dtypes": rows} if "dtypes" in new else new


def renewed(record: Json, rows: Sequence[Json], say: Callable[[str], None]) -> Json:
    """The record with this table."""
    own = list(arglist.dtypes(record["args"]))
    if not rows:
        say(f"{record['op']}: no tuple of dtypes runs")
        return record
    new = dict(record, dtypes=list(rows))
    if all(row[0] != own for row in rows):
        say(f"{record['op']}: its own tuple does not run: now {', '.join(rows[0][0])}")
        new["args"] = arglist.with_dtypes(record["args"], rows[0][0])
    outs = next((row[1] for row in rows if row[0] == own), rows[0][1])
    new["outputs"] = [{**out, "dtype": dtype} for out, dtype in zip(record["outputs"], outs, strict=True)]
    return new


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m traces.collect.cli.rows", description="Tries tuples of dtypes anew.")
    parser.add_argument("framework", choices=registry.NAMES)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--drop", action="store_true", help="only drop what does not go with everything else")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(argv)
    folder = options.folder or Path("traces") / options.framework
    records = {
        path.name.removesuffix(".jsonl"): [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(folder.glob("*.jsonl"))
    }
    framework = registry.load(options.framework)

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(framework)
        if options.drop:
            return {"records": [dropped(guarded, record) for record in records[api]]}
        return {"tables": [table(guarded, record) for record in records[api]]}

    counts: Counter[str] = Counter()
    scratch = Path("build/traces") / options.framework / "rows"
    for api, answer, _ in workers.run(sorted(records), options.jobs, work, scratch, registry.fragile(options.framework)):
        if not answer:
            print(f"{api}: no answer, left as it is")
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
    print(f"rows: of {counts['before']} tuples {counts['gone']} went, {counts['new']} came; {counts['floats']} floats went; "
          f"{counts['files']} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Tries combinations of dtypes of recorded calls, and writes the framework's answers to DTYPES.tsv:

    python -m traces.collect.dtypes FRAMEWORK [API…]

For each API it takes recorded calls with different arguments, and runs them with equal dtypes, then each accepted call with one
dtype changed. The file has the tables of outcomes, each once, then the situations of each API that refer to them."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.dtypes import letters, situations, trials
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.judge.progress import Progress
from traces.collect.plain import parameters
from traces.collect.plain.__main__ import used
from traces.collect.records import write

TABLE = "DTYPES.tsv"
PART = 16
"""APIs of one worker: starting a worker takes longer than trying an API."""
LIFE = 2000
"""Calls of a process after a call of the part killed the worker."""
CODES = "codes"
"""The first cell of the line with the numbers of dtypes."""
Row = list[str]
"""API, slots, other arguments as JSON, outputs, lines of outcomes."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.dtypes",
        description="Tries combinations of dtypes of recorded calls and writes DTYPES.tsv.",
        epilog="Exit codes: 0 done; 1 an API has no records, or a bad table; 2 usage; 3 the collector failed on some API; "
        "5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("apis", nargs="*", metavar="API", help="APIs to try; the others keep their rows (default: all)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the record files (default: traces/FRAMEWORK)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    return parser


def read(path: Path) -> dict[str, list[Row]]:
    """The rows of a table by API; empty if there is none."""
    tables: list[Row] = []
    found: dict[str, list[Row]] = {}
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else []:
        kind, *cells = line.split("\t")
        if kind == "table":
            tables.append(cells)
        elif kind != CODES:
            found.setdefault(kind, []).append([kind, *cells[:2], *tables[int(cells[2])]])
    return found


def text(rows: Iterable[Row], codes: Mapping[str, str]) -> str:
    """The file of rows: tables by first use, each once. codes: from the numbers of dtypes in attributes to dtypes."""
    numbers: dict[tuple[str, ...], int] = {}
    lines = ["\t".join((*row[:3], str(numbers.setdefault(tuple(row[3:]), len(numbers))))) for row in rows]
    named = [f"{number}={letters.letter(dtype)}" for number, dtype in codes.items() if letters.letter(dtype)]
    head = [f"{CODES}\t{' '.join(named)}"] if named else []
    return "".join(line + "\n" for line in [*head, *("\t".join(("table", *cells)) for cells in numbers), *lines])


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the workers are ended too
    name, folder = options.framework, options.folder or Path("traces") / options.framework
    try:
        framework, tried = registry.load(name), registry.trying(name)
        table = parameters.read(folder / "SIGNATURES.tsv")
    except ImportError as error:
        print(f"traces.collect.dtypes: error: {error}; run traces/backends.sh {name}", file=sys.stderr)
        return 5
    except (OSError, parameters.BadSignature) as error:
        print(f"traces.collect.dtypes: error: {error}", file=sys.stderr)
        return 1
    every = [path.name.removesuffix(".jsonl") for path in sorted(folder.glob("*.jsonl"))]
    unknown = [api for api in options.apis if api not in every]
    if unknown:
        print(f"traces.collect.dtypes: error: no records of {', '.join(unknown)}", file=sys.stderr)
        return 1
    first = frozenset(used(folder))
    apis = options.apis or sorted(every, key=lambda api: (api not in first, api))

    def rows(api: str, guarded: Guarded) -> list[Row]:
        lines = (folder / f"{api}.jsonl").read_text(encoding="ascii").splitlines()
        possible = situations.possible([json.loads(line) for line in lines], table.get(api, ()), tried)
        found = []
        for item in situations.chosen(possible):
            outputs, outcomes = trials.text(trials.Trials(guarded, item, tried.dtypes).run())
            if outcomes:
                others = json.dumps(dict(sorted(item.others.items())), separators=(",", ":"))
                found.append([api, " ".join(item.slots), others, " ".join(outputs), " ".join(outcomes)])
        return found

    parts = {apis[start]: apis[start : start + PART] for start in range(0, len(apis), PART)}

    def work(part: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(framework)
        return {api: rows(api, guarded) for api in parts[part]}

    return _publish(name, folder, list(parts), work, options.jobs)


def _publish(name: str, folder: Path, parts: Sequence[str], work: workers.Work, jobs: int) -> int:
    """Runs the workers and writes the table, also of a run that is stopped."""
    scratch, progress, failed = Path("build/traces") / name / "dtypes", Progress("dtypes"), 0
    found = read(folder / TABLE)
    runs = workers.run(parts, jobs, work, scratch, registry.fragile(name), registry.limits(name), LIFE)
    try:
        for done, (api, answer, _) in enumerate(runs, 1):
            progress.show(done, len(parts))
            if answer is None:
                failed += 1
                print(f"traces.collect.dtypes: error: {api} failed: see {scratch / (api + '.log')}", file=sys.stderr)
            else:
                found.update(answer)
                rows = [row for api in sorted(found) for row in found[api]]
                write.write_file(folder / TABLE, text(rows, registry.trying(name).codes))
    finally:
        progress.end()
        print(f"dtypes: {sum(map(len, found.values()))} situations of {sum(map(bool, found.values()))} APIs")
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

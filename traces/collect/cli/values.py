"""Learns the classes of element values that each operator accepts and returns, by running its recorded calls.

    python -m traces.collect.cli.values FRAMEWORK [--traces DIR] [--only GLOB] [--jobs N]

writes DIR/VALUES.tsv (docs/explanation/models.md): for each operator the widest class per input for which the call
neither raises nor returns NaN or infinities, and the class of its outputs for inputs of each class.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.judge.progress import Progress
from traces.collect.records import write
from traces.collect.values.learn import work_on
from traces.collect.values.variants import Looking

SECONDS = 1.0
"""CPU seconds per call; all tensors are small."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.cli.values",
        description="Learns which classes of element values operators take and give.",
        epilog="Exit codes: 0 done; 2 usage; 3 some API failed; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to run")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the table (default: DIR/VALUES.tsv)")
    parser.add_argument("--only", metavar="GLOB", help="only APIs whose name matches; other rows of the table stay")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    return parser


def publish(path: Path, found: dict[str, list[Json]], *, whole: bool) -> None:
    """Writes the table. A partial run keeps rows of other APIs."""
    new = [row[:3] for rows_ in found.values() for row in rows_]
    if not whole and path.exists():
        old = [line.split("\t") for line in path.read_text(encoding="ascii").splitlines()[1:]]
        new += [row for row in old if row[0].rpartition("-")[0] not in found]
    write.write_file(path, write.table(("op", "accepts", "gives"), new))


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the workers are ended too
    folder = options.traces or Path("traces") / options.framework
    try:
        framework = registry.looking(options.framework)
    except ImportError as error:
        print(f"traces.collect.cli.values: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    paths = {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
    names = [api for api in paths if not options.only or fnmatch.fnmatch(api, options.only)]

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(cast(Framework, framework))  # which passes on any result of `run`
        answer = work_on(cast(Looking, guarded), paths[api])
        return {**answer, "deaths": guarded.noted()}

    notes, failed, findings = Counter[str](), [], []
    found: dict[str, list[Json]] = {}
    scratch, progress = Path("build/traces") / options.framework / "values", Progress("values")
    limits = replace(registry.limits(options.framework), cpu=SECONDS)
    runs = workers.run(names, options.jobs, work, scratch, registry.fragile(options.framework), limits)
    for done, (api, answer, deaths) in enumerate(runs, 1):
        findings += [(api, how, call.replace("\t", " ")) for how, call in (answer or {}).get("deaths") or deaths]
        if answer is None:
            failed.append(api)
            print(f"traces.collect.cli.values: error: {api} failed: see {scratch / (api + '.log')}", file=sys.stderr)
        else:
            found[api] = answer.get("rows", [])
            notes.update(answer.get("notes", {"given up": 1}))
        progress.show(done, len(names))
    progress.end()
    write.write_file(scratch.parent / "values-findings.tsv", write.table(("api", "what", "call"), findings))
    publish(options.out or folder / "VALUES.tsv", found, whole=not options.only)
    print(", ".join(f"{count} {note}" for note, count in sorted(notes.items())))
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Adds records of plain calls to the record files of a framework:

    python -m traces.collect.plain FRAMEWORK [API…]

For each API it makes calls from the API's signature (SIGNATURES.tsv) and its recorded calls: each rank, each axis, each flag,
lists of each length, the fewest arguments first. Accepted calls whose arguments no recorded signature has become signatures.
Existing records do not change. The added signatures are numbered after the existing ones.

With --kinds it writes KINDS.tsv instead: the kinds of calls that the framework always rejects. With --numbers it writes
NUMBERS.tsv: the numbers that it accepts as arguments.

With --calls it makes no calls of its own, but takes those of a file, `torch.add(f32[2,3], f32[3])` on each line; several with
the same arguments but other sizes become one signature.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from traces.collect.call import written
from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.judge.progress import Progress
from traces.collect.plain import collect, kinds, numbers, parameters
from traces.collect.plain.choices import Known
from traces.collect.records import write

MOST = 12
"""New signatures of an API: each adds to the compiled rules."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.plain",
        description="Adds records of plain calls: each rank, axis and flag, the fewest arguments first.",
        epilog="Exit codes: 0 done; 1 an API has no records, or a bad table; 2 usage; 3 the collector failed on some API; "
        "5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("apis", nargs="*", metavar="API", help="APIs to extend (default: WEIGHTS.tsv; of --numbers: all)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the record files (default: traces/FRAMEWORK)")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="new signatures per API (default: %(default)s)")
    parser.add_argument("--kinds", action="store_true", help="write KINDS.tsv instead: kinds of calls that are always rejected")
    parser.add_argument("--numbers", action="store_true", help="write NUMBERS.tsv instead: numbers that arguments may be")
    parser.add_argument("--calls", type=Path, metavar="FILE", help="add records of these calls, one a line")
    parser.add_argument("--trials", type=int, metavar="N", help="mutants per signature (default: as in make traces)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    return parser


def recorded(folder: Path) -> dict[str, list[Json]]:
    """The records of each API, without their rows."""
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        lines = map(json.loads, path.read_text(encoding="ascii").splitlines())
        found[path.name.removesuffix(".jsonl")] = [{"op": line["op"], "args": line["args"]} for line in lines]
    return found


def used(folder: Path) -> list[str]:
    """The APIs that real models call."""
    path = folder / "WEIGHTS.tsv"
    rows = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
    return list(dict.fromkeys(row.partition("\t")[0] for row in rows))


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the workers are ended too
    name, folder = options.framework, options.folder or Path("traces") / options.framework
    try:
        framework = registry.load(name)
        records, table = recorded(folder), parameters.read(folder / "SIGNATURES.tsv")
    except ImportError as error:
        print(f"traces.collect.plain: error: {error}; run traces/backends.sh {name}", file=sys.stderr)
        return 5
    except (OSError, parameters.BadSignature) as error:
        print(f"traces.collect.plain: error: {error}", file=sys.stderr)
        return 1
    given: dict[str, list[written.Question]] = defaultdict(list)
    for asked in written.questions(options.calls) if options.calls else []:
        given[asked.api].append(asked)
    apis = options.apis or list(given) or (numbers.with_numbers(table) if options.numbers else used(folder))
    unknown = [api for api in apis if api not in records or api not in table]
    if unknown and options.apis:
        print(f"traces.collect.plain: error: no records or no signature of {', '.join(unknown)}", file=sys.stderr)
        return 1
    apis = [api for api in apis if api not in unknown]
    everywhere, settings = Known(), registry.settings(name, options.seed, options.trials)
    for lines in records.values():
        for record in lines:
            everywhere.add(record["args"])

    if options.kinds:

        def ask(api: str, guard: Callable[[Framework], Guarded]) -> Json:
            return {"lines": kinds.rows(guard(framework), api, table[api], records[api], everywhere)}

        return _publish_table(folder / "KINDS.tsv", kinds.HEADER, name, framework, apis, ask, options.jobs)

    if options.numbers:

        def probe(api: str, guard: Callable[[Framework], Guarded]) -> Json:
            return {"lines": numbers.rows(guard(framework), api, table[api], numbers.read(folder / f"{api}.jsonl"))}

        return _publish_table(folder / "NUMBERS.tsv", numbers.HEADER, name, framework, apis, probe, options.jobs)

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(framework)
        if options.calls:
            calls = [call for asked in given[api] for call in collect.named(asked, table[api])]
        else:
            calls = collect.chosen(guarded, api, table[api], records[api], everywhere, options.most)
        return {"lines": collect.lines(guarded, api, calls, records[api], settings, guarded.hangs, options.most)}

    return _publish(name, framework, folder, apis, work, options.jobs)


def _publish(name: str, framework: Framework, folder: Path, apis: Sequence[str], work: workers.Work, jobs: int) -> int:
    """Runs the workers and appends their lines, also of a run that is stopped."""
    scratch, progress, failed = Path("build/traces") / name / "plain", Progress("plain"), 0
    files: list[Path] = []
    runs = workers.run(apis, jobs, work, scratch, registry.fragile(name), registry.limits(name))
    try:
        for done, (api, answer, _) in enumerate(runs, 1):
            progress.show(done, len(apis))
            if answer is None:
                failed += 1
                print(f"traces.collect.plain: error: {api} failed: see {scratch / (api + '.log')}", file=sys.stderr)
            elif answer.get("lines"):
                files.append(scratch / f"{api}.jsonl")
                write.write_file(files[-1], "".join(line + "\n" for line in answer["lines"]))
    finally:
        progress.end()
        registry.finish(name, framework, files, jobs)
        count = sum(_append(path, folder / path.name) for path in files)
        print(f"plain: {count} new signatures of {len(files)} APIs; {len(apis)} APIs tried")
    return 3 if failed else 0


def _publish_table(path: Path, header: str, name: str, framework: Framework, apis: Sequence[str], ask: workers.Work,
                   jobs: int) -> int:  # fmt: skip
    """Runs the workers and replaces the table's rows of these APIs, also of a run that is stopped."""
    progress, failed = Progress("plain"), 0
    found: dict[str, list[str]] = {}
    runs = workers.run(apis, jobs, ask, Path("build/traces") / name / "plain", registry.fragile(name), registry.limits(name))
    try:
        for done, (api, answer, _) in enumerate(runs, 1):
            progress.show(done, len(apis))
            failed += answer is None
            if answer is not None:
                found[api] = answer.get("lines", [])
    finally:
        progress.end()
        registry.finish(name, framework, [], jobs)
        old = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
        kept = [line for line in old if line.partition("\t")[0] not in found]
        rows = sorted([*kept, *(line for lines in found.values() for line in lines)])
        write.write_file(path, "".join(line + "\n" for line in [header, *rows]))
        print(f"plain: {len(rows)} rows; {len(found)} APIs asked")
    return 3 if failed else 0


def _append(new: Path, path: Path) -> int:
    """Moves the lines of a new file to the end of a record file; returns their number."""
    lines = new.read_text(encoding="ascii")
    write.write_file(path, path.read_text(encoding="ascii") + lines)
    new.unlink()
    return lines.count("\n")


if __name__ == "__main__":
    sys.exit(main())

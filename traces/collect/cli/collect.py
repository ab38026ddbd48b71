"""python -m traces.collect: collects operator records from an installed framework."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulefuzz import sandbox, table
from traces.collect import cache
from traces.collect.call.spec import Json
from traces.collect.cli import work
from traces.collect.cli.publish import publish
from traces.collect.cli.state import State
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.progress import Progress
from traces.collect.records import write
from traces.collect.records.operators import nothing
from traces.collect.records.settings import Settings

EPILOG = """\
Every run with the same framework version and seed writes the same bytes. A stopped run continues where it ended:
finished APIs are kept under build/traces/ until the collector's sources, the seed or the budgets change.

Exit codes: 0 done; 2 usage; 3 the collector failed on some API; 4 stopped before the end; 5 framework not installed.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect",
        description="Runs a framework's operators and writes what they accepted, returned and rejected.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to collect from")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the record files (default: traces/FRAMEWORK)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    parser.add_argument("--only", metavar="GLOB", help="only APIs whose name matches; tables stay unchanged")
    parser.add_argument("--missing", action="store_true", help="only APIs that have no record file; keeps existing ones")
    parser.add_argument("--trials", type=int, metavar="N", help="mutants per operator (default: 500; tensorflow 200)")
    parser.add_argument("--companions", type=int, default=0, metavar="N",
                        help="joint moves of several symbols, if few inputs are accepted (default: none)")  # fmt: skip
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop after this time; run again to continue")
    parser.add_argument("--fresh", action="store_true", help="discard the results of earlier runs")
    return parser


def calls_key(framework: str) -> str:
    """The cache key of the symbolized calls of all sources."""
    seed = os.environ.get("PYTHONHASHSEED")
    return cache.key([registry.module(framework, "source")], table.frameworks()[framework], seed)


def _plan(build: Path, framework: str) -> dict[str, Json]:
    """The symbolized calls of all sources, from build/ if cached."""
    path = build / "calls.json"
    key = calls_key(framework)
    if path.exists():
        stored = json.loads(path.read_text())
        if stored["key"] == key:
            return dict(stored["apis"])
    progress = Progress("calls")

    def work() -> None:
        calls = registry.source(framework)(progress.show)
        write.write_file(path, json.dumps({"key": key, "apis": calls}))

    child = sandbox.fork(work)  # the sources load modules that the workers do not need
    _, status = os.waitpid(child, 0)
    progress.end()
    if status != 0:
        raise SystemExit(3)
    return dict(json.loads(path.read_text())["apis"])


def records_key(framework: str, settings: Settings) -> str:
    """The cache key of finished APIs."""
    return cache.key([registry.module(framework, "adapter"), work.__name__], table.frameworks()[framework], settings)


@dataclass
class Collection:
    """A run: its options, and the finished part."""

    options: argparse.Namespace
    build: Path
    framework: Framework
    plan: dict[str, Json]
    names: list[str]
    state: State
    settings: Settings
    failed: list[str] = field(default_factory=list)

    def run(self) -> bool:
        """Collects all unfinished APIs; False if time ran out first."""
        options, start, progress = self.options, time.monotonic(), Progress("records")
        left = [api for api in self.names if self.plan[api]["calls"] and self.state.get(api) is None]
        left.sort(key=lambda api: (".Tensor." in api, api))  # functions first, in case the run is cut short
        do, scratch = work.work_of(self.framework, self.settings, self.plan), self.build / "work"
        fragile, limits = registry.fragile(options.framework), registry.limits(options.framework)
        try:
            for done, ended in enumerate(workers.run(left, options.jobs, do, scratch, fragile, limits), 1):
                self._finish(*ended)
                progress.show(done, len(left))
                if options.time and time.monotonic() - start > options.time:
                    return done == len(left)
        finally:
            progress.end()
        return True

    def _finish(self, api: str, answer: Json | None, deaths: list[list[str]]) -> None:
        if answer is None:
            self.failed.append(api)
            print(f"traces.collect: error: {api} failed: see {self.build / 'work' / (api + '.log')}", file=sys.stderr)
            return
        if answer is workers.GIVEN_UP:
            answer = nothing("given up: its calls kill the worker", len(deaths))
        self.state.put(api, {**answer, "deaths": answer.get("deaths") or deaths})


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the workers are ended too
    name, out = options.framework, options.out or Path("traces") / options.framework
    build = Path("build/traces") / name
    build.mkdir(parents=True, exist_ok=True)
    try:
        framework = registry.load(name)
    except ImportError as error:
        print(f"traces.collect: error: {error}; run traces/backends.sh {name}", file=sys.stderr)
        return 5
    settings = registry.settings(name, options.seed, options.trials)
    settings = replace(settings, budget=replace(settings.budget, companions=options.companions))
    plan = _plan(build, name)
    names = [api for api in sorted(plan) if not options.only or fnmatch.fnmatch(api, options.only)]
    if options.missing:
        names = [api for api in names if not (out / f"{api}.jsonl").exists()]
    state = State(build / "done", records_key(name, settings), plan)
    if options.fresh:
        state.forget()
    collection = Collection(options, build, framework, plan, names, state, settings)
    finished = collection.run()
    whole = finished and not options.only and not options.missing
    written = publish(out, names, state, plan, whole=whole, tables=whole or options.missing)
    if finished or options.missing:
        registry.finish(name, framework, written, options.jobs)
    return 3 if collection.failed else 0 if finished else 4

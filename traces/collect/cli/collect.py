"""python -m traces.collect: collects operator records from an installed framework."""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Container, Sequence
from pathlib import Path

from rulefuzz import sandbox
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks import registry
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.records import write
from traces.collect.records.operators import collect_api, nothing

EPILOG = """\
Every run with the same framework version and seed writes the same bytes. A run that was stopped goes on where it was:
finished APIs are kept under build/traces/ until the collector's sources, the seed or the budgets change.

Exit codes: 0 done; 2 usage; 3 the collector failed on some API; 4 stopped before the end; 5 framework not installed.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect",
        description="Runs a framework's operators and writes what they accepted, returned and refused.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to collect from")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the record files go (default: traces/FRAMEWORK)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    parser.add_argument("--only", metavar="GLOB", help="only APIs whose name matches; leaves the tables alone")
    parser.add_argument("--missing", action="store_true", help="only APIs that have no record file; keeps what is there")
    parser.add_argument("--trials", type=int, metavar="N", help="mutants per operator (default: 500; tensorflow 200)")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop after this time; run again to go on")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs finished")
    return parser


class Progress:
    """One line on a terminal: stage, i/N, rate, time left. Silent elsewhere."""

    def __init__(self, stage: str) -> None:
        self._stage, self._start, self._live = stage, time.monotonic(), sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Redraws the line."""
        if self._live:
            rate = done / max(time.monotonic() - self._start, 1e-6)
            left = (total - done) / rate if rate else 0.0
            sys.stderr.write(f"\r\033[K{self._stage} {done}/{total}  {rate:.1f}/s  {left:.0f} s left")
            sys.stderr.flush()

    def end(self) -> None:
        """Clears the line."""
        if self._live:
            sys.stderr.write("\r\033[K")


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _sources(*patterns: str) -> dict[str, str]:
    here = Path(__file__).parents[1]
    return {str(p.relative_to(here)): hashlib.sha256(p.read_bytes()).hexdigest() for pattern in patterns for p in here.glob(pattern)}


def _plan(version: str, build: Path, framework: str) -> dict[str, Json]:
    """The symbolised calls of all sources, from build/ if they are there."""
    path = build / "calls.json"
    key = _digest(version, _sources(f"frameworks/{framework}/*.py", "call/symbolise.py", "__main__.py"))
    if path.exists():
        stored = json.loads(path.read_text())
        if stored["key"] == key:
            return dict(stored["apis"])
    progress = Progress("calls")

    def work() -> None:
        calls = registry.source(framework)(progress.show)
        write.write_file(path, json.dumps({"key": key, "apis": calls}))

    child = sandbox.fork(work)  # the sources load much that the workers should not carry
    _, status = os.waitpid(child, 0)
    progress.end()
    if status != 0:
        raise SystemExit(3)
    return dict(json.loads(path.read_text())["apis"])


def _calls(api: str, entry: Json) -> list[Call]:
    return [Call(api, args, tuple(values), source, failing) for args, values, source, failing in entry["calls"]]


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # an exit, so that the workers are ended too
    out = options.out or Path("traces") / options.framework
    build = Path("build/traces") / options.framework
    build.mkdir(parents=True, exist_ok=True)
    try:
        framework = registry.load(options.framework)
        fragile = registry.fragile(options.framework)
    except ImportError as error:
        print(f"traces.collect: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    start = time.monotonic()
    settings = registry.settings(options.framework, options.seed, options.trials)
    plan = _plan(framework.version, build, options.framework)
    names = [api for api in sorted(plan) if not options.only or fnmatch.fnmatch(api, options.only)]
    if options.missing:
        names = [api for api in names if not (out / f"{api}.jsonl").exists()]
    state = State(build / "done", _digest(framework.version, settings, _sources("**/*.py")), plan)
    if options.fresh:
        state.forget()

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        entry = plan[api]
        guarded = guard(framework)
        own = settings.limited(entry.get("limits", {}))
        answer = collect_api(guarded, api, _calls(api, entry), entry["dtypes"], own, guarded.hangs)
        return {**answer, "deaths": guarded.noted()}

    left = [api for api in names if plan[api]["calls"] and state.get(api) is None]
    left.sort(key=lambda api: (".Tensor." in api, api))  # functions first: a run that is cut short has those
    progress, failed, finished = Progress("records"), [], True
    for done, (api, answer, deaths) in enumerate(workers.run(left, options.jobs, work, build / "work", fragile), 1):
        if answer is None:
            failed.append(api)
            print(f"traces.collect: error: {api} failed: see {build / 'work' / (api + '.log')}", file=sys.stderr)
        else:
            if answer is workers.GIVEN_UP:
                answer = nothing("given up: its calls kill the worker", len(deaths))
            state.put(api, {**answer, "deaths": answer.get("deaths") or deaths})
        progress.show(done, len(left))
        if options.time and time.monotonic() - start > options.time:
            finished = done == len(left)
            break
    progress.end()
    whole = finished and not options.only and not options.missing
    written = _publish(out, names, state, plan, whole=whole, tables=whole or options.missing)
    if (finished or options.missing) and options.framework == "torch":
        from traces.collect.frameworks.torch import delicate  # imports torch

        delicate.judge_files(written, options.jobs)
    if (finished or options.missing) and options.framework == "tensorflow":
        from traces.collect.frameworks.tensorflow import writes as tensorflow_writes  # imports TensorFlow

        tensorflow_writes.judge_files(written, framework)
    return 3 if failed else 0 if finished else 4


class State:
    """Finished APIs, one file each, valid for one configuration."""

    def __init__(self, folder: Path, key: str, plan: dict[str, Json]) -> None:
        self._folder, self._key, self._plan = folder, key, plan

    def _path(self, api: str) -> Path:
        return self._folder / f"{api}.json"

    def get(self, api: str) -> Json | None:
        """The finished answer, or None."""
        try:
            stored = json.loads(self._path(api).read_text())
        except (OSError, ValueError):
            return None
        return stored["answer"] if stored["key"] == _digest(self._key, self._plan[api]) else None

    def put(self, api: str, answer: Json) -> None:
        """Keeps an answer."""
        write.write_file(self._path(api), json.dumps({"key": _digest(self._key, self._plan[api]), "answer": answer}))

    def forget(self) -> None:
        """Removes all answers."""
        for path in self._folder.glob("*.json"):
            path.unlink()


def _publish(out: Path, names: Sequence[str], state: State, plan: dict[str, Json], *, whole: bool,
             tables: bool) -> list[Path]:  # fmt: skip
    """Writes the record files and the tables; returns the files. A whole collection removes those of APIs that are
    gone, another one keeps the tables' rows of other APIs."""
    dropped: list[Sequence[object]] = []
    findings: list[Sequence[object]] = []
    totals = {"apis": 0, "operators": 0, "pass": 0, "fail": 0, "found": 0, "tried": 0}
    written = set()
    answered = {api for api in names if not plan[api]["calls"] or state.get(api) is not None}
    for api in sorted(answered):
        for signature, reason, count in plan[api]["dropped"]:
            dropped.append((api, reason, count, signature))
        findings += [(api, how, call.replace("\t", " ")) for how, call in plan[api].get("deaths", ())]
        answer = state.get(api) if plan[api]["calls"] else None
        if answer is None:
            continue
        dropped += _dropped_rows(api, answer["dropped"])
        findings += [(api, how, call.replace("\t", " ")) for how, call in answer["deaths"]]
        findings += [(api, message, f"{signature} {values}") for signature, values, message in answer["assertions"]]
        if answer["lines"]:
            write.write_file(out / f"{api}.jsonl", "".join(line + "\n" for line in answer["lines"]))
            written.add(f"{api}.jsonl")
            totals["apis"] += 1
            for key in answer["counts"]:
                totals[key] += answer["counts"][key]
    if whole:
        for path in sorted(out.glob("*.jsonl")):
            if path.name not in written:
                path.unlink()
    if tables:
        _write_table(out / "DROPPED.tsv", ("api", "reason", "calls", "first signature"), dropped, answered, whole)
        _write_table(out / "FINDINGS.tsv", ("api", "what", "call"), findings, answered, whole)
    size = sum(path.stat().st_size for path in out.glob("*")) / 1e6 if out.exists() else 0.0
    print(
        f"{totals['apis']} APIs, {totals['operators']} operators (of {totals['found']} found), "
        f"{totals['pass']} passing and {totals['fail']} failing records, "
        f"{totals['tried']} inputs tried, {size:.1f} MB in {out}"
    )
    return [out / name for name in sorted(written)]


def _write_table(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]], answered: Container[str],
                 whole: bool) -> None:  # fmt: skip
    """The rows and, unless all is new, those that are there of APIs that were not answered now."""
    text = write.table(header, rows)
    if not whole and path.exists():
        kept = [line for line in path.read_text(encoding="ascii").splitlines()[1:] if line.split("\t")[0] not in answered]
        first, *new = text.splitlines()
        text = "".join(line + "\n" for line in [first, *sorted([*kept, *new], key=lambda line: line.split("\t"))])
    write.write_file(path, text)


def _dropped_rows(api: str, dropped: Sequence[Json]) -> list[tuple[object, ...]]:
    """One row per reason: how many calls, and the first signature."""
    rows: dict[str, tuple[int, str]] = {}
    for signature, reason, count in dropped:
        calls, first = rows.get(reason, (0, signature))
        rows[reason] = (calls + count, first)
    return [(api, reason, calls, first[:160]) for reason, (calls, first) in rows.items()]

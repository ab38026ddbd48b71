"""Reads a zoo's files twice: once for the patterns in them, and once, with a run, for a recording of each pattern."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from traces.collect.zoo import passes, select, store
from traces.collect.zoo.calls import Calls, Names, read, run
from traces.collect.zoo.patterns import Graph, unversioned, versions
from traces.collect.zoo.windows import Json, Unfit, Window

TRIES = 3
"""Files in which a pattern is looked for until one can be written."""
Place = tuple[str, tuple[int, ...]]
"""A pattern, and its calls in order."""


@dataclass
class Zoo:
    """The patterns of all files."""

    known: set[str]
    """The APIs with rules."""
    found: dict[str, select.Found] = field(default_factory=dict)
    places: dict[str, list[tuple[Path, tuple[int, ...]]]] = field(default_factory=dict)
    """The places of a pattern, in at most TRIES files of different settings."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Calls without rules."""
    changed: Counter[str] = field(default_factory=Counter)
    """Files that each pass changes."""
    files: int = 0
    windows: int = 0

    def add(self, file: store.Stored, calls: Calls, names: Names) -> None:
        """The patterns of a file."""
        graph = graph_of(calls, names, self.known, self.dropped)
        self.files += 1
        here = set[tuple[int, ...]]()
        for window in graph.windows():
            if window in here or not graph.is_closed(window):
                continue
            here.add(window)
            self.windows += 1
            order = graph.ordered(window)
            pattern = graph.pattern(order)
            self.found.setdefault(pattern, select.Found(pattern)).models.add(file.model.split("-")[0])
            places = self.places.setdefault(pattern, [])
            if len(places) < TRIES and all(path != file.path for path, _ in places):
                places.append((file.path, tuple(order)))


def graph_of(calls: Calls, names: Names, known: Container[str], dropped: Counter[str]) -> Graph:
    """The calls of a file as a graph; those without a rule are counted."""
    apis: list[str | None] = []
    for node in calls.nodes:
        api = None if node.domain else names.api(node.op_type, calls.opset)
        if api not in known:
            dropped[f"{node.domain or 'onnx'}.{node.op_type}_{calls.opset}" if api is None else api] += 1
        apis.append(api if api in known else None)
    return Graph(calls.nodes, apis, calls.constants | calls.shaped)


def written(calls: Calls, names: Names, order: tuple[int, ...]) -> Json:
    """A recording. Raises Unfit."""
    return Window(calls, names, [calls.nodes[i] for i in order]).line()


def _ran(path: Path) -> Calls | None:
    try:
        model, fed = store.Stored(path).load()
        calls = read(model)
        run(calls, fed)
        return calls
    except Exception:
        return None


def _probe(job: tuple[Path, list[Place]]) -> tuple[Path, dict[str, Any], list[tuple[str, frozenset[str] | None]]]:
    """The passes that change a file, and those that change each pattern in it, None if it cannot be written."""
    path, places = job
    calls, names = _ran(path), Names()
    answers: list[tuple[str, frozenset[str] | None]] = []
    for pattern, order in places:
        try:
            if calls is None:
                raise Unfit("file")
            written(calls, names, order)
            answers.append((pattern, frozenset(passes.fired(calls, [calls.nodes[i] for i in order]))))
        except Exception:
            answers.append((pattern, None))
    return path, passes.of_file(store.Stored(path).load()[0]), answers


def candidates(found: Iterable[str]) -> set[str]:
    """The newest and the oldest of patterns that differ only in versions: those with the fewest and the most versions."""
    alike: dict[str, list[str]] = {}
    for pattern in sorted(found):
        alike.setdefault(unversioned(pattern), []).append(pattern)
    ends = ((min(some, key=versions), max(some, key=versions)) for some in alike.values())
    return {pattern for both in ends for pattern in both}


def _jobs(zoo: Zoo, round_: int, left: set[str]) -> list[tuple[Path, list[Place]]]:
    jobs: dict[Path, list[Place]] = {}
    for pattern in sorted(left):
        if round_ < len(zoo.places[pattern]):
            path, order = zoo.places[pattern][round_]
            jobs.setdefault(path, []).append((pattern, order))
    return sorted(jobs.items())


def probe(zoo: Zoo, processes: int) -> dict[str, Path]:
    """Finds the passes of each pattern; gives the file of its recording. Patterns that cannot be written are omitted."""
    chosen: dict[str, Path] = {}
    wanted = {f.pattern for f in select.shortlist(zoo.found[p] for p in candidates(zoo.places))}
    for round_ in range(TRIES):
        jobs = _jobs(zoo, round_, wanted - chosen.keys())
        with Pool(processes, maxtasksperchild=50) as pool:
            for n, (path, changed, answers) in enumerate(pool.imap(_probe, jobs)):
                if n % 100 == 0:
                    print(f"round {round_ + 1}: {n} of {len(jobs)} files", file=sys.stderr)
                if not round_:
                    zoo.changed.update({name: int(did) for name, did in changed.items()})
                for pattern, fired in answers:
                    if fired is not None:
                        chosen[pattern], zoo.found[pattern].fired = path, fired
    return chosen


def record(zoo: Zoo, chosen: dict[str, Path], kept: list[select.Found]) -> Iterator[Json]:
    """A recording of each pattern, with `count` and the passes that change it, in the order of `kept`."""
    lines: dict[str, Json] = {}
    wanted: dict[Path, list[str]] = {}
    for f in kept:
        wanted.setdefault(chosen[f.pattern], []).append(f.pattern)
    names = Names()
    for path, patterns in wanted.items():
        calls = _ran(path)
        assert calls is not None
        for pattern in patterns:
            order = next(order for place, order in zoo.places[pattern] if place == path)
            lines[pattern] = written(calls, names, order)
    for f in kept:
        yield {"count": len(f.models), **({"passes": sorted(f.fired)} if f.fired else {}), **lines[f.pattern]}

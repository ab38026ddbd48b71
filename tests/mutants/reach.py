"""Which tests cover a line, from the counters that `make coverage` keeps (tests/coverage/profiles.py).

BUILD/coverage/profiles/TEST.lines.json   {"synth/rule/expr.c": [[first, last], …]}: covered lines of TEST"""

from __future__ import annotations

import itertools
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.coverage.profiles import Test, tests_of
from tests.coverage.table import compiled_again

PROGRAMS = ("rulefuzz", "rulesmith")


def lines_of(file: dict[str, Any]) -> list[list[int]]:
    """The covered spans of lines of a file of `llvm-cov export`: a segment ends where the next one begins."""
    spans: list[list[int]] = []
    for here, after in itertools.pairwise(file["segments"]):
        line, _, count, counted, *_ = here
        if counted and count:
            if spans and line <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], after[0])
            else:
                spans.append([line, after[0]])
    return spans


def _export(build: Path, profile: Path) -> dict[str, list[list[int]]]:
    others = [*(build / p for p in PROGRAMS[1:]), *compiled_again(build)]
    objects = [str(build / PROGRAMS[0]), *(x for p in others for x in ("--object", str(p)))]
    command = ["llvm-cov", "export", "--skip-functions", f"--instr-profile={profile}", *objects]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    root = Path.cwd()
    found = {}
    for file in told["data"][0]["files"]:
        path = Path(file["filename"])
        spans = lines_of(file)
        if spans and path.suffix == ".c":
            found[str(path.relative_to(root) if path.is_absolute() else path)] = spans
    return found


@dataclass
class Reach:
    """The covered lines of each test, and its duration."""

    tests: list[Test]
    lines: dict[str, dict[str, list[list[int]]]]
    seconds: dict[str, float]

    def of(self, path: str, line: int) -> list[tuple[Test, float]]:
        """The tests that cover the line, each with its seconds under counters."""
        reaching = [t for t in self.tests if any(a <= line <= b for a, b in self.lines[t.name].get(path, []))]
        return [(t, self.seconds[t.name]) for t in reaching]


def read(build: Path) -> Reach:
    """The coverage of BUILD's tests; read from .lines.json if that is newer than the counters."""
    found = Reach([], {}, {})
    for test in tests_of(build):
        profile = build / "profiles" / f"{test.key}.profdata"
        told = profile.with_suffix(".json")
        if not profile.exists() or not told.exists():
            continue
        kept = profile.with_suffix(".lines.json")
        if not kept.exists() or kept.stat().st_mtime < profile.stat().st_mtime:
            fresh = kept.with_suffix(".new")
            fresh.write_text(json.dumps(_export(build, profile)))
            fresh.rename(kept)
        found.tests.append(test)
        found.lines[test.name] = json.loads(kept.read_text())
        found.seconds[test.name] = json.loads(told.read_text())["seconds"]
    return found

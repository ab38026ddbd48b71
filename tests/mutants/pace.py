"""How long each test takes on unchanged code, whether it passes then, and the order in which tests run on a mutant.

BUILD/mutants/pace.json   {"unit/synth/rule/test_expr": {"at": 1764000000.0, "passes": true, "seconds": 0.3, "clean":
true}}

A test is timed before its first use, in a copy of the tree that is never changed, and again if it or its programs
are newer. Tests are ordered by their expected kills per second; a test of the changed file's own folder is assumed
to kill three times as often as it did elsewhere."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.coverage.profiles import Test, newest
from tests.mutants.work import SANITIZED, Flags, Slot

NEAR = 3  # how much more often a test of the same folder kills
COUNTED = 0.5  # assumed share of the time under counters, until it is timed
LONGEST = 120.0  # CPU seconds above which a test is never used


def near(test: Test, path: str) -> bool:
    """True if the test is in the folder below tests/ that mirrors the file's."""
    return str(Path(test.name).parent).partition("/")[2] == str(Path(path).parent)


class Pace:
    """Times, shared by the threads."""

    def __init__(self, build: Path, longest: float, most: float) -> None:
        self._build = build
        self._longest = longest
        self._most = most
        self._file = build / "mutants" / "pace.json"
        self._known: dict[str, dict[str, Any]] = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._lock = threading.Lock()
        self._plain: Slot | None = None

    def _known_of(self, test: Test) -> dict[str, Any]:
        """The stored entry of the current version of the test."""
        own = Test(test.name, test.command if test.command[0] == "sh" else (str(self._build / "tests" / test.program),))
        at, known = newest(self._build, own), self._known.get(test.name)
        return known if known and known["at"] >= at else {"at": at}

    def _look(self, test: Test, what: str, how: Flags) -> dict[str, Any]:
        """The entry; runs the test if it lacks "passes" or, with sanitizers, "clean"."""
        with self._lock:
            known = self._known_of(test)
            if what not in known:
                self._plain = self._plain or Slot(self._build, "plain")
                ran = self._plain.unchanged(test, LONGEST, how)
                known = known | {what: ran.passed} | ({} if how else {"seconds": round(ran.seconds, 2)})
                self._known[test.name] = known
                fresh = self._file.with_suffix(".new")
                fresh.write_text(json.dumps(self._known, indent=0, sort_keys=True))
                fresh.rename(self._file)
            return known

    def clean(self, test: Test) -> bool:
        """True if the test passes with sanitizers."""
        return bool(self._look(test, "clean", SANITIZED)["clean"])

    def order(
        self, path: str, tests: list[tuple[Test, float]], killed: Counter[str], tried: Counter[str], left: list[str]
    ) -> Iterator[tuple[Test, float]]:
        """Selects and orders tests, given with their seconds under counters; returns each with its own seconds. Names
        of tests that pass on unchanged code but take too long are added to `left`."""

        def price(one: tuple[Test, float]) -> float:
            test, counted = one
            seconds = self._known.get(test.name, {}).get("seconds", COUNTED * counted)
            rate = (1 + killed[test.name]) / (2 + tried[test.name]) * (NEAR if near(test, path) else 1)
            return float(seconds + 0.05) / rate  # cost of linking and starting one

        spent = 0.0
        for test, counted in sorted(tests, key=price):
            if COUNTED * counted > LONGEST:
                left.append(test.name)
                continue
            timed = self._look(test, "passes", ())
            if not timed["passes"]:
                continue
            if timed["seconds"] <= self._longest and spent + timed["seconds"] <= self._most:
                spent += timed["seconds"]
                yield test, timed["seconds"]
            else:
                left.append(test.name)

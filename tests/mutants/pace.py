"""How long each test takes with nothing changed, whether it passes then, and in which order tests are asked of a mutant.

BUILD/mutants/pace.json   {"unit/synth/rule/test_expr": {"at": 1764000000.0, "passes": true, "seconds": 0.3, "clean": true}}

A test is timed before it is first asked, in a copy of the tree in which nothing is ever changed, and again when it or what
it runs is newer. What is begun first is what likely kills for its seconds: those whose folder is the file's own are taken to
kill three times as often as they did elsewhere."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.coverage.profiles import Test, newest
from tests.mutants.work import SANITIZED, Flags, Slot

NEAR = 3  # how much more often a test of the file's own folder kills
COUNTED = 0.5  # what a test takes of what it took under counters, until it is timed
LONGEST = 120.0  # seconds of the processor after which a test is not asked at all


def near(test: Test, path: str) -> bool:
    """Whether the test stands in the folder below tests/ that mirrors the file's."""
    return str(Path(test.name).parent).partition("/")[2] == str(Path(path).parent)


class Pace:
    """The times, shared by the slots."""

    def __init__(self, build: Path, longest: float, most: float) -> None:
        self._build = build
        self._longest = longest
        self._most = most
        self._file = build / "mutants" / "pace.json"
        self._known: dict[str, dict[str, Any]] = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._lock = threading.Lock()
        self._plain: Slot | None = None

    def _known_of(self, test: Test) -> dict[str, Any]:
        """What is known of the test as it is now."""
        own = Test(test.name, test.command if test.command[0] == "sh" else (str(self._build / "tests" / test.program),))
        at, known = newest(self._build, own), self._known.get(test.name)
        return known if known and known["at"] >= at else {"at": at}

    def _look(self, test: Test, what: str, how: Flags) -> dict[str, Any]:
        """What is known, after the test was run where that is not known yet: as "passes" or, with sanitizers, as "clean"."""
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
        """Whether the test passes with sanitizers."""
        return bool(self._look(test, "clean", SANITIZED)["clean"])

    def order(
        self, path: str, tests: list[tuple[Test, float]], killed: Counter[str], tried: Counter[str], left: list[str]
    ) -> Iterator[tuple[Test, float]]:
        """Those of the tests (with their seconds under counters) to ask, with the seconds that each takes by itself. The names
        of those that pass with nothing changed, but take too long, are added to `left`."""

        def price(one: tuple[Test, float]) -> float:
            test, counted = one
            seconds = self._known.get(test.name, {}).get("seconds", COUNTED * counted)
            rate = (1 + killed[test.name]) / (2 + tried[test.name]) * (NEAR if near(test, path) else 1)
            return float(seconds + 0.05) / rate  # what it costs to link and start one

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

"""Plants small faults in the C sources, one at a time, and runs the tests that cover each.

usage: python -m tests.mutants [--count 200] [--seed 1] [--time SECONDS] [--longest 30] [--most 120] [--build build]
[--again]
                               [PATH…]

Needs the counters of `make coverage` and a complete BUILD. Results go to BUILD/mutants/results.json, which is
written beside its place and renamed after each mutant, so that an interrupted run continues. --again retries
surviving mutants with tests that were added, changed, or excluded for their time. PATHs: only mutants of files that
begin with one of them. Equivalent mutants that a person explained stand in tests/mutants/explained.tsv: path, line
before, line after, reason."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tests.coverage.profiles import Test
from tests.mutants import operators, pace, reach, work

EXPLAINED = Path("tests/mutants/explained.tsv")


def explained() -> dict[str, str]:
    """Explanations of equivalent mutants, by key."""
    rows = [line.split("\t") for line in EXPLAINED.read_text().splitlines() if line and not line.startswith("#")]
    return {"\t".join(r[:3]): r[3] for r in rows}


class Run:
    """Results, shared by the threads."""

    def __init__(self, build: Path, chosen: list[operators.Mutant], again: bool) -> None:
        self.path = build / "mutants" / "results.json"
        self.results: dict[str, dict[str, Any]] = json.loads(self.path.read_text()) if self.path.exists() else {}
        self._lock = threading.Lock()
        known = explained()
        retried = {k for k, r in self.results.items() if again and r["result"] == "survived" and k not in known}
        self._todo = [m for m in chosen if m.key not in self.results or m.key in retried]

    def next(self) -> operators.Mutant | None:
        """The next mutant."""
        with self._lock:
            return self._todo.pop(0) if self._todo else None

    def asked(self) -> tuple[Counter[str], Counter[str]]:
        """For each test, the mutants it killed and the mutants it ran on."""
        with self._lock:
            killed = Counter(r["why"].partition(" (")[0] for r in self.results.values() if r["result"] == "killed")
            return killed, killed + Counter(name for r in self.results.values() for name in r["passed"])

    def was_asked(self, m: operators.Mutant, test: Test) -> bool:
        """True if the test passed with the mutant before, and neither has changed since."""
        then = self.results.get(m.key, {"passed": [], "at": 0})
        return test.name in then["passed"] and max(f.stat().st_mtime for f in (Path(m.path), test.source)) <= then["at"]

    def keep(self, m: operators.Mutant, v: work.Verdict, left: list[str]) -> None:
        """Stores a result, with the tests that were excluded for their time."""
        with self._lock:
            self.results[m.key] = {
                "result": v.result, "why": v.why, "kind": m.kind, "line": m.line, "passed": v.passed,
                "left": left, "at": time.time(),
            }  # fmt: skip
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.results, indent=0, sort_keys=True))
            fresh.rename(self.path)
            print(f"{v.result:10} {m.shown}  {v.why} ({len(v.passed)} passed, {len(left)} excluded)", flush=True)


def table(results: dict[str, dict[str, Any]], chosen: list[operators.Mutant]) -> None:
    """Prints results by folder, and survivors without an explanation."""
    why = explained()
    folders: dict[str, Counter[str]] = defaultdict(Counter)
    left = []
    for m in chosen:
        r = results.get(m.key)
        if not r or r["result"] == "discarded":
            continue
        kind = "equivalent" if r["result"] == "survived" and m.key in why else r["result"]
        folders[str(Path(m.path).parent)][kind] += 1
        if kind == "survived":
            late = f"  (not asked: {' '.join(r['left'])})" if r.get("left") else ""
            left.append(m.shown + ("" if r["passed"] else "  (asked of no test)") + late)
    total: Counter[str] = sum(folders.values(), Counter())
    print(f"\n{'folder':28} {'mutants':>8} {'killed':>7} {'survived':>9} {'equivalent':>11}")
    for name, c in [*sorted(folders.items()), ("all", total)]:
        print(f"{name:28} {sum(c.values()):8} {c['killed']:7} {c['survived']:9} {c['equivalent']:11}")
    counted = total["killed"] + total["survived"]
    print(f"\n{100 * total['killed'] / max(counted, 1):.1f} % of {counted} that could matter were killed")
    print("\n".join(["", "survived:", *left] if left else []))


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="mutants to judge, whatever was judged before")
    parser.add_argument("--seed", type=int, default=1, help="which")
    parser.add_argument("--time", default="0", help="for how long others are begun: 90, 90s, 40m (0: no limit)")
    parser.add_argument("--longest", type=float, default=30, help="seconds: longer tests are excluded")
    parser.add_argument("--most", type=float, default=120, help="seconds of tests per mutant; the rest is excluded")
    parser.add_argument("--jobs", type=int, default=2, help="at once")
    parser.add_argument("--build", type=Path, default=Path("build"), help="the folder of the build")
    parser.add_argument("--again", action="store_true", help="judge survivors once more")
    parser.add_argument("--table", action="store_true", help="only show what is known")
    parser.add_argument("paths", nargs="*", help="only files that begin so")
    o = parser.parse_args()
    # A few more than requested, since some do not compile.
    chosen = [m for m in operators.sample(o.count * 13 // 10, o.seed) if not o.paths or m.path.startswith(tuple(o.paths))]
    (o.build / "mutants").mkdir(exist_ok=True)
    run = Run(o.build, chosen, o.again)
    if not o.table:
        known = reach.read(o.build / "coverage")
        if not known.tests:
            print("mutants: error: no counters in build/coverage/profiles; run `make coverage`", file=sys.stderr)
            return 1
        budget = float(o.time.rstrip("sm")) * (60 if o.time.endswith("m") else 1)
        deadline = time.monotonic() + budget if budget else float("inf")

        times = pace.Pace(o.build, o.longest, o.most)

        def judge_some(number: int) -> None:
            slot = work.Slot(o.build, str(number))
            while time.monotonic() < deadline and (m := run.next()):
                left = [r for r in known.of(m.path, m.line) if not run.was_asked(m, r[0])]
                late: list[str] = []
                verdict = slot.judge(m, times.order(m.path, left, *run.asked(), late), times.clean)
                verdict.passed += [t.name for t, _ in known.of(m.path, m.line) if run.was_asked(m, t)]
                run.keep(m, verdict, late)

        slots = [threading.Thread(target=judge_some, args=(i,)) for i in range(o.jobs)]
        for s in slots:
            s.start()
        for s in slots:
            s.join()
    table(run.results, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())

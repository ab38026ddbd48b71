"""Chooses the tests of `make check`: those that a change can affect first, then fast ones, until a budget is spent.

usage: python3 -m tests.tiers BUILD SECONDS [CHANGED…]    prints the tests, one a line; a summary on standard error

SECONDS is the budget in processor seconds. CHANGED are files; the default are those that git finds changed since the
commit before HEAD. The cost of a test is what tests/run.sh measured on this machine (BUILD/durations.tsv), else what
tests/durations.tsv has, else a guess.

A test is affected if it changed itself or is named after a changed file (test_evidence for evidence.c); then if its
folder is that of a changed file (tests/cli/runtime/fuzz for runtime/fuzz), then if its part (runtime, synth, …) is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
GUESSES = {".sh": 10.0, "": 0.2}
"""Seconds of a script and of a unit test that was never measured."""
ALONE = "built -o "
"""What a script contains that relinks the programs: it runs alone, so it is no part of a quick check."""


def tests_of(root: Path) -> list[str]:
    """All tests: scripts, and unit tests without their ending."""
    units = [path.with_suffix("") for path in root.glob("tests/unit/**/test_*.c")]
    scripts = [path for path in root.glob("tests/cli/*/**/*.sh") if "release" not in path.parts]
    quick = [path for path in scripts if ALONE not in path.read_text(encoding="utf-8")]
    return sorted(path.relative_to(root).as_posix() for path in [*units, *quick])


def durations(*tables: Path) -> dict[str, float]:
    """The seconds of each test: of several tables the last one that has it. Raises ValueError for a bad line."""
    known: dict[str, float] = {}
    for table in tables:
        lines = table.read_text(encoding="utf-8").splitlines() if table.is_file() else []
        for number, line in enumerate(lines, 1):
            name, _, seconds = line.partition("\t")
            try:
                known[name] = float(seconds)
            except ValueError:
                raise ValueError(f"{table}:{number}: error: expected TEST, tab, seconds, not {line!r}") from None
    return known


def changed_files(root: Path) -> list[str]:
    """Files that differ from the commit before HEAD, or are not tracked. None outside a repository."""
    lines: list[str] = []
    for words in (["diff", "--name-only", "HEAD~1"], ["ls-files", "--others", "--exclude-standard"]):
        ran = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
        lines += ran.stdout.splitlines() if ran.returncode == 0 else []
    return lines


def rank(test: str, changed: list[str]) -> int:
    """0 if a change affects the test for sure, 1 if it is in the same folder, 2 in the same part, 3 otherwise."""
    path, best = PurePosixPath(test), 3
    folder = PurePosixPath(*path.parent.parts[2:])  # tests/cli/runtime/fuzz is of runtime/fuzz
    for name in changed:
        file = PurePosixPath(name)
        if str(file.with_suffix("")) == str(path.with_suffix("")) or path.stem.removeprefix("test_") == file.stem:
            return 0
        if file.parent.is_relative_to(folder) and len(folder.parts) > 1:
            best = min(best, 1)
        if file.parts[0] == folder.parts[0]:
            best = min(best, 2)
    return best


def choose(tests: list[str], changed: list[str], cost: dict[str, float], budget: float) -> list[str]:
    """The tests within the budget. Those of rank 0 may take half of it each; no other may take more than a tenth."""
    spent, chosen = 0.0, []
    price = {test: cost.get(test, GUESSES[PurePosixPath(test).suffix]) for test in tests}
    for test in sorted(tests, key=lambda test: (rank(test, changed), price[test], test)):
        most = budget / 2 if rank(test, changed) == 0 else budget / 10
        if price[test] <= most and spent + price[test] <= budget:
            spent += price[test]
            chosen.append(test)
    return chosen


def main() -> None:
    """The program."""
    if len(sys.argv) < 3 or not sys.argv[2].isdigit():
        sys.exit("usage: python3 -m tests.tiers BUILD SECONDS [CHANGED…]")
    build, budget, changed = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:] or changed_files(ROOT)
    try:
        cost = durations(ROOT / "tests/durations.tsv", build / "durations.tsv")
    except ValueError as fault:
        sys.exit(str(fault))
    tests = tests_of(ROOT)
    chosen = choose(tests, changed, cost, budget)
    print(*chosen, sep="\n")
    affected = [test for test in tests if rank(test, changed) < 2]
    late = [test for test in affected if test not in chosen]
    near = f"{len(affected) - len(late)} of {len(affected)} near the change"
    print(f"check: {len(chosen)} of {len(tests)} tests, {near}", file=sys.stderr)
    for test in late:
        print(f"check: too slow: make test T={test}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Chooses the tests of `make check`: those that a change can affect first, then fast ones, until a budget is spent.

usage: python3 -m tests.tiers BUILD SECONDS [CHANGED…]    prints the tests, one a line; a summary on standard error

SECONDS is the budget, the sum of the tests' durations. CHANGED are files; the default are those that git finds changed
since the commit before HEAD. The cost of a test is what tests/run.sh measured on this machine (BUILD/durations.tsv), else what
tests/durations.tsv has, else a guess.

A test is affected if it changed itself or is named after a changed file (test_evidence for evidence.c); then if its
folder is that of a changed file (tests/cli/runtime/fuzz for runtime/fuzz), then if its part (runtime, synth, …) is.
PARTS has the folders whose tests are elsewhere. A module of Python tests is chosen only if its folder changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
GUESSES = {".sh": 10.0, ".py": 10.0, "": 0.2}
"""Seconds of a script, a Python module and a unit test that were never measured."""
SHARES = (0.5, 0.3, 0.2, 0.1, 0.1)
"""The largest share of the budget that one test of each rank may take."""
NEAR = 3
"""Ranks below this one are near the change."""
LEAST = 0.1
"""Seconds that any test takes, since it must be started."""
PARTS = {"python": "runtime/python/rulefuzz", "traces": "traces/collect", "cli/house": "docs"}
"""For tests of a folder (tests/python/oracle, tests/cli/house), the folder that they test (runtime/python/rulefuzz/oracle)."""
ALONE = "built -o "
"""What a script contains that relinks the programs: it runs alone, so it is no part of a quick check."""


def tests_of(root: Path) -> list[str]:
    """All tests: scripts, modules of Python tests, and unit tests without their ending."""
    units = [path.with_suffix("") for path in root.glob("tests/unit/**/test_*.c")]
    scripts = [path for path in root.glob("tests/cli/*/**/*.sh") if "release" not in path.parts]
    quick = [path for path in scripts if ALONE not in path.read_text(encoding="utf-8")]
    modules = [path for part in ("python", "traces") for path in root.glob(f"tests/{part}/**/test_*.py")]
    return sorted(path.relative_to(root).as_posix() for path in [*units, *quick, *modules])


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


def tested_folder(test: PurePosixPath) -> PurePosixPath:
    """The folder of sources that a test tests: runtime/fuzz for tests/cli/runtime/fuzz/merge.sh."""
    folder = PurePosixPath(*test.parent.parts[1:])
    for part, source in PARTS.items():
        if folder.is_relative_to(part):
            return PurePosixPath(source) / folder.relative_to(part)
    return PurePosixPath(*folder.parts[1:])


def rank(test: str, changed: list[str]) -> int:
    """0: the test of a changed file, 1: of its folder, 2: of a folder that encloses it, 3: of the same part, 4: of another."""
    path, best = PurePosixPath(test), 4
    folder = tested_folder(path)
    for name in changed:
        file = PurePosixPath(name)
        if str(file.with_suffix("")) == str(path.with_suffix("")) or path.stem.removeprefix("test_") == file.stem:
            return 0
        if file.parent.is_relative_to(folder) and (len(folder.parts) > 1 or str(folder) in PARTS.values()):
            best = min(best, 1 if file.parent == folder else 2)
        if file.parts[0] == folder.parts[0]:
            best = min(best, 3)
    return best


def choose(tests: list[str], changed: list[str], cost: dict[str, float], budget: float) -> list[str]:
    """The tests within the budget. A test may take the share of it that SHARES has for its rank."""
    spent, chosen = 0.0, []
    price = {test: max(LEAST, cost.get(test, GUESSES[PurePosixPath(test).suffix])) for test in tests}
    near = [test for test in tests if not test.endswith(".py") or rank(test, changed) < NEAR]
    for test in sorted(near, key=lambda test: (rank(test, changed), price[test], test)):
        if price[test] <= budget * SHARES[rank(test, changed)] and spent + price[test] <= budget:
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
    affected = [test for test in tests if rank(test, changed) < NEAR]
    late = [test for test in affected if test not in chosen]
    near = f"{len(affected) - len(late)} of {len(affected)} near the change"
    print(f"check: {len(chosen)} of {len(tests)} tests, {near}", file=sys.stderr)
    for test in late:
        command = f"tests/module.sh {test}" if test.endswith(".py") else f"make test T={test}"
        print(f"check: too slow: {command}", file=sys.stderr)


if __name__ == "__main__":
    main()

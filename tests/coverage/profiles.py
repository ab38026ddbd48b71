"""Runs the tests of a build with clang's counters (make coverage), and keeps the counters of each test.

    BUILD/profiles/TEST.profdata     the counters of one test, named by its path below tests/ with dots for slashes
    BUILD/profiles/TEST.json         {"passed": true, "seconds": 1.5}    (CPU seconds)

A test is run again if its program or script, or one of the two programs, is newer than its counters. Counters
are written while a program runs (LLVM_PROFILE_FILE's %c), so that a killed worker counts too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = 900  # seconds per test


@dataclass(frozen=True)
class Test:
    """A unit test's program, or a script of tests/cli."""

    name: str  # unit/synth/rule/test_expr, cli/synth/proof.sh
    command: tuple[str, ...]

    @property
    def key(self) -> str:
        """The name of its counter file."""
        return self.name.replace("/", ".")

    @property
    def source(self) -> Path:
        """Its source file."""
        return Path("tests", self.name + ("" if self.command[0] == "sh" else ".c"))

    @property
    def program(self) -> str:
        """The path of a unit test's program below a build's tests."""
        return self.name.removeprefix("unit/")


def tests_of(build: Path) -> list[Test]:
    """All tests of C, in the order of tests/run.sh."""
    units = sorted(Path("tests/unit").rglob("test_*.c"))
    scripts = sorted(p for d in ("runtime", "synth", "codegen") for p in Path("tests/cli", d).rglob("*.sh"))
    found = [Test(str(u.relative_to("tests"))[:-2], (str(build / "tests" / u.relative_to("tests/unit"))[:-2],)) for u in units]
    return found + [Test(str(s.relative_to("tests")), ("sh", str(s))) for s in scripts]


def newest(build: Path, test: Test) -> float:
    """Time of the last change of the test or of the programs it runs."""
    files = [build / "rulefuzz", build / "rulesmith"] if test.command[0] == "sh" else []
    return max(f.stat().st_mtime for f in [Path(test.command[-1]), *files])


def run(build: Path, test: Test) -> str:
    """Runs one test and keeps its counters; returns the report line."""
    merged = build / "profiles" / f"{test.key}.profdata"
    if merged.exists() and merged.stat().st_mtime >= newest(build, test):
        return ""
    raw = build / "profiles" / f"{test.key}.raw"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    # %m: one file per program, in which all its processes are added up
    environment = os.environ | {
        "BUILD": str(build),
        "CMOCKA_MESSAGE_OUTPUT": "TAP",
        "LLVM_PROFILE_FILE": f"{raw.resolve()}/%m%c.profraw",
    }
    started = time.monotonic()
    log = raw.with_suffix(".log")
    with log.open("wb") as out:
        limited = ["timeout", "--kill-after=5", str(TIMEOUT), *test.command]
        child = subprocess.Popen(limited, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=environment)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - started
    told = log.read_text(errors="replace").splitlines()
    failed = sum(line.startswith("not ok") and "# skip" not in line.lower() for line in told)
    passed = failed == 0 and child.returncode == 0
    profiles = [str(p) for p in raw.glob("*.profraw") if p.stat().st_size]
    if profiles:
        fresh = merged.with_suffix(".new")
        merge = ["llvm-profdata", "merge", "--sparse", "--failure-mode=all", "-o", str(fresh), *profiles]
        subprocess.run(merge, check=True, stderr=subprocess.DEVNULL)
        fresh.rename(merged)
        merged.with_suffix(".json").write_text(
            json.dumps({"passed": passed, "seconds": round(used.ru_utime + used.ru_stime, 2)})
        )
    shutil.rmtree(raw)
    if passed:
        return f"ok     {test.name}, {seconds:.0f} s"
    return f"FAILED {test.name}, {seconds:.0f} s, {failed} not ok (exit {child.returncode})"


def run_all(build: Path, words: list[str], jobs: int) -> None:
    """Runs the tests whose names contain one of the words, or all tests if no word is given."""
    wanted = [t for t in tests_of(build) if not words or any(w in t.name for w in words)]
    with ThreadPoolExecutor(jobs) as pool:
        for line in pool.map(lambda t: run(build, t), wanted):
            if line:
                print(line, flush=True)


if __name__ == "__main__":
    run_all(Path(sys.argv[1]), sys.argv[2:], int(os.environ.get("JOBS", "2")))

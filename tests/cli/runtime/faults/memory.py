"""Fails one allocation of a command, or all from one on, and sees how it ends: with what it says without, or with exit 1 and
an error. Prints TAP.

usage: memory.py PRELOADED.so BUILD FOLDER [POINTS [WORD]]    (so many places of each command; only commands with WORD)

A place is an allocation by functions that called one another; its first one fails. Where a command has more places than
POINTS, they are drawn at random, always the same. But while a command has one thread, and no worker or database, it forks at
each place, and the children go on without memory (no_memory.c): of these ten times as many are tried, in one run."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

LIMIT = 60  # seconds; a command takes one or two
Ended = tuple[int, dict[str, bytes]]  # its exit code, and what it gave


@dataclass(frozen=True)
class Case:
    """A command that is run in a folder of its own; the exit codes that it may have besides 1."""

    name: str
    words: tuple[str, ...]
    codes: tuple[int, ...] = (0,)
    same: bool = True  # what it gives is the same each time
    less: bool = False  # without memory it may leave out what it cannot read: a model's outline, a direct sampler
    resumes: bool = False  # with --resume and memory it comes to the findings that it comes to without a fault, in db
    forks: bool = True  # it shares nothing with a child: no worker, no database, which would be locked


def cases(build: str, kept: str) -> list[Case]:
    """What is tried."""
    root = Path.cwd()
    fuzz, smith, data = f"{root}/{build}/rulefuzz", f"{root}/{build}/rulesmith", f"{root}/tests/data"
    fake = ("--backend", "fake", "--framework", "torch", "--backend-command", f"sh {data}/backends/fake.sh error")
    family, values = f"{root}/tests/golden/synth/sample.jsonl", ("--values", f"{data}/rules/sample_values.tsv")
    pool, broadcast = f"{data}/records/m.pool.jsonl", f"{data}/records/m.broadcast.jsonl"
    return [
        Case("gen", (fuzz, "gen", "--framework", "onnx", "--count", "1", "--seed", "1")),
        Case("gen script", (fuzz, "gen", "--framework", "torch", "--count", "1", "--format", "py", "--gradients", "1")),
        Case(
            "gen onnx",
            (fuzz, "gen", "--framework", "onnx", "--count", "1", "--format", "onnx", "-o", "models"),
        ),
        Case(
            "gen onnx bodies",
            (
                fuzz,
                "gen",
                "--framework",
                "onnx",
                "--seed",
                "3",
                "--functions",
                "1",
                "--subgraphs",
                "1",
                "--format",
                "onnx",
                "-o",
                "models",
            ),
        ),
        Case(
            "gen features",
            (
                fuzz,
                "gen",
                "--framework",
                "torch",
                "--seed",
                "2",
                "--layouts",
                "1",
                "--modules",
                "1",
                "--repeats",
                "1",
                "--dynamic-shapes",
                "1",
                "--format",
                "py",
            ),
        ),
        Case("gen isra", (fuzz, "gen", "--framework", "torch", "--strategy", "isra", "--count", "1")),
        Case("gen graph", (fuzz, "gen", "--framework", "onnx", "--strategy", "graph", "--count", "1")),
        Case("coverage", (fuzz, "coverage", "--framework", "onnx", "--count", "2")),
        Case("coverage page", (fuzz, "coverage", "--count", "2", "--list", "--json", "--html", "page.html"), same=False),
        Case("rules", (fuzz, "rules", "--framework", "onnx", "--list", "--json")),
        Case("eval", (fuzz, "eval", f"{kept}.calls")),
        Case("site", (fuzz, "site", "--rules", family, "--since", f"{kept}.rules", "--out", "site"), less=True),
        Case("list", (fuzz, "list", "--db", kept), forks=False),
        Case("show", (fuzz, "show", "1", "--db", kept), less=True, forks=False),
        Case("explain-finding", (fuzz, "explain-finding", "1", "--db", kept), less=True, forks=False),
        Case("report", (fuzz, "report", "--db", kept, "--out", "report"), less=True, forks=False),
        Case("merge", (fuzz, "merge", "merged.db", kept), forks=False),
        Case("run", (fuzz, "run", *fake, "--db", "db", "--count", "4"), (0, 3), same=False, resumes=True, forks=False),
        Case("synth", (smith, "synth", "--traces", pool, "-o", "rules.jsonl", "-j1")),
        Case("synth of threads", (smith, "synth", "--traces", pool, "-o", "rules.jsonl", "-j2"), forks=False),
        Case("synth of APIs", (smith, "synth", "--traces", f"{data}/records/shared", "-j1")),
        Case("emit of families", (smith, "emit", family, "-o", "c", "-j1", *values)),
        Case("questions", (smith, "questions", "--traces", pool, "-j1")),
        Case("holdout", (smith, "holdout", "--traces", pool, "--folds", "2", "-j1")),
        Case("diff", (smith, "diff", family, f"{kept}.rules", "--json"), (0, 3), same=False),
        Case("emit", (smith, "emit", f"{data}/rules/small.jsonl", "-o", "c", "-j1")),
        Case("explain", (smith, "explain", "m.broadcast*", "--search-log", "--traces", broadcast, "-j1")),
        Case(
            "explain a stored rule",
            (smith, "explain", "torch.relu-0", "--rules", family, "--traces", f"{root}/traces/torch/torch.relu.jsonl"),
        ),
    ]


NOW = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def gives(folder: Path, printed: bytes) -> dict[str, bytes]:
    """What a command printed and wrote, but for the second of now that a report holds."""
    files = {str(p.relative_to(folder)): NOW.sub(b"NOW", p.read_bytes()) for p in sorted(folder.rglob("*")) if p.is_file()}
    return files | {"": printed}


def findings(database: Path) -> list[tuple[str, ...]]:
    """What the database has, but for dates and what answers say of time."""
    what = "bucket, kind, status, title, apis, model, original, script, short_script, versions, pass, detail != ''"
    with contextlib.closing(sqlite3.connect(database)) as opened:
        return opened.execute(f"SELECT {what} FROM findings ORDER BY bucket").fetchall()


class Bench:
    """Runs commands with the library preloaded."""

    def __init__(self, library: str, folder: Path) -> None:
        self.library, self.folder = library, folder
        self.found: dict[str, list[tuple[str, ...]]] = {}  # findings of a command that lacked nothing, by its case's name

    def resume(self, case: Case, out: Path, code: int) -> str:
        """What is wrong with the findings of a run that ended so, and, unless it ended well, was gone on with: "" where
        nothing is."""
        if code == 1:
            words = [*case.words, "--resume"]
            again = subprocess.run(words, cwd=out, capture_output=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL)
            if again.returncode not in case.codes:
                return f"it cannot be gone on with: exit {again.returncode}, {again.stderr.decode(errors='replace')[-200:]}"
        found = findings(out / "db")
        right = self.found.setdefault(case.name, found)
        return "" if right and found == right else f"exit {code}: {len(found)} findings in the end, not those that there are"

    def run(self, case: Case, at: int | None, on: bool) -> tuple[int, str, dict[str, bytes], list[int]]:
        """(exit code, standard error, what it gave, how many allocations and the first of each place): `at` fails, where
        `on` all behind it too."""
        own = self.folder / f"{case.name}-{at}-{on}"
        own.mkdir()
        out = own / "out"
        out.mkdir()
        environment = os.environ | {"LD_PRELOAD": self.library, "FAIL_COUNT": str(own.resolve() / "count")}
        if at:
            environment["FAIL_AT"] = str(at)
        if on:
            environment["FAIL_ON"] = "1"
        try:
            child = subprocess.run(
                case.words, cwd=out, env=environment, capture_output=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL
            )
            code, told, printed = child.returncode, child.stderr.decode(errors="replace"), child.stdout
        except subprocess.TimeoutExpired:
            code, told, printed = -999, "it hangs", b""
        counts = [int(n) for n in (own / "count").read_text().split()] if (own / "count").exists() else []
        given = gives(out, printed) if case.same else {}
        lost = self.resume(case, out, code) if case.resumes and code in (1, *case.codes) else ""
        if lost:
            told, code = lost, -997
        whole = [sqlite3.connect(p).execute("PRAGMA integrity_check").fetchone()[0] for p in out.glob("db") if p.stat().st_size]
        shutil.rmtree(own)
        if whole not in ([], ["ok"]):
            told, code = "the database is broken", -998
        return code, told, given, counts or [0]

    def once(self, case: Case, right: Ended) -> Callable[[tuple[int, bool]], str]:
        """What is wrong with how it ends when allocation n fails, or all from it on."""

        def tried(way: tuple[int, bool]) -> str:
            n, on = way
            return self.judge(case, f"{'from ' if on else ''}allocation {n}", self.run(case, n, on)[:3], right)

        return tried

    def forked(self, case: Case, places: list[int], right: Ended) -> tuple[list[int], list[str]]:
        """Runs it once, and a child for each place and way: the places where it had one thread, and what is wrong with how
        these, and it, end."""
        own = self.folder / f"{case.name}-forked"
        out = own / "out"
        out.mkdir(parents=True)
        at = own.resolve() / "at"
        at.write_text("\n".join(map(str, places)))
        environment = os.environ | {"LD_PRELOAD": self.library, "FAIL_FORKS": str(at)}
        with (own / "printed").open("wb") as printed, (own / "told").open("wb") as told:
            limit = LIMIT * (2 * len(places) + 1)
            code = subprocess.run(
                case.words, cwd=out, env=environment, stdout=printed, stderr=told, timeout=limit, check=False,
                stdin=subprocess.DEVNULL,
            ).returncode  # fmt: skip
        whole = gives(out, (own / "printed").read_bytes())
        found = [] if not case.same or (code, whole) == right else [f"what forks gives others: exit {code}"]
        ends = Path(f"{at}.ends").read_text().splitlines() if Path(f"{at}.ends").exists() else []
        for n, on, status in ([int(x) for x in line.split()] for line in ends):
            said = Path(f"{at}.{n}-{on}.err").read_text(errors="replace")
            folder = Path(f"{at}.{n}-{on}.d")
            given = gives(folder, Path(f"{at}.{n}-{on}.out").read_bytes())
            # What was being written when it forked is only the process's
            given |= {k: v for k, v in right[1].items() if k + ".tmp" in given or not given.get(k, b"1")}
            shutil.rmtree(folder)
            found.append(self.judge(case, f"{'from ' if on else ''}allocation {n}", (status, said, given), right))
        shutil.rmtree(own)
        return sorted({int(line.split()[0]) for line in ends}), [f for f in found if f]

    def judge(self, case: Case, at: str, ended: tuple[int, str, dict[str, bytes]], right: Ended) -> str:
        """What is wrong with how it ends; "" where nothing is."""
        code, told, given = ended
        last = told.strip().splitlines()[-1:] or [""]
        what = f"{at}: exit {code}, {last[0][:200]}"
        if code < 0 or code not in (1, *case.codes):
            return what
        partial = [name for name, text in given.items() if name and text != right[1].get(name)]
        if code == 1 and partial and case.same and not case.less:
            return f"{what}; partial output: {', '.join(partial)[:200]}"
        if code == 1 and code != right[0]:
            return "" if "error" in told and "error: error" not in told else what
        if case.same and not case.less and (code, given) != right:
            names = sorted(n or "standard output" for n in {*given, *right[1]} if given.get(n) != right[1].get(n))
            return f"{what}; no error, but others: {', '.join(names)[:200]}"
        return ""


def main() -> int:
    """See the module."""
    library, build, folder = str(Path(sys.argv[1]).resolve()), sys.argv[2], str(Path(sys.argv[3]).resolve())
    points = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    kept = f"{folder}/kept.db"
    fake = ["--backend", "fake", "--framework", "torch", "--backend-command", "sh tests/data/backends/fake.sh error"]
    subprocess.run([f"{build}/rulefuzz", "run", *fake, "--db", kept, "--count", "4"], capture_output=True, check=False)
    family = Path("tests/golden/synth/sample.jsonl").read_text()
    Path(f"{kept}.rules").write_text(family.replace("s0 > 0", "s0 >= 0").replace('"out":["s0"', '"out":["s0 + 1"'))
    Path(f"{kept}.calls").write_text('{"op":"torch.relu-0","in":[2,3,4,5,6]}\n{"op":"torch.nothing-0","in":[]}\n')
    bench, number, bad = Bench(library, Path(folder)), 0, 0
    for case in cases(build, kept):
        if len(sys.argv) > 5 and sys.argv[5] not in case.name:
            continue
        code, told, given, (count, *places) = bench.run(case, None, on=False)
        right = code, given
        fit = code in case.codes and given == bench.run(case, None, on=False)[2] and count > 10
        faults = [] if fit else [f"exit {code}, {count} allocations: {told[:300]}"]
        drawn = random.Random(case.name).sample(places, min(10 * points, len(places)))
        tried: list[int] = []
        if fit and case.forks:
            tried, faults = bench.forked(case, sorted(drawn), right)
        again = sorted([n for n in drawn if n not in tried][:points])
        if not faults:
            with ThreadPoolExecutor(2) as pool:
                faults = [f for f in pool.map(bench.once(case, right), [(n, on) for n in again for on in (False, True)]) if f]
        number += 1
        bad += bool(faults)
        result = "not ok" if faults else "ok"
        ways = f"{2 * len(tried + again)} ways to have no memory, of {2 * len(places)}"
        print(f"{result} {number} - {case.name}: {ways}; {count} allocations")
        for f in faults[:20]:
            print(f"# {f}")
        sys.stdout.flush()
    print(f"1..{number}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

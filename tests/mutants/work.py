"""One mutant: builds it in a copy of the tree, then runs the tests that cover it until one fails.

    BUILD/mutants/N/        a copy of the tree, with links to traces/ and generated/; tests run in it
    BUILD/mutants/N/build/  links to BUILD, except for the programs that contain the mutant

Only the changed file is compiled; make tells the command, and how its programs are linked. A mutant that survives
and compiles to the same object code as the original is equivalent. Other survivors are recompiled with the
sanitizers that CI uses, and the faster of the same tests run on them."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.coverage.profiles import Test
from tests.mutants.operators import Mutant
from tests.mutants.reach import PROGRAMS

LINKED = ("traces", "generated")  # linked entry by entry, since they are large, except COPIED
COPIED = ("traces/backends.sh", "traces/collect", "traces/__init__.py")
MEMORY, FILE = 6 << 30, 1 << 28  # bytes a test may map, and write to one file
SPARE, TIMES = 2, 4  # CPU limit of a process: this many seconds plus this multiple of the test's time
WAIT = 10  # wall-clock limit as a multiple of the CPU limit, for a busy machine
BRIEF = 1  # seconds: longer tests do not run with sanitizers
LOOK = 0.2  # seconds between reads of a test's output
IDLE = 4  # wall-clock seconds that count as one CPU second: a test that waits is not cheap
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")  # as in .ci/run
STRICT = ("-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=uninitialized", "-g0")


def make_steps(build: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The commands that compile each C file, and those that link each program, as make would run them."""
    units = [u.relative_to("tests/unit") for u in Path("tests/unit").rglob("test_*.c")]
    programs = [f"{build}/{p}" for p in PROGRAMS] + [f"{build}/tests/{u}"[:-2] for u in units]
    command = ["make", "-n", "-B", "V=1", "DEPS=skip", f"B={build}", *programs]
    compiles: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        words = shlex.split(line) if any(w in line for w in (" -MMD ", " -rdynamic ", " -lz3 ")) else []
        if "-c" in words:
            compiles[words[words.index("-c") + 1]] = words
        elif "-o" in words:
            links[words[words.index("-o") + 1]] = words
    return compiles, links


Flags = tuple[str, ...]
Timed = Iterable[tuple[Test, float]]


def succeeds(command: list[str]) -> bool:
    """True if a compiler succeeds."""
    return subprocess.run(["nice", *command], capture_output=True, timeout=300, check=False).returncode == 0


def fails(log: Path) -> bool:
    """True if a test has printed a failure, after which it can be stopped."""
    return any(re.match(r"not ok (?!.*# *skip)", line, re.IGNORECASE) for line in log.read_text(errors="replace").splitlines())


@dataclass
class Ran:
    """A test's result: passed, seconds, and whether it was stopped for its time."""

    passed: bool
    seconds: float
    hangs: bool


@dataclass
class Verdict:
    """A mutant's result: killed, survived, equivalent or discarded; the killing test or the reason; and the tests that
    passed."""

    result: str
    why: str
    passed: list[str] = field(default_factory=list)


class Slot:
    """A copy of the tree that holds one mutant at a time."""

    def __init__(self, build: Path, name: str) -> None:
        self.build = build.resolve()
        self.root = self.build / "mutants" / name
        self.own = self.root / "build"
        self._mutant = self.own / "mutant"  # the changed file alone; includes find it before the tree's
        self._unchanged: tuple[list[str], Flags] = [], ()
        self._compiles, self._links = make_steps(self.build.name)
        shutil.rmtree(self.root, ignore_errors=True)
        self.own.mkdir(parents=True)
        own = [p.name for p in Path().iterdir() if p.name not in (".git", self.build.name, *LINKED) and "_cache" not in p.name]
        for part in [*own, *COPIED]:
            source, to = Path(part), self.root / part
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__", "*.o"))
            elif source.exists():
                shutil.copy2(source, to)
        for linked in LINKED:
            for entry in Path(linked).resolve().iterdir():
                (self.root / linked).mkdir(exist_ok=True)
                if not (self.root / linked / entry.name).exists():
                    (self.root / linked / entry.name).symlink_to(entry)
        for entry in self.build.iterdir():
            if entry.name not in ("tests", "mutants", "coverage"):
                (self.own / entry.name).symlink_to(entry)

    def compile(self, path: str, source: Path, to: Path, how: Flags = ()) -> bool:
        """Compiles `source` as if it were `path`."""
        words = list(self._compiles[path])
        words[words.index("-c") + 1] = str(source)
        words[words.index("-o") + 1] = str(to)
        words = [w for w in words if w not in ("-MMD", "-MP")]
        words.insert(next(i for i, word in enumerate(words) if word[0] == "-"), f"-iquote{self._mutant}")  # CC may have words
        here = f"-iquote{Path(path).parent}"  # files beside it
        return succeeds([*words, here, *STRICT, *how])

    def _link(self, program: str, path: str, mutated: Path, how: Flags) -> bool:
        """Links a program of BUILD with the changed object into the copy."""
        words = list(self._links.get(program, []))
        unit = program.replace(f"{self.build.name}/tests/", "tests/unit/") + ".c"
        ordinary = f"{self.build.name}/{path[:-2]}.o"
        if unit in self._compiles and f'#include "{Path(path).name}"' in Path(unit).read_text():  # it includes the source
            own = self.own / "unit.o"
            words[words.index(f"{self.build.name}/{unit[:-2]}.o")] = str(own)
            if not self.compile(unit, Path(unit), own, how):
                return False
            if ordinary not in words:  # the unit replaces the archive's object
                return self._linked(program, words, how)
        archive = next((i for i, w in enumerate(words) if w.endswith(".a")), None)
        if ordinary in words:
            words[words.index(ordinary)] = str(mutated)
        elif archive is not None:  # an object in front of the archive wins
            words.insert(archive, str(mutated))
        else:
            return False
        return self._linked(program, words, how)

    def _linked(self, program: str, words: list[str], how: Flags) -> bool:
        to = self.own / Path(program).relative_to(self.build.name)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.unlink(missing_ok=True)
        words[words.index("-o") + 1] = str(to)
        fast = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
        return succeeds([*words, *fast, "-Wl,-s", *how])

    def _programs(self, path: str) -> list[str]:
        programs = [f"{self.build.name}/{name}" for name in PROGRAMS]
        return [p for p in programs if f"{self.build.name}/{path[:-2]}.o" in self._links.get(p, [])]

    def _restore(self) -> None:
        """Restores BUILD's programs in the copy."""
        for name in PROGRAMS:
            (self.own / name).unlink(missing_ok=True)
            (self.own / name).symlink_to(self.build / name)

    def run(self, test: Test, seconds: float, how: Flags = ()) -> Ran:
        """Runs a test in the copy; `seconds` is its time on unchanged code."""
        command = list(test.command)
        if command[0] != "sh":
            command = [f"build/tests/{test.program}"]
        environment = os.environ | {
            "BUILD": "build",
            "CMOCKA_MESSAGE_OUTPUT": "TAP",
            "RULESMITH_VENVS": "/nonexistent",
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "ASAN_OPTIONS": f"hard_rss_limit_mb={MEMORY >> 20}",
        }
        most = math.ceil(SPARE + TIMES * seconds)
        mapped = "unlimited" if how else MEMORY  # a sanitizer maps far more memory than it uses
        limited = ["nice", "prlimit", f"--as={mapped}", f"--fsize={FILE}", f"--cpu={most}", "--core=0", *command]
        log, late, over = self.root / "log", threading.Event(), threading.Event()
        started = time.monotonic()
        with log.open("wb") as out:
            child = subprocess.Popen(
                limited, cwd=self.root, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment,
                start_new_session=True,
            )  # fmt: skip

            def end() -> None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)

            def watch() -> None:
                while not over.wait(LOOK):
                    if time.monotonic() - started > WAIT * most:
                        late.set()
                    if late.is_set() or fails(log):
                        end()
                        return

            watcher = threading.Thread(target=watch)
            watcher.start()
            _, status, used = os.wait4(child.pid, 0)
            over.set()
            watcher.join()
            child.returncode = code = os.waitstatus_to_exitcode(status)
            end()
        failed = fails(log)
        took = max(used.ru_utime + used.ru_stime, (time.monotonic() - started) / IDLE)
        return Ran(code == 0 and not failed, took, not failed and (late.is_set() or code == -signal.SIGXCPU))

    def unchanged(self, test: Test, seconds: float, how: Flags = ()) -> Ran:
        """Runs a test on unchanged code within so many seconds, with programs linked like those of mutants."""
        programs = [f"{self.build.name}/{p}" for p in (PROGRAMS if test.command[0] == "sh" else [f"tests/{test.program}"])]
        if self._unchanged != (programs, how) and not all(self._linked(p, list(self._links[p]), how) for p in programs):
            raise RuntimeError(f"mutants: {programs} cannot be linked")
        self._unchanged = programs, how
        return self.run(test, seconds / TIMES, how)

    def _same(self, m: Mutant, source: Path, mutated: Path) -> bool:
        """True if the original compiles to the same object code."""
        ordinary = self.own / "ordinary.o"
        source.write_text(Path(m.path).read_text())
        return self.compile(m.path, source, ordinary) and mutated.read_bytes() == ordinary.read_bytes()

    def _ask(self, m: Mutant, mutated: Path, tests: Timed, how: Flags = ()) -> Iterator[tuple[Test, float, Ran]]:
        """Runs each test with the object in its program."""
        self._restore()
        linked = False
        for test, seconds in tests:
            if test.command[0] != "sh":
                if not self._link(f"{self.build.name}/tests/{test.program}", m.path, mutated, how):
                    continue
            elif not linked:
                linked = all(self._link(p, m.path, mutated, how) for p in self._programs(m.path))
                if not linked:
                    continue
            yield test, seconds, self.run(test, seconds, how)

    def judge(self, m: Mutant, tests: Timed, clean: Callable[[Test], bool]) -> Verdict:
        """Runs `tests`, given with their seconds on unchanged code, until one fails; then the fast ones that are clean
        with sanitizers again with these."""
        text = Path(m.path).read_text().split("\n")
        text[m.line - 1] = m.after
        shutil.rmtree(self._mutant, ignore_errors=True)
        self._mutant.mkdir()
        source, mutated = self._mutant / Path(m.path).name, self.own / "mutant.o"
        source.write_text("\n".join(text))
        if not self.compile(m.path, source, mutated):
            if not self.compile(m.path, Path(m.path), mutated):
                raise RuntimeError(f"mutants: {m.path} does not compile as it is")
            return Verdict("discarded", "it does not compile")
        passed: list[tuple[Test, float]] = []
        for test, seconds, ran in self._ask(m, mutated, tests):
            if not ran.passed:
                return Verdict("killed", test.name + (" (hang)" if ran.hangs else ""), [t.name for t, _ in passed])
            passed.append((test, seconds))
        names = [t.name for t, _ in passed]
        if self.compile(m.path, source, mutated, SANITIZED):
            for test, _, ran in self._ask(m, mutated, (p for p in passed if p[1] <= BRIEF and clean(p[0])), SANITIZED):
                if not ran.passed:
                    return Verdict("killed", f"{test.name} (sanitizer)", names)
        same = self.compile(m.path, source, mutated) and self._same(m, source, mutated)
        return Verdict("equivalent", "the same machine code", names) if same else Verdict("survived", "", names)

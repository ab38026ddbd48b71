"""One mutant: built into a copy of the tree, then the tests that reach it, until one fails.

    BUILD/mutants/N/        a copy of the tree, but links to traces/ and generated/; tests run in it
    BUILD/mutants/N/build/  links to BUILD, but for the programs that the mutant is in

Only the changed file is compiled; make says with which command, and how what it is in is linked. A mutant whose object is
the same as that of the unchanged file is equivalent."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from tests.coverage.profiles import Test
from tests.mutants.operators import Mutant
from tests.mutants.reach import PROGRAMS

COPIED = (
    "tests", "runtime", "synth", "codegen", "docs", "Makefile", "pyproject.toml", ".ci",
    "traces/backends.sh", "traces/collect", "traces/__init__.py",
)  # fmt: skip
MEMORY, FILE = 6 << 30, 1 << 28  # bytes a test may map, and write to one file
SPARE, TIMES = 10, 4  # a process may take so many seconds of the processor, and so many times what the test took
WAIT = 10  # and so many times that by the clock, for a machine that has other work
STRICT = ("-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=uninitialized", "-w", "-g0")


def make_steps(build: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The commands that compile each file of C, and those that link each program, as make would run them all."""
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


SOUND: dict[str, bool] = {}  # tests that killed something: whether they pass with nothing changed


class Slot:
    """A copy of the tree, in which one mutant at a time lives."""

    def __init__(self, build: Path, number: int) -> None:
        self.build = build.resolve()
        self.root = self.build / "mutants" / str(number)
        self.own = self.root / "build"
        self._compiles, self._links = make_steps(self.build.name)
        shutil.rmtree(self.root, ignore_errors=True)
        self.own.mkdir(parents=True)
        for name in COPIED:
            source, to = Path(name), self.root / name
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__", "*.o"))
            elif source.exists():
                shutil.copy2(source, to)
        for name in ("traces", "generated"):
            (self.root / name).mkdir(exist_ok=True)
            for entry in Path(name).resolve().iterdir():
                if not (self.root / name / entry.name).exists():
                    (self.root / name / entry.name).symlink_to(entry)
        for entry in self.build.iterdir():
            if entry.name not in ("tests", "mutants", "coverage"):
                (self.own / entry.name).symlink_to(entry)

    def compile(self, path: str, source: Path, to: Path) -> bool:
        """Compiles `source` as if it were `path`."""
        words = list(self._compiles[path])
        words[words.index("-c") + 1] = str(source)
        words[words.index("-o") + 1] = str(to)
        words = [w for w in words if w not in ("-MMD", "-MP")]
        here = f"-iquote{Path(path).parent}"  # what stands beside the file
        return subprocess.run(["nice", *words, here, *STRICT], capture_output=True, timeout=300, check=False).returncode == 0

    def _link(self, program: str, path: str, mutated: Path) -> bool:
        """Links a program of BUILD with the changed object into the copy."""
        words = list(self._links.get(program, []))
        ordinary = f"{self.build.name}/{path[:-2]}.o"
        archive = next((i for i, w in enumerate(words) if w.endswith(".a")), None)
        if ordinary in words:
            words[words.index(ordinary)] = str(mutated)
        elif archive is not None:  # it is in an archive: what comes before that is taken first
            words.insert(archive, str(mutated))
        else:
            return False
        to = self.own / Path(program).relative_to(self.build.name)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.unlink(missing_ok=True)
        words[words.index("-o") + 1] = str(to)
        fast = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
        return subprocess.run(["nice", *words, *fast, "-Wl,-s"], capture_output=True, timeout=300, check=False).returncode == 0

    def _programs(self, path: str) -> list[str]:
        programs = [f"{self.build.name}/{name}" for name in PROGRAMS]
        return [p for p in programs if f"{self.build.name}/{path[:-2]}.o" in self._links.get(p, [])]

    def _restore(self) -> None:
        """The programs of the copy are BUILD's again."""
        for name in PROGRAMS:
            (self.own / name).unlink(missing_ok=True)
            (self.own / name).symlink_to(self.build / name)

    def passes(self, test: Test, seconds: float) -> tuple[bool, bool]:
        """Runs a test in the copy, which takes `seconds` otherwise: whether it passed, and whether it took far longer."""
        command = list(test.command)
        if command[0] != "sh":
            command = [f"build/tests/{test.name.removeprefix('unit/')}"]
        environment = os.environ | {
            "BUILD": "build",
            "CMOCKA_MESSAGE_OUTPUT": "TAP",
            "RULESMITH_VENVS": "/nonexistent",
            "XDG_CACHE_HOME": str(self.root / "cache"),
        }
        most = int(SPARE + TIMES * seconds)
        limited = ["nice", "prlimit", f"--as={MEMORY}", f"--fsize={FILE}", f"--cpu={most}", "--core=0", *command]
        log, late = self.root / "log", False
        with log.open("wb") as out:
            child = subprocess.Popen(
                limited, cwd=self.root, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment,
                start_new_session=True,
            )  # fmt: skip
            try:
                code = child.wait(WAIT * most)
            except subprocess.TimeoutExpired:
                code, late = -1, True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        told = log.read_text(errors="replace")
        failed = any(re.match(r"not ok (?!.*# *skip)", line, re.IGNORECASE) for line in told.splitlines())
        return code == 0 and not failed, late or code == -signal.SIGXCPU

    def _sound(self, test: Test) -> bool:
        """Whether a test passes in the copy when nothing is changed, tried once."""
        if test.name not in SOUND:
            self._restore()
            if test.command[0] != "sh":
                to = self.own / "tests" / test.name.removeprefix("unit/")
                to.unlink(missing_ok=True)
                to.symlink_to(self.build / "tests" / test.name.removeprefix("unit/"))
            SOUND[test.name] = self.passes(test, 60)[0]
        return SOUND[test.name]

    def judge(self, m: Mutant, tests: list[tuple[Test, float]]) -> tuple[str, str]:
        """(killed, survived, equivalent or discarded; by which test, or why). `tests`: with the seconds that each takes."""
        self._restore()
        text = Path(m.path).read_text().split("\n")
        text[m.line - 1] = m.after
        source, mutated, ordinary = (self.own / f"mutant{end}" for end in (".c", ".o", ".ordinary.o"))
        source.write_text("\n".join(text))
        if not self.compile(m.path, source, mutated):
            return "discarded", "it does not compile"
        source.write_text(Path(m.path).read_text())
        if self.compile(m.path, source, ordinary) and mutated.read_bytes() == ordinary.read_bytes():
            return "equivalent", "the same machine code"
        linked = False
        for test, seconds in tests:
            if test.command[0] == "sh":
                if not linked:
                    linked = all(self._link(p, m.path, mutated) for p in self._programs(m.path))
                    if not linked:
                        return "discarded", "it does not link"
            elif not self._link(f"{self.build.name}/tests/{test.name.removeprefix('unit/')}", m.path, mutated):
                continue
            passed, hangs = self.passes(test, seconds)
            if not passed and self._sound(test):
                return "killed", test.name + (" (hang)" if hangs else "")
            linked &= passed
        return "survived", "" if tests else "no test reaches it"

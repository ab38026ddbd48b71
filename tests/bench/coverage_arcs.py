"""Arcs of torch's compiler that a generator's models cover. usage: coverage_arcs.py GENERATOR SECONDS FILE
[RULEFUZZ]

GENERATOR is `nnsmith` (its models as the nn.Module that it makes of them) or `rulefuzz` (models as `rulefuzz
run` makes them); both compile one model at a time with rulefuzz's torch-inductor. `rulefuzz-run` runs models
through torch-decomp, torch-aot and torch-inductor, 24 at a time, as `rulefuzz run` does. It continues until
SECONDS of CPU time are spent, including generation, compiler and g++, in children of 24 models each; the arcs of
a child that dies are lost. FILE gets a line "file from to" per arc. Prints a table with a line per package.
`coverage_arcs.py FILE FILE` prints a table of two, and the arcs that only the second has, by file.

An arc is a pair of lines executed one after the other (coverage.py, branch=True, its C tracer). Lines run on
import and during a first model's compilation are not counted. Python: that of `traces/backends.sh nnsmith`.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "runtime" / "python"))

PACKAGES = ("_inductor", "_dynamo", "_functorch", "_decomp")
BATCH = 24
WALL = 900.0
"""Seconds before a child is killed."""
SHARES = "--layouts 0.3 --gradients 0.3 --modules 0.3 --repeats 0.1 --dynamic-shapes 0.1 --invalid 0.05"
"""The feature options of a run."""
TARGETS = ("torch-decomp", "torch-aot", "torch-inductor")
Arcs = set[tuple[str, int, int]]


def spent() -> float:
    """CPU time of all children so far, with their own children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- the work of a child


def by_nnsmith(kind: Any, operators: Any, first: int, say: Callable[[str], None]) -> None:
    """NNSmith's models, by its default method."""
    import torch
    from nnsmith.graph_gen import model_gen

    from rulefuzz.targets import torch_inductor

    for seed in range(first, first + BATCH):
        try:
            graph = model_gen(opset=operators, method="symbolic-cinit", seed=seed, max_nodes=5, timeout_ms=10000)
            net = kind.from_gir(graph.make_concrete()).torch_model.eval()
            taken = list(net.get_random_inps().values())
            with torch.no_grad():
                net(*taken)
                torch_inductor.compile(net, taken, lambda stage: None)(*taken)
            say("compiled")
        except Exception as error:
            say(type(error).__name__)


def lines(rulefuzz: str, first: int) -> list[Any]:
    """rulefuzz's models."""
    command = [rulefuzz, "gen", "--framework", "torch", "--seed", "1", "--first", str(first), "--count", str(BATCH)]
    made = subprocess.run([*command, *SHARES.split()], capture_output=True, check=True).stdout
    return [json.loads(line) for line in made.splitlines()]


def by_rulefuzz(rulefuzz: str, first: int, names: tuple[str, ...], together: bool, say: Callable[[str], None]) -> None:
    """Compiles rulefuzz's models with some targets."""
    from rulefuzz import assignments, framework, targets
    from rulefuzz.model import Reader
    from rulefuzz.oracle.tiers import Tiers

    adapter = framework.load("torch")
    reader = Reader(adapter)
    adapter.enter()
    models = [assignments.read(item, reader.model(item)) for item in lines(rulefuzz, first)]
    tiers = Tiers(adapter, [targets.load(name) for name in names], lambda target, stage: None, "measured")
    for part in [models] if together else [[model] for model in models]:
        for answer in tiers.run(part):
            say(str(answer["verdict"]))


def work(generator: str, rulefuzz: str) -> Callable[[int, Callable[[str], None]], None]:
    """The task of each child, by the number of its first model. Common modules are imported, and one model has run."""
    import torch  # noqa: F401

    from rulefuzz import targets

    for name in TARGETS:
        targets.load(name).prepare()
    if generator == "nnsmith":
        from nnsmith.materialize import Model
        from nnsmith.narrow_spec import auto_opset

        kind = Model.init("torch", backend_target="cpu")
        kind.add_seed_setter()
        operators = auto_opset(kind, None)
        return lambda first, say: by_nnsmith(kind, operators, first, say)
    names = TARGETS if generator == "rulefuzz-run" else TARGETS[2:]
    return lambda first, say: by_rulefuzz(rulefuzz, first, names, generator == "rulefuzz-run", say)


# ---- children


def measured(task: Callable[[Callable[[str], None]], None], report: Path) -> None:
    """Runs a task under coverage; the report holds its output, then the arcs."""
    import coverage
    import torch

    root = Path(torch.__file__).resolve().parent
    folders = [f"{root}/{name}/*" for name in PACKAGES]
    tracer = coverage.Coverage(branch=True, data_file=None, config_file=False, include=folders)
    said: list[str] = []
    tracer.start()
    try:
        task(said.append)
    except Exception as error:
        said.append(f"whole: {error}"[:200])
    tracer.stop()
    data = tracer.get_data()
    files = {file: Path(file).resolve().relative_to(root) for file in data.measured_files()}
    found = [f"{name} {a} {b}" for file, name in files.items() for a, b in data.arcs(file) or ()]
    report.write_text(json.dumps({"said": said, "arcs": found}))


def child(task: Callable[[Callable[[str], None]], None], folder: str) -> dict[str, list[str]]:
    """The report of a child process; empty if it died or was killed."""
    report = Path(folder, "report.json")
    pid = os.fork()
    if not pid:
        os.setpgid(0, 0)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        warnings.simplefilter("ignore")
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        with contextlib.suppress(BaseException):
            measured(task, report)
        os._exit(0)
    end = time.monotonic() + WALL
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        time.sleep(0.05)
        if time.monotonic() > end:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, 9)
    found: dict[str, list[str]] = json.loads(report.read_text()) if report.exists() else {"said": [], "arcs": []}
    return found


def slices(do: Callable[[int, Callable[[str], None]], None], seconds: float) -> Iterator[dict[str, list[str]]]:
    """Starts children until the time is over."""
    first = 0
    while spent() < seconds:
        with tempfile.TemporaryDirectory() as folder:
            yield child(functools.partial(do, first), folder)
        first += BATCH


def first_model() -> Arcs:
    """The arcs that compiling any model covers."""
    import torch

    def simple(say: Callable[[str], None]) -> None:
        torch.compile(lambda x: (x @ x + 1).relu())(torch.ones(4, 4))

    with tempfile.TemporaryDirectory() as folder:
        return {parsed(line) for line in child(simple, folder)["arcs"]}


# ---- tables


def parsed(line: str) -> tuple[str, int, int]:
    """Reads an arc from its line."""
    file, start, end = line.split()
    return file, int(start), int(end)


def package(arc: tuple[str, int, int]) -> str:
    """The package of an arc's file."""
    return arc[0].split("/")[0]


def table(columns: dict[str, Arcs]) -> None:
    """Prints the number of arcs of each."""
    counts = {name: collections.Counter(map(package, arcs)) for name, arcs in columns.items()}
    print(f"{'':12}" + "".join(f"{name:>16}" for name in columns))
    for row in (*PACKAGES, "all"):
        print(f"{row:12}" + "".join(f"{count.total() if row == 'all' else count[row]:16,}" for count in counts.values()))


def compared(one: str, other: str) -> None:
    """Prints a table of two, and the files in which the second has more."""
    columns = {Path(path).stem: set(map(parsed, Path(path).read_text().splitlines())) for path in (one, other)}
    table(columns)
    mine, theirs = columns.values()
    only = collections.Counter(arc[0] for arc in theirs - mine)
    print(f"only {Path(other).stem}: " + ", ".join(f"{file} {n}" for file, n in only.most_common(25)))


def main() -> int:
    """The command."""
    arguments = sys.argv[1:]
    if len(arguments) == 2:
        compared(*arguments)
        return 0
    if len(arguments) not in (3, 4) or arguments[0] not in ("nnsmith", "rulefuzz", "rulefuzz-run"):
        sys.exit(__doc__)
    generator, seconds, path, rulefuzz = [*arguments, "build/rulefuzz"][:4]
    do = work(generator, str(Path(rulefuzz).resolve()))
    known, start = first_model(), spent()
    arcs: Arcs = set()
    said: collections.Counter[str] = collections.Counter()
    for report in slices(do, start + float(seconds)):
        arcs |= {parsed(line) for line in report["arcs"]}
        said.update(report["said"])
        said["died"] += not report["said"]
        arcs -= known
        Path(path).write_text("".join(f"{file} {a} {b}\n" for file, a, b in sorted(arcs)))
        print(f"{spent() - start:.0f} s: {len(arcs):,} arcs, {said.total()} models", file=sys.stderr, flush=True)
    print(f"{generator}: {spent() - start:.0f} s, {dict(said.most_common())}")
    table({generator: arcs})
    return 0


if __name__ == "__main__":
    sys.exit(main())

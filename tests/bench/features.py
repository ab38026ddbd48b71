"""Planted faults of optimisers that need a feature of models.   usage: features.py RULEFUZZ [MODELS [SEED]]

For each fault (rulefuzz/faults/torch.py has them) at most MODELS (600) are judged that have the feature which it needs and no
other, with the share that runs have by default, and MODELS without any. Prints a line a fault: the first model that shows it,
with and without. Exit 1 where less than 95 % are found with their feature, more than 20 % without, or eager itself differs.
Python: that of torch's virtual environment.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "runtime" / "python"))

from rulefuzz import framework, sandbox
from rulefuzz.faults import torch as faults
from rulefuzz.model import Reader
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target

FAULTS = {
    "layouts": "memory-order channels-last expanded-dense offset-ignored step-ignored stride-of-one rank0-offset alias-moved",
    "gradients": "broadcast-grad twice-once sub-grad neg-grad mean-grad permute-grad view-grad",
    "modules": "parameter-first buffer-rolled",
    "repeats": "cse-attributes cse-zeros cse-raises dead-raises",
}
SHARES = {"layouts": "0.3", "gradients": "0.3", "modules": "0.3", "repeats": "0.1"}
"""Those of a run."""
PART = 20
"""Models a process."""
WRONG = ("inconsistency", "error")


def target(fault: str) -> Target:
    """Eager with the fault."""
    module = ModuleType("planted")

    def compile_planted(function: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return faults.planted(function, example, fault)

    module.compile = compile_planted  # type: ignore[attr-defined]
    return Target(fault, module)


def judged(adapter: Any, reader: Reader, lines: list[str], wanted: list[str]) -> list[list[str]]:
    """For each model the faults that it shows."""
    adapter.enter()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tracebacks of planted faults
    found: list[list[str]] = []
    for line in lines:
        adapter.reseed(0)
        check = Check(adapter, target(""), reader.model(json.loads(line)), Clock(lambda stage: None))
        fit = check.unfit() is None
        shown = []
        for fault in wanted if fit else ():
            adapter.reseed(0)
            shown += [fault] if check.by(target(fault)).judged()["verdict"] in WRONG else []
        found.append(shown)
    return found


def hunt(adapter: Any, reader: Reader, lines: list[str], names: list[str]) -> dict[str, int]:
    """The first model that shows each fault."""
    first: dict[str, int] = {}
    for start in range(0, len(lines), PART):
        wanted = [name for name in names if name not in first]
        part = lines[start : start + PART]
        answer, _ = sandbox.call(functools.partial(judged, adapter, reader, part, wanted), sandbox.Limits(wall=600.0))
        for i, shown in enumerate(answer or []):
            first.update((fault, start + i) for fault in shown if fault not in first)
        if all(name in first for name in names if name):
            break
    return first


def models(rulefuzz: str, count: int, seed: int, feature: str) -> Iterator[str]:
    """Lines of models with a feature; "": with none."""
    share = [f"--{feature}", SHARES[feature]] if feature else []
    command = [rulefuzz, "gen", "--count", str(count), "--seed", str(seed), *share]
    yield from subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def main() -> int:
    """The command."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count, seed = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((2, 600), (3, 0)))
    adapter = framework.load("torch")
    reader = Reader(adapter)
    every = [fault for names in FAULTS.values() for fault in names.split()]
    hits, wrong = 0, False
    for feature, names in FAULTS.items():
        found = hunt(adapter, reader, list(models(sys.argv[1], count, seed, feature)), ["", *names.split()])
        wrong = wrong or "" in found
        for fault in names.split():
            hits += fault in found
            said = f"model {found[fault]}" if fault in found else f"not in {count}"
            print(f"{feature:10} {fault:16} {said}", flush=True)
    without = hunt(adapter, reader, list(models(sys.argv[1], count, seed, "")), ["", *every])
    wrong = wrong or "" in without
    print("without:", ", ".join(f"{fault} in model {i}" for fault, i in without.items()) or f"none in {count}")
    print(f"{hits} of {len(every)} planted faults found with their feature, {len(without.keys() - {''})} without")
    print("eager differs from itself" if wrong else "eager does not differ from itself")
    return 0 if hits * 100 >= 95 * len(every) and len(without.keys() - {""}) * 100 <= 20 * len(every) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())

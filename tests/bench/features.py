"""Planted faults of optimisers that need a feature of models.   usage: features.py RULEFUZZ LOG [MODELS [FAULT…]]

For each fault (rulefuzz/frameworks/torch_faults.py has them) MODELS (600) are run with the feature that it needs and no other,
and as many without any. Adds a line a fault to LOG: whether it was found with, and without; goes on behind those that LOG has.
Exit 1 where less than 95 % are found with their feature, or more than 20 % without.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FAULTS = {
    "layouts": "memory-order channels-last expanded-dense offset-ignored step-ignored stride-of-one rank0-offset alias-moved",
    "gradients": "broadcast-grad twice-once sub-grad neg-grad mean-grad permute-grad view-grad",
    "modules": "parameter-first buffer-rolled",
    "repeats": "cse-attributes cse-zeros cse-raises dead-raises",
}
SHARES = {"layouts": "0.3", "gradients": "0.3", "modules": "0.3", "repeats": "0.1"}
"""Those of a run."""
PART = 150
"""Models between looks."""


def found(rulefuzz: str, fault: str, feature: str, first: int, count: int) -> bool:
    """Whether the fault is found in these models; feature: "": none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [rulefuzz, "run", "--backend", "torch-planted", "--db", f"{folder}/f.db", "--capabilities", "none"]
        command += ["--first", str(first), "--count", str(count)]
        for name, share in SHARES.items():
            command += [f"--{name}", share if name == feature else "0"]
        environment = {**os.environ, "RULEFUZZ_PLANTED": fault}
        end = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if end.returncode not in (0, 3):
            sys.exit(f"features.py: {fault}: {end.stderr}")
        return end.returncode == 3


def main() -> int:
    """The command."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rulefuzz, log, models = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 600
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    done = {line.split()[1]: (" with: found" in line, " without: found" in line) for line in lines}
    every = [(feature, fault) for feature, faults in FAULTS.items() for fault in faults.split()]
    every = [pair for pair in every if not sys.argv[4:] or pair[1] in sys.argv[4:]]
    for feature, fault in every:
        if fault in done:
            continue
        parts = range(0, models, PART)
        hits = [any(found(rulefuzz, fault, feature, first, PART) for first in parts), found(rulefuzz, fault, "", 0, models)]
        done[fault] = hits[0], hits[1]
        said = ["found" if hit else "not found" for hit in hits]
        with log.open("a", encoding="utf-8") as out:
            print(f"{feature:10} {fault:16} {models} models with: {said[0]}; without: {said[1]}", file=out)
    hits_with, hits_without = (sum(done[fault][k] for _, fault in every) for k in (0, 1))
    print(f"{hits_with} of {len(every)} planted faults found with their feature, {hits_without} without")
    return 0 if hits_with * 100 >= 95 * len(every) and hits_without * 100 <= 20 * len(every) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Planted faults that a campaign must find: torch's eager with a broken API. usage: faults.py RULEFUZZ LOG [SECONDS
[FIRST]]

For each fault it runs models in parts until a finding names the API, or for SECONDS (600) of wall time. FIRST
(1) is the number of the first fault. It appends a line per fault to LOG, with seconds and models until the
finding, continues after the faults that LOG already has, and closes with "N of M planted faults found", counted
from FIRST on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BY_RESULT = {
    "round": ("exp", "sqrt", "matmul", "sum", "mean", "tanh", "softmax", "mul", "cumsum", "linear"),
    "truncate": ("div", "sigmoid", "mean", "log1p", "sin", "layer_norm", "lerp", "var", "erf", "logsumexp"),
    "stride": ("relu", "add", "matmul", "softmax", "transpose", "conv2d", "cat", "cumsum", "abs", "tril"),
    "pad": ("conv1d", "max_pool2d", "avg_pool2d", "roll", "narrow", "diff", "pad", "neg", "flip", "repeat"),
    "axis": ("softmax", "cumsum", "sum", "amax", "flip", "cat", "stack", "gather", "sort", "norm"),
    "element": ("mul", "add", "relu", "matmul", "expand", "reshape", "where", "clamp", "square", "permute"),
    "size1": ("squeeze", "mean", "matmul", "add", "cat", "unsqueeze", "sum", "softmax", "mul", "tanh"),
    "broadcast": ("add", "mul", "sub", "where", "maximum", "lerp", "pow", "atan2", "fmod", "hypot"),
    "stale": ("relu", "mul", "cos", "sin", "floor", "exp2", "neg", "ceil", "sigmoid", "add"),
    "swap": ("sub", "div", "matmul", "pow", "atan2", "fmod", "true_divide", "ldexp", "xlogy", "outer"),
    "drop": ("relu", "abs", "neg", "floor", "exp", "flip", "cumsum", "softmax", "triu", "reciprocal"),
    "perturb": ("add", "conv2d", "layer_norm", "gelu", "max_pool1d", "einsum", "gather", "cdist", "addmm", "bmm"),
    "raise": ("atan", "roll"),
    "crash": ("asinh", "std"),
    "hang": ("acos", "cov"),
    "exit": ("tan", "kron"),
}
PART = 100
"""Models per part."""


def found(rulefuzz: str, database: Path, name: str) -> bool:
    """True if a finding names the API."""
    command = [rulefuzz, "list", "--db", str(database), "--json"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return any(name in str(finding["apis"]) for finding in json.loads(text)["findings"])


def hunt(rulefuzz: str, fault: str, name: str, seconds: float) -> tuple[bool, float, int]:
    """Whether it was found, and the seconds and models that took."""
    start, models = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "f.db"
        environment = {**os.environ, "RULEFUZZ_BROKEN": f"torch.{name}:{fault}"}
        while time.monotonic() - start < seconds:
            command = [rulefuzz, "run", "--backend", "torch-broken", "--db", str(database), "--timeout", "4", "--json"]
            command += ["--first", str(models), "--count", str(PART), "--reduce-time", "5", "--triage-share", "1"]
            end = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if end.returncode not in (0, 3, 4):
                sys.exit(f"faults.py: {end.stderr}")
            models += PART
            if end.returncode == 3 and found(rulefuzz, database, name):
                return True, time.monotonic() - start, models
    return False, time.monotonic() - start, models


def main() -> int:
    """The command."""
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    log, seconds = Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) >= 4 else 600.0
    first = int(sys.argv[4]) if len(sys.argv) == 5 else 1
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    done = {tuple(line.split()[:2]): " found " in line for line in lines if len(line.split()) > 3}
    every = [(fault, names[i]) for i in range(10) for fault, names in BY_RESULT.items() if i < len(names)]
    every = every[first - 1 :]
    for fault, name in every:
        if (fault, name) in done:
            continue
        hit, took, models = hunt(sys.argv[1], fault, name, seconds)
        done[fault, name] = hit
        with log.open("a", encoding="utf-8") as out:
            print(f"{fault:10} {name:14} {'found' if hit else 'NOT FOUND'} after {took:.0f} s, {models} models", file=out)
    hits = sum(done[pair] for pair in every)
    print(f"{hits} of {len(every)} planted faults found")
    return 0 if hits * 100 >= 95 * len(every) else 1


if __name__ == "__main__":
    sys.exit(main())

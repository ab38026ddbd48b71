"""What inductor's kernels for the models of a campaign contain. usage: kernels.py RULEFUZZ [MODELS [SEED]]

Models come from `rulefuzz gen` with the shares of `rulefuzz run`, in batches with drawn settings of torch-inductor, compiled as
one function where a campaign does so. Code is generated, but neither compiled nor run. Prints the shares of C++ kernels with
vectorized loops, transposed tiles, reductions split over threads, and inductor's GEMM template. Exit 1 if one misses its
goal. MODELS (96) take about two CPU seconds each. Python: that of the torch environment.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
import sys
import unittest.mock
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "runtime" / "python"))

SHARES = "--layouts 0.3 --gradients 0.3 --modules 0.3 --mutation 0.3 --repeats 0.1 --wide-integers 0.2 --dynamic-shapes 0.1"
SHARES += " --chains 0.4 --weights 0.25"
SIZES = "mixed"
CONTENTS = {
    "vectorized loops": (re.compile(r"at::vec::"), 50),
    "transposed tiles": (re.compile(r"transpose_mxn"), 5),
    "reductions split over threads": (re.compile(r"_arr\[tid\]"), 5),
    "the GEMM template": (re.compile(r"micro_gemm"), 2),
}
"""How each shows in a kernel's source, and the goal in per cent of the kernels."""
ELSEWHERE = ("package", "cpp_wrapper")
"""Settings whose kernels are generated with a program around them."""


class Generated(Exception):
    """Code was generated, and is not compiled."""


def contents(source: str) -> list[str]:
    """What a kernel contains."""
    return [name for name, (mark, _) in CONTENTS.items() if mark.search(source)]


def drawn(numbers: random.Random) -> dict[str, str]:
    """The settings of a batch, as `rulefuzz run` draws them."""
    from rulefuzz.settings.torch_inductor import OFTEN, SETTINGS, SHARE

    if numbers.random() >= SHARE / 1000:
        return {}
    names = numbers.sample([name for name in SETTINGS if name not in ELSEWHERE], numbers.randint(1, 3))
    names += [name for name in OFTEN if numbers.random() < 0.5]
    return {name: numbers.choice(SETTINGS[name][1:]) for name in names}


def kernels_of(models: list[Any]) -> list[str]:
    """The sources of all kernels of some models with equal settings."""
    from rulefuzz import framework, targets
    from rulefuzz.frameworks import torch_kernels
    from rulefuzz.oracle.tiers import Tiers

    sources: list[str] = []

    def stop(waiting: list[Any]) -> None:
        sources.extend(kernel.source for kernel in waiting)
        waiting.clear()
        raise Generated

    class Generating(Tiers):
        """Counts a merged model as done once its code is generated."""

        def _settled(self, target: Any, ways: Any) -> list[Any]:
            before = len(sources)
            found = super()._settled(target, ways)
            return [{"verdict": "ok", "differs": []}] * len(ways) if len(sources) > before else found

        def _alone(self, target: Any, way: Any) -> None:
            way.take(target.name, {"verdict": "unsupported"}, 0.0)

    with unittest.mock.patch.object(torch_kernels, "_compile", stop):
        by = [targets.load("torch-inductor")]
        Generating(framework.load("torch"), by, lambda target, stage: None, "measured").run(models)
    return sources


def main() -> int:
    """Runs the command."""
    rulefuzz, count, seed = sys.argv[1], int([*sys.argv, "96"][2]), int([*sys.argv, "", "1"][3] or 1)
    from rulefuzz import assignments, framework, targets
    from rulefuzz.model import Reader

    adapter, target = framework.load("torch"), targets.load("torch-inductor")
    target.prepare()
    adapter.enter()
    reader, numbers, found, kernels = Reader(adapter), random.Random(seed), Counter[str](), 0
    command = [rulefuzz, "gen", "--framework", "torch", "--seed", str(seed), "--count", str(count), "--sizes", SIZES]
    lines = subprocess.run([*command, *SHARES.split()], capture_output=True, check=True).stdout.splitlines()
    for first in range(0, count, target.batch):
        settings = drawn(numbers)
        items = [{**json.loads(line), "settings": settings} for line in lines[first : first + target.batch]]
        with contextlib.redirect_stderr(None):
            sources = kernels_of([assignments.read(item, reader.model(item)) for item in items])
        kernels += len(sources)
        for source in sources:
            found.update(contents(source))
        print(f"{len(items)} models, {len(sources)} kernels, {settings}", flush=True)
    print(f"{count} models, {kernels} kernels")
    shares = {name: 100 * found[name] / max(kernels, 1) for name in CONTENTS}
    for name, (_, goal) in CONTENTS.items():
        print(f"{shares[name]:5.1f} % with {name}, at least {goal} %")
    return int(any(shares[name] < goal for name, (_, goal) in CONTENTS.items()))


if __name__ == "__main__":
    sys.exit(main())

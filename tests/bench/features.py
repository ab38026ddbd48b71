"""Planted faults of optimizers that only models with a certain feature show. usage: features.py RULEFUZZ [SCALE
[SEED]]

For each feature it judges models with the feature, at the default share of `run`, until every fault that needs
it (rulefuzz/faults) was seen or no models are left; then models without the feature that are otherwise equal.
Prints a line per fault with the first model that shows it, with and without the feature, and a table. SCALE (1)
multiplies the numbers of models in PLANS. Exit 1 if less than 95 % are found with their feature, or more than 20
% without. Models that differ without any fault are excluded and counted. Python: any; each framework is judged
in its own virtual environment.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "runtime" / "python"))

from rulefuzz import assignments, framework, sandbox
from rulefuzz.model import Model, Reader
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.session.sequence import Sequence as CallSequence
from rulefuzz.targets import Target


@dataclass(frozen=True)
class Plan:
    """A feature, and the options for models with and without it."""

    framework: str
    options: str
    """The default share of `run`."""
    off: str
    count: int
    """Number of models; all together take a run less than ten CPU minutes."""
    without: int = 600
    """Number of models without the feature."""
    marked: str = ""
    """Text in a model's JSON line that shows the feature. Other models are like those without it and are not
    judged."""


PLANS = {
    "layouts": Plan("torch", "--layouts 0.3", "", 600),
    "gradients": Plan("torch", "--gradients 0.3", "", 1200, 1200, '"gradients":'),
    "modules": Plan("torch", "--modules 0.3", "", 3000, 600, '"module":'),
    "repeats": Plan("torch", "--repeats 0.1", "", 600),
    "mutation": Plan("torch", "--mutation 0.3", "", 1200),
    "sessions": Plan("torch", "--sessions 0.1", "", 6000, 600, '"session":'),
    "regions": Plan("torch", "--regions 0.3", "", 3000, 600, '"bodies":'),
    "symbolic": Plan("torch", "--dynamic-shapes 0.1", "", 6000, 600, '"dims":{'),
    "invalid": Plan("torch", "--invalid 0.05", "", 18000, 600, '"near_miss":'),
    "initializers": Plan("onnx", "--chains 0", "--chains 0 --initializers 0", 30000, 30000),
    "chains": Plan("onnx", "", "--chains 0", 10000, 10000),
    "shapes": Plan("onnx", "--shape-arithmetic 0.5 --chains 0", "--chains 0", 3000, 3000, '"onnx.Shape"'),
    "bodies": Plan("onnx", "--functions 0.1 --subgraphs 0.1 --repeats 0.1", "--repeats 0.1", 10000, 600, '"bodies":'),
}
POINTWISE = ("add", "sub", "mul", "div", "relu", "exp", "neg", "abs", "sin", "cos", "tanh", "sigmoid", "maximum", "minimum",
             "pow", "clamp", "where", "floor", "ceil", "square", "sign", "lerp", "atan2", "hypot", "erf")  # fmt: skip
"""Targets that share one kernel generator; the faults of "dynamic-shapes" are planted in these."""
PART = 40
"""Models per process."""
WRONG = ("inconsistency", "error", "accepts-invalid")


def faults_of(feature: str) -> list[str]:
    """Their names."""
    if PLANS[feature].framework == "onnx":
        from rulefuzz.faults import onnx_bodies, onnx_chains, onnx_constants, onnx_shapes

        files = {"chains": onnx_chains, "bodies": onnx_bodies, "shapes": onnx_shapes}
        return list(files.get(feature, onnx_constants).PASSES)
    from rulefuzz.faults import torch as torch_faults
    from rulefuzz.faults import torch_checks, torch_shapes

    others = {"symbolic": list(torch_shapes.FAULTS), "invalid": list(torch_checks.CHECKS)}
    return others[feature] if feature in others else torch_faults.FAULTS[feature].split()


# ---- one model


def target(compile_planted: Callable[..., Any], compile_once: Callable[..., Any] | None = None,
           strides: bool = False) -> Target:  # fmt: skip
    """A target that compiles with the fault. strides: it keeps strides and aliases."""
    module = ModuleType("planted")

    def compile_it(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return compile_planted(subject, example)

    module.compile = compile_it  # type: ignore[attr-defined]
    module.STRIDES = strides  # type: ignore[attr-defined]
    if compile_once:
        from rulefuzz.targets import Dynamic

        module.DYNAMIC = Dynamic((), compile_once)  # type: ignore[attr-defined]
    return Target("planted", module)


def by_torch(feature: str, fault: str) -> Target:
    """Eager with the fault; "" is eager itself."""
    from rulefuzz.faults import torch as torch_faults
    from rulefuzz.faults import torch_checks, torch_sessions
    from rulefuzz.targets import torch_specialised

    if not fault:
        same = target(lambda function, example: function, lambda function, *_: function)
        same.module.SESSION = lambda function, stage: function  # type: ignore[attr-defined]
        return same
    if feature == "symbolic":

        def once(*taken: Any) -> Any:
            os.environ["RULEFUZZ_BROKEN"] = f"{','.join(f'torch.{name}' for name in POINTWISE)}:{fault}"
            return torch_specialised.compile_once(*taken)

        return target(lambda function, example: function, once)
    if feature == "sessions":
        by = target(lambda function, example: function)
        by.module.SESSION = lambda function, stage: torch_sessions.planted(function, fault)  # type: ignore[attr-defined]
        return by
    planted = (torch_checks if feature == "invalid" else torch_faults).planted
    return target(lambda function, example: planted(function, example, fault), strides=feature == "mutation")


def by_onnx(fault: str) -> Target:
    """onnxruntime after the faulty pass."""
    from rulefuzz.faults import onnx as onnx_faults
    from rulefuzz.targets import onnxruntime

    os.environ["RULEFUZZ_ORT_LEVEL"] = "DISABLE_ALL"
    return target(lambda model, example: onnxruntime.compile(onnx_faults.planted(model, fault), example, lambda stage: None))


def possible(adapter: Any, check: Check, wanted: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The faults that a model may show; for ONNX those whose pass matches something."""
    if adapter.name != "onnx":
        return wanted
    from rulefuzz.faults import onnx as onnx_faults
    from rulefuzz.faults.onnx_graph import Graph

    try:
        subject = adapter.subject(check.model, [], check.model.outputs)
    except NotImplementedError:  # the calls share no operator set
        return []
    known = Graph(subject)
    return [(feature, fault) for feature, fault in wanted if onnx_faults.planted(subject, fault, known) is not subject]


def shown(adapter: Any, check: Check, feature: str, fault: str) -> bool:
    """True if a model whose reference has run shows a fault."""
    adapter.reseed(0)
    by = by_torch(feature, fault) if adapter.name == "torch" else by_onnx(fault)
    return check.by(by).judged()["verdict"] in WRONG


def check_of(adapter: Any, model: Model) -> Check:
    """The check of a model."""
    kind = CallSequence if model.session else Symbolic if model.assignments > 1 else Check
    return kind(adapter, target(lambda function, example: function), model, Clock(lambda stage: None))


# ---- many


def judged(adapter: Any, reader: Reader, lines: list[str], wanted: list[tuple[str, str]]) -> list[list[str]]:
    """For each model the faults that it shows; "" alone if it differs without any."""
    adapter.enter()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tracebacks of planted faults
    found: list[list[str]] = []
    for line in lines:
        item = json.loads(line)
        adapter.reseed(0)
        check = check_of(adapter, assignments.read(item, reader.model(item)))
        left = possible(adapter, check, wanted)
        if not left or check.unfit():
            found.append([])
        elif shown(adapter, check, left[0][0], ""):
            found.append([""])
        else:
            found.append([fault for feature, fault in left if shown(adapter, check, feature, fault)])
    return found


def in_parts(adapter: Any, lines: list[str], wanted: list[tuple[str, str]]) -> list[list[str]]:
    """As `judged`, in a child process. If the child dies, retries with half as many models; a single model that
    kills it is skipped."""
    answer, _ = sandbox.call(functools.partial(judged, adapter, Reader(adapter), lines, wanted), sandbox.Limits(wall=600.0))
    if answer is not None or len(lines) < 2:
        return answer or [[]]
    half = len(lines) // 2
    return in_parts(adapter, lines[:half], wanted) + in_parts(adapter, lines[half:], wanted)


def hunt(adapter: Any, lines: list[tuple[int, str]], wanted: list[tuple[str, str]]) -> dict[str, int]:
    """The first model that shows each fault; "" counts models that differ without any."""
    first = {"": 0}
    for start in range(0, len(lines), PART):
        left = [(feature, fault) for feature, fault in wanted if fault not in first]
        if not left:
            break
        part = lines[start : start + PART]
        answer = in_parts(adapter, [line for _, line in part], left)
        for (number, _), faults in zip(part, answer, strict=True):
            first[""] += "" in faults
            for fault in faults:
                first.setdefault(fault, number)
    return first


def models(rulefuzz: str, plan: Plan, options: str, count: int, seed: int) -> list[tuple[int, str]]:
    """Indices and lines of models."""
    command = [rulefuzz, "gen", "--framework", plan.framework, "--count", str(count), "--seed", str(seed), *options.split()]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(i, line) for i, line in enumerate(lines) if options == plan.off or plan.marked in line]


def part(rulefuzz: str, name: str, scale: float, seed: int) -> None:
    """Runs one framework: prints a line per fault, and at the end the results of each feature as JSON."""
    adapter = framework.load(name)
    off: dict[tuple[str, int], list[str]] = {}
    for feature, plan in PLANS.items():
        if plan.framework == name:
            off.setdefault((plan.off, plan.without), []).append(feature)
    without: dict[str, int] = {}
    alarms = 0
    for (_, most), features in off.items():
        plan, wanted = PLANS[features[0]], [(f, fault) for f in features for fault in faults_of(f)]
        start, count = time.monotonic(), int(most * scale)
        without |= hunt(adapter, models(rulefuzz, plan, plan.off, count, seed), wanted)
        alarms += without.pop("")
        print(f"# {count} models without {', '.join(features)}: {time.monotonic() - start:.0f} s", flush=True)
    for feature, plan in PLANS.items():
        if plan.framework != name:
            continue
        start, names, count = time.monotonic(), faults_of(feature), int(plan.count * scale)
        lines = models(rulefuzz, plan, plan.options, count, seed)
        found = hunt(adapter, lines, [(feature, fault) for fault in names])
        for fault in names:
            said = [f"model {seen[fault]}" if fault in seen else "no" for seen in (found, without)]
            print(f"{feature:12} {fault:24} with: {said[0]:12} without: {said[1]}", flush=True)
        print(f"# {count} models with {feature}, {len(lines)} judged: {time.monotonic() - start:.0f} s", flush=True)
        counts = [len(names), *(len(set(names) & seen.keys()) for seen in (found, without))]
        print(json.dumps({feature: [*counts, alarms + found[""]]}), flush=True)
        alarms = 0


def python_of(name: str) -> str:
    """The Python of the framework's virtual environment."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return str(Path(os.environ.get("RULESMITH_VENVS") or f"{cache}/rulesmith/venv", name, "bin", "python"))


def whole(arguments: list[str]) -> int:
    """Runs every framework in its environment, and prints the table."""
    table: dict[str, list[int]] = {}
    for name in dict.fromkeys(plan.framework for plan in PLANS.values()):
        command = [python_of(name), __file__, f"--part={name}", *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                if line.startswith("{"):
                    table |= json.loads(line)
                else:
                    print(line, end="", flush=True)
        if process.returncode:
            sys.exit(f"features.py: {name} ended with {process.returncode}")
    table["all"] = [sum(column) for column in zip(*table.values(), strict=True)]
    print(f"{'':14} planted  found with  found without")
    for feature, (planted, found, without, _) in table.items():
        print(f"{feature:14} {planted:7} {found:11} {without:14}")
    planted, found, without, wrong = table["all"]
    print(f"excluded: {wrong} models that differ without any fault")
    return 0 if found * 100 >= 95 * planted and without * 100 <= 20 * planted else 1


def main() -> int:
    """The command."""
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--part=")]
    if not 1 <= len(arguments) <= 3:
        sys.exit(__doc__)
    if len(arguments) == len(sys.argv) - 1:
        return whole(arguments)
    scale, seed = (kind(arguments[i]) if len(arguments) > i else kind(d) for i, kind, d in ((1, float, 1), (2, int, 0)))
    part(arguments[0], sys.argv[1].partition("=")[2], scale, int(seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())

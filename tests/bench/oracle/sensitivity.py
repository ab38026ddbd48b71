"""Which planted faults do the oracle's excuses hide? usage: sensitivity.py RULEFUZZ [FRAMEWORK [OPERATORS [SEED]]]

For each operator it takes a call with comparable results (`gen --strategy calls`), changes the reference's result by each of
12 faults, and judges that as the result of a target. A fault counts if it changes some integer, or some float by more than
NeuRI's tolerance, and is hidden if the oracle excuses it. Prints each hidden fault, and a table by excuse. Exit 1 if more than
3 % are hidden. Python: that of the framework's environment.
"""

from __future__ import annotations

import functools
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3] / "runtime" / "python"))

from rulefuzz import framework, sandbox
from rulefuzz.framework import Framework
from rulefuzz.model import BadModel, Json, Model, Reader
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.excuses.call import is_float
from rulefuzz.targets import Target

MOST, CALLS, TRIES = 3.0, 40, 8
"""The goal in percent; calls generated for each operator; calls tried until one has comparable results."""
LIMITS = sandbox.Limits(cpu=60.0, wall=240.0)


def _at(array: Any, place: int, value: Any) -> Any:
    changed = array.copy()
    changed.reshape(-1)[place] = value
    return changed


def _largest(array: Any) -> int:
    """The place of the element with the maximum finite magnitude."""
    sizes = np.abs(array.reshape(-1).astype(np.float64))
    return int(np.argmax(np.where(np.isfinite(sizes), sizes, -1.0)))


def _other(array: Any) -> int:
    """The place of an element that differs from the first."""
    return int(np.argmax(array.reshape(-1) != array.reshape(-1)[0]))


def _tail(array: Any) -> Any:
    changed = array.copy()
    changed.reshape(-1)[-max(1, array.size // 4) :] = 0
    return changed


def _swapped(array: Any) -> Any:
    changed, place = array.copy(), _other(array)
    flat = changed.reshape(-1)
    flat[0], flat[place] = flat[place], flat[0].copy()
    return changed


def _inverted(array: Any) -> Any:
    """The largest element with another sign, or a boolean inverted."""
    place = _largest(array)
    value = array.reshape(-1)[place]
    return _at(array, place, ~value if array.dtype == bool else -value if array.dtype.kind != "u" else ~value)


def _wrapped(array: Any) -> Any:
    """Without the high half of integers, or with the digits of half precision."""
    if array.dtype.kind in "iu":
        return array & np.array((1 << array.dtype.itemsize * 4) - 1, array.dtype)
    return array.astype(np.float16).astype(array.dtype) if array.dtype.kind == "f" else ~array if array.dtype == bool else array


FAULTS: dict[str, Callable[[Any], Any]] = {
    "wrong element": lambda x: _at(x, _largest(x), ~x.reshape(-1)[_largest(x)] if x.dtype == bool else x.reshape(-1)[0] + 3),
    "off by one, or by 1e-2": lambda x: x if x.dtype == bool else x + x.dtype.type(1) if x.dtype.kind in "iu" else x * 1.01,
    "one element off by 4096 ulp": lambda x: x if x.dtype.kind not in "fc" else _at(
        x, _largest(x), x.reshape(-1)[_largest(x)] * (1 + 4096 * 2.0**-10)),
    "NaN": lambda x: _at(x, _largest(x), np.nan) if x.dtype.kind in "fc" else x,
    "infinity": lambda x: _at(x, _largest(x), np.inf) if x.dtype.kind in "fc" else x,
    "sign": _inverted,
    "zero": lambda x: _at(x, _largest(x), 0),
    "swapped elements": _swapped,
    "dropped tail": _tail,
    "stale values": lambda x: np.roll(x.reshape(-1), 1).reshape(x.shape),
    "lost high bits or digits": _wrapped,
    "one value everywhere": lambda x: np.full_like(x, x.reshape(-1)[0]),
}  # fmt: skip
"""Each is given elements, not empty, and returns changed ones, or the same if it does not apply."""


class Mutant:
    """A target that returns the reference's results with one of them changed."""

    def __init__(self) -> None:
        module: Any = ModuleType("mutant")
        module.compile = lambda subject, example, stage: lambda *inputs: list(self.got)
        self.got: Sequence[Any] = ()
        self.target = Target("mutant", module)


def planted(adapter: Framework, check: Check, mutant: Mutant) -> Iterator[tuple[str, Json]]:
    """Each fault that the call can show, with the verdict on it."""
    model, values = check.model, check.reference.values
    for output in model.outputs:
        seen = adapter.seen(values[output])
        if seen[0] or seen[2] == "string" or not math.prod(seen[1]) or not check.settled(output):
            continue
        array = np.asarray(seen[3])
        for name, fault in FAULTS.items():
            with np.errstate(all="ignore"):
                wrong = adapter.tensor(np.asarray(fault(array)).astype(array.dtype), seen[2])
            limits = tolerance.bounds("neuri", seen[2]) if is_float(seen[2]) else (0.0, 0.0)
            if not bool(compare.differing(adapter.seen(wrong)[3], seen[3], *limits).any()):
                continue
            mutant.got = [wrong if i == output else values[i] for i in model.outputs]
            yield name, check.by(mutant.target).judged()
        return


def judged(adapter: Framework, models: Sequence[Model]) -> Json:
    """The verdict and excuses of each fault of an operator; None if no call has comparable results."""
    adapter.enter()
    mutant = Mutant()
    for model in models[:TRIES]:
        check = Check(adapter, mutant.target, model, Clock(lambda stage: None))
        if check.unfit() is None and any(map(check.settled, model.outputs)):
            pairs = planted(adapter, check, mutant)
            found = [(name, answer["verdict"], sorted(answer.get("excuses", {}))) for name, answer in pairs]
            if found:
                return found
    return None


def calls(rulefuzz: str, name: str, operators: int, seed: int) -> dict[str, list[Json]]:
    """Generated calls of each operator, random ones excluded."""
    line = [rulefuzz, "gen", "--framework", name, "--strategy", "calls", "--count", str(CALLS * operators), "--seed", str(seed)]
    found: dict[str, list[Json]] = {}
    for text in subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        model = json.loads(text)
        if not model["nodes"][-1].get("random"):
            found.setdefault(model["nodes"][-1]["api"], []).append(model)
    return dict(list(found.items())[:operators])


def hidden_of(api: str, faults: Sequence[Any]) -> list[Any]:
    """The faults of an operator that no verdict reports."""
    return [(api, *fault) for fault in faults if fault[1] in ("ok", "rounding", "unspecified")]


def report(found: dict[str, list[Any]]) -> float:
    """Prints the hidden faults by excuse; returns their share in percent."""
    faults = [fault for every in found.values() for fault in every]
    hidden = [fault for api, every in found.items() for fault in hidden_of(api, every)]
    print(f"\n{len(faults)} faults at {len(found)} operators, {len(hidden)} hidden\n\n| excuse | hidden faults | operators |")
    print("| --- | --- | --- |")
    counts = Counter(name for *_, names in hidden for name in names or ["none"])
    for name, number in counts.most_common():
        print(f"| `{name}` | {number} | {len({api for api, *_, names in hidden if name in (names or ['none'])})} |")
    return 100.0 * len(hidden) / max(len(faults), 1)


def main() -> int:
    """Runs the command."""
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(str(__doc__).splitlines()[0])
    rulefuzz, name, operators, seed = (*sys.argv[1:], *("onnx", "300", "1")[len(sys.argv) - 2 :])
    adapter = framework.load(name)
    reader, found, silent = Reader(adapter), dict[str, list[Any]](), []
    for api, models in calls(rulefuzz, name, int(operators), int(seed)).items():
        read = []
        for model in models[:TRIES]:
            try:
                read.append(reader.model(model))
            except BadModel:
                continue
        answer, _ = sandbox.call(functools.partial(judged, adapter, read), LIMITS, output="")
        if answer:
            found[api] = answer
            for _, fault, verdict, names in hidden_of(api, answer):
                print(f"{api}: {fault}: {verdict} ({', '.join(names)})", flush=True)
        else:
            silent.append(api)
    share = report(found)
    print(f"\nwithout comparable results: {', '.join(silent) or 'none'}\n\n{share:.1f} % hidden (goal: at most {MOST:g} %)")
    return int(share > MOST)


if __name__ == "__main__":
    sys.exit(main())

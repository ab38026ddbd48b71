"""When two results differ, and when rounding explains it. docs/running.md states both.

Tensors are compared as Framework.seen tells them, whatever library their arrays are of: the functions above the line
below use nothing but what all such arrays know, and a repro script holds copies of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Failed, Interpreter, Model, Values


def tolerance(dtype: str) -> tuple[float, float]:
    """Absolute and relative error that rounding explains."""
    if dtype == "bfloat16":
        return 5e-2, 5e-2
    if dtype in ("float16", "complex32"):
        return 1e-2, 2e-2
    return (1e-3, 1e-2) if "float" in dtype or "complex" in dtype else (0.0, 0.0)


def differing(got: Any, want: Any, dtype: str) -> Any:
    """Which elements differ: |got - want| > absolute + relative * |want|; NaN equals NaN only, infinity itself only."""
    absolute, relative = tolerance(dtype)
    if absolute == 0.0:
        return got != want
    infinity = float("inf")
    near = (abs(got - want) <= absolute + relative * abs(want)) & (abs(got) < infinity) & (abs(want) < infinity)
    return ~((got == want) | ((got != got) & (want != want)) | near)


def difference(got: Seen, want: Seen) -> str:
    """How two results differ, "" when they do not."""
    if got[0] != want[0]:
        return "not a tensor of the same layout"
    if got[1] != want[1]:
        return f"shape {list(got[1])} instead of {list(want[1])}"
    if got[2] != want[2]:
        return f"dtype {got[2]} instead of {want[2]}"
    mask = differing(got[3], want[3], want[2]).reshape(-1).tolist()
    if True not in mask:
        return ""
    place = mask.index(True)
    at, left = [], place
    for size in reversed(want[1]):
        at.append(left % size)
        left //= size
    one, other = (getattr(x, "item", lambda x=x: x)() for x in (got[3].reshape(-1)[place], want[3].reshape(-1)[place]))
    return f"{sum(mask)} of {len(mask)} elements, first at {at[::-1]}: {one} instead of {other}"


# ---- what only the worker needs

NOISE_RUNS = 6


def same(first: Seen, second: Seen) -> bool:
    """Whether two results are equal, NaN equal to NaN. What is not dense is not looked into."""
    if first[0]:
        return True
    if first[1:3] != second[1:3]:
        return False
    one, other = first[3], second[3]
    equal = one == other
    if "float" in first[2] or "complex" in first[2]:
        equal = equal | ((one != one) & (other != other))
    return bool(equal.all())


def noisy_runs(framework: Framework, model: Model, inputs: Values, seed: int) -> Iterator[Values]:
    """Reference runs in which every float is moved by a few units in the last place, after every node."""
    for run in range(NOISE_RUNS):
        shake = framework.shaker(seed * NOISE_RUNS + run)
        shaken = {i: shake(framework.copy(tensor)) for i, tensor in inputs.items()}

        def after(node: int, result: Any, tensors: list[Any], shake: Any = shake) -> list[Any]:
            return [shake(tensor) for tensor in tensors]

        interpreter = Interpreter(framework, model, shaken, after=after, check=False, one_by_one=True)
        try:
            interpreter.run()
        except Failed:
            continue
        yield interpreter.values


def widened_model(framework: Framework, model: Model) -> Model:
    """The model with every float dtype among its constants widened."""

    def widened(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [widened(name, item) for item in value]
        return framework.widened_constant(name, value)

    nodes = []
    for node in model.nodes:
        args = tuple(replace(arg, value=widened(arg.name, arg.value)) for arg in node.args)
        nodes.append(replace(node, args=args))
    return replace(model, nodes=tuple(nodes))


def wide_run(framework: Framework, model: Model, inputs: Values) -> Values | None:
    """All tensors of the model when every float is of 64 bits; None where the framework cannot."""
    wide = {i: framework.widened(tensor) for i, tensor in inputs.items()}
    interpreter = Interpreter(framework, widened_model(framework, model), wide, check=False, one_by_one=True)
    try:
        interpreter.run()
    except Failed:
        return None
    return interpreter.values


def other_runs(framework: Framework, model: Model, inputs: Values, seed: int) -> list[Values]:
    """Reference runs that are as right as the first: with noise, and in 64 bits where the framework can."""
    wide = wide_run(framework, model, inputs)
    return [*noisy_runs(framework, model, inputs, seed), *([wide] if wide else [])]


def unexplained(framework: Framework, runs: Sequence[Values], tensor: int, got: Seen, want: Seen) -> bool:
    """Whether some element differs that rounding does not move by more than the tolerance in any of these runs."""
    mask = differing(got[3], want[3], want[2])
    for values in runs:
        if tensor not in values:
            return False
        other = framework.seen(framework.narrowed(values[tensor], want[2]))
        if other[1] != want[1]:
            return False
        mask = mask & ~differing(other[3], want[3], want[2])
    return bool(mask.any())

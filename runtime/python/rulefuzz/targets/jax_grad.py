"""jax.vjp: results of the differentiated model. Its gradient is compared with numeric differences, in 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "jax"
REQUIRES = ("jax",)


def slopes(total: Callable[[float], float]) -> tuple[float, float] | None:
    """The slope of a function at 0 and a bound of its error. None: a kink, a jump or NaN."""
    import math

    at, found = total(0.0), []
    for step in (1e-5, 5e-6):
        left, right = (at - total(-step)) / step, (total(step) - at) / step
        found.append((left + right) / 2)
        if not math.isfinite(left + right) or abs(left - right) > 1e-3 * (1 + abs(left) + abs(right)):
            return None
    return found[1], 1e-3 * (1 + abs(found[1])) + 10 * abs(found[0] - found[1])


def differing(function: Any, inputs: Sequence[Any]) -> str:
    """How the gradient of the sum of all results differs from its slope in a random direction, in 64 bits. "": it does not, or
    nothing can be compared."""
    import jax
    import numpy as np

    def is_real(array: Any) -> bool:
        return bool(jax.numpy.issubdtype(array.dtype, jax.numpy.floating))

    with jax.enable_x64(True):
        rng = np.random.default_rng(0)
        wide = [jax.numpy.asarray(np.asarray(x).astype("float64")) if is_real(x) else x for x in inputs]
        places = [i for i, x in enumerate(wide) if is_real(x) and x.size]
        ways = [jax.numpy.asarray(rng.standard_normal(wide[i].shape)) for i in places]
        if not places:
            return ""

        def total(moved: Sequence[Any]) -> Any:
            given = list(wide)
            for place, array in zip(places, moved):
                given[place] = array
            return sum((result.astype("float64").sum() for result in function(*given) if is_real(result)), jax.numpy.zeros(()))

        value = jax.jit(lambda step: total([wide[i] + step * way for i, way in zip(places, ways)]))
        slope = slopes(lambda step: float(value(step)))
        gradient = jax.jit(jax.grad(total))([wide[i] for i in places])
        along = float(sum((part * way).sum() for part, way in zip(gradient, ways)))
    if slope is None or not abs(along - slope[0]) > slope[1]:
        return ""
    return f"the gradient gives {along!r} and the numeric difference {slope[0]!r}"


NEEDS = (slopes, differing)
PLAIN = ("""
with jax.enable_x64(True):
    wide = [x.astype("float64") for x in inputs]
    loss = lambda *xs: sum(y.astype("float64").sum() for y in model(*xs))
    print(jax.grad(loss, tuple(range(len(wide))))(*wide))
actual = jax.vjp(model, *inputs)[0]
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The results as jax.vjp returns them; a gradient that differs raises ArithmeticError."""
    import jax

    try:
        forward = jax.jit(lambda *inputs: jax.vjp(function, *inputs)[0]).lower(*example).compile()
    except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError) as error:
        raise NotImplementedError("a call reads elements while it is traced") from error
    stage("run")

    def run(*inputs: Any) -> Sequence[Any]:
        results: Sequence[Any] = forward(*inputs)
        said = differing(function, inputs)
        if said:
            raise ArithmeticError(said)
        return results

    return run

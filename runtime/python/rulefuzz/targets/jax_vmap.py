"""jax.vmap: the whole model over a batch of two, jitted; the results of the second one, which differs from the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "jax"
REQUIRES = ("jax",)
PLAIN = ("""
batches = [jax.numpy.stack([jax.numpy.flip(x), x]) for x in inputs]
actual = [y[1] for y in jax.jit(jax.vmap(model))(*batches)]
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """A function that runs the batched model, compiled for batches of arrays like the example."""
    import jax

    def batched(*inputs: Any) -> list[Any]:
        return [jax.numpy.stack([jax.numpy.flip(x), x]) for x in inputs]

    def second(*batches: Any) -> list[Any]:
        return [result[1] for result in jax.vmap(function)(*batches)]

    if not example:
        raise NotImplementedError("a model without inputs has no batch")
    try:
        lowered = jax.jit(second).lower(*batched(*example))
    except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError) as error:
        raise NotImplementedError("a call reads elements while it is traced") from error
    compiled = lowered.compile()
    stage("run")
    return lambda *inputs: compiled(*batched(*inputs))

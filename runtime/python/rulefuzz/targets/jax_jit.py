"""jax.jit: the whole model, traced and compiled by XLA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "jax"
REQUIRES = ("jax",)
PLAIN = ("""
actual = jax.jit(model)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, lowered and compiled for arrays like the example."""
    import jax

    try:
        lowered = jax.jit(function).lower(*example)
    except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError) as error:
        raise NotImplementedError("a call reads elements while it is traced") from error
    compiled: Callable[..., Sequence[Any]] = lowered.compile()
    stage("run")
    return compiled

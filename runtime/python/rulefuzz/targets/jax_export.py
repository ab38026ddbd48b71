"""jax.export: the whole model, exported to StableHLO, serialized, loaded and compiled by XLA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "jax"
REQUIRES = ("jax", "flatbuffers==25.12.19")
PLAIN = ("""
import jax.export
actual = jax.export.deserialize(jax.export.export(jax.jit(model))(*inputs).serialize()).call(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The loaded program."""
    import jax
    import jax.export

    try:
        exported = jax.export.export(jax.jit(function))(*example)
    except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError) as error:
        raise NotImplementedError("a call reads elements while it is traced") from error
    loaded = jax.jit(jax.export.deserialize(exported.serialize()).call)
    compiled: Callable[..., Sequence[Any]] = loaded.lower(*example).compile()
    stage("run")
    return compiled

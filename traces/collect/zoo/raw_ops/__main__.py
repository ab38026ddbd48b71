"""Learns from Keras models and functions, in inference and in training, which patterns of raw operators occur (CHAINS.models).

    python -m traces.collect.zoo.raw_ops traces/tensorflow

runs in the environment of tensorflow.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from traces.collect.zoo import weights
from traces.collect.zoo.eager import chains
from traces.collect.zoo.eager.taped import Tape
from traces.collect.zoo.raw_ops import functions
from traces.collect.zoo.raw_ops.tape import record
from traces.collect.zoo.sources import keras_models


def _plain() -> Iterator[functions.Program]:
    """Models in inference."""
    drawn = np.random.default_rng(0)
    for name, shape, call in keras_models.models():
        yield name, call, [tf.constant(drawn.standard_normal((2, *shape)).astype(np.float32))]
    for name, call in keras_models.tokens():
        yield name, call, [tf.constant(drawn.integers(0, 32, (2, 5)).astype(np.int32))]
    for name, made in keras_models.applications():
        given = tf.constant(drawn.standard_normal((1, 32, 32, 3)).astype(np.float32))
        yield name, lambda x, made=made: made(x, training=False), [given]


def _trained() -> Iterator[functions.Program]:
    """Models in training."""
    drawn = np.random.default_rng(1)
    for name, shape, call in keras_models.models(training=True):
        yield name, call, [tf.constant(drawn.standard_normal((2, *shape)).astype(np.float32))]


def _step(call: Callable[..., Any], given: list[Any], place: int) -> Tape:
    """A training step: one of the losses of the first result, and the gradients of all floats."""
    result = _first(call(*given))
    losses = list(functions.LOSSES.values())
    loss = losses[place % len(losses)] if result.shape.rank > 1 else functions.LOSSES["squared"]
    target = tf.constant(np.random.default_rng(2).standard_normal(result.shape).astype(np.float32))

    def step(*given: Any) -> Any:
        floats = [tensor for tensor in given if tensor.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            value = loss(_first(call(*given[:-1])), given[-1])
        return tape.gradient(value, [*floats, *tape.watched_variables()])

    return record(step, [*given, target]) if result.dtype.is_floating else Tape()


def _first(value: Any) -> Any:
    return _first(value[0]) if isinstance(value, (list, tuple)) else value


def _run(call: Callable[..., Any], given: list[Any]) -> Tape:
    call(*given)  # builds layers
    return record(call, given)


def _programs() -> Iterator[tuple[str, Callable[[], Tape]]]:
    """All programs, in a fixed order."""
    for name, call, given in (*functions.programs(), *_plain()):
        yield name, partial(_run, call, given)
    for place, (name, call, given) in enumerate((*functions.programs(), *_trained())):
        yield f"{name}-gradients", partial(_step, call, given, place)


def main(folder: Path) -> int:
    """Writes the file."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    keras.utils.set_random_seed(0)
    found = chains.Patterns("tensorflow", weights.apis_of(folder))
    chains.collect(found, _programs())
    chains.write(folder, found)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

"""TensorFlow: tf.function without graph optimizations, which shows the calls that tf.function rejects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "tensorflow"
REQUIRES = ("tensorflow-cpu",)
PLAIN = ("""
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
actual = tf.function(model, autograph=False)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function as a graph."""
    import re

    import tensorflow as tf

    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    graph: Callable[..., Sequence[Any]]
    try:
        graph = tf.function(function, autograph=False).get_concrete_function(*example)
    except ValueError as error:  # without the names and shapes that make each message unique
        failing = re.search(r"(.*?) for '\{\{node \w+\}\} = (\w+)", str(error), re.DOTALL)
        if not failing:
            raise
        raise ValueError(f"tf.function rejects {failing[2]}: {failing[1]}") from error
    stage("run")
    return graph

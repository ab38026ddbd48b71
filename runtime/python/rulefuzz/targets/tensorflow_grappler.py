"""TensorFlow: tf.function with all of Grappler's optimizations that keep the precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "tensorflow"
REQUIRES = ("tensorflow-cpu",)
PLAIN = ("""
actual = tf.function(model, autograph=False)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, optimized by its first call, with the example."""
    import re

    import tensorflow as tf

    names = "layout_optimizer constant_folding shape_optimization remapping arithmetic_optimization dependency_optimization"
    names += " loop_optimization function_optimization common_subgraph_elimination"
    tf.config.optimizer.set_experimental_options(dict.fromkeys(names.split(), True) | {"disable_meta_optimizer": False})
    optimised: Callable[..., Sequence[Any]]
    try:
        optimised = tf.function(function, autograph=False).get_concrete_function(*example)
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:  # a finding for tensorflow-graph
        operator = re.search(r"\{\{node \w+\}\} = (\w+)", str(error))
        raise NotImplementedError(f"tf.function rejects {operator[1] if operator else 'a call'}") from error
    optimised(*example)
    stage("run")
    return optimised


def presumed(compiled: Any) -> list[list[int | None] | None]:
    """The dimensions that the graph expects of its results, if known."""
    import tensorflow as tf

    shapes = [spec.shape for spec in tf.nest.flatten(compiled.structured_outputs)]
    return [None if shape.rank is None else shape.as_list() for shape in shapes]

"""XLA: tf.function with jit_compile, the whole model as one cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.targets.tensorflow_grappler import presumed

__all__ = ["APPROXIMATES", "FRAMEWORK", "PLAIN", "REQUIRES", "UNSUPPORTED", "compile", "presumed"]

FRAMEWORK = "tensorflow"
REQUIRES = ("tensorflow-cpu",)
UNSUPPORTED = ("not all indices are used",)  # DynamicStitch: rows without an index are uninitialized
APPROXIMATES = ("selfadjointeigv2", "svd")  # vectors by iterations with tolerance 1e-6, in 64 bits as well
PLAIN = ("""
actual = tf.function(model, jit_compile=True, autograph=False)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, compiled by its first call, with the example."""
    import re

    import tensorflow as tf

    compiled: Callable[..., Sequence[Any]]
    try:
        compiled = concrete = tf.function(function, jit_compile=True, autograph=False).get_concrete_function(*example)
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:  # a finding for tensorflow-graph
        operator = re.search(r"\{\{node \w+\}\} = (\w+)", str(error))
        raise NotImplementedError(f"tf.function rejects {operator[1] if operator else 'a call'}") from error
    try:
        compiled(*example)
    except tf.errors.InvalidArgumentError as error:
        operator = re.search(r"No registered '(\w+)' OpKernel for XLA", str(error))
        named = re.search(r"\{\{node (\w+)\}\}", str(error))
        taken = [tensor for op in concrete.graph.get_operations() if named and op.name == named[1] for tensor in op.inputs]
        if not operator and not all(tensor.shape.is_fully_defined() for tensor in taken):  # see the guide to jit_compile
            raise NotImplementedError("XLA compiles only operators whose input shapes can be inferred") from error
        if not operator:
            raise
        raise NotImplementedError(f"XLA has no kernel for {operator[1]}") from error
    stage("run")
    return compiled

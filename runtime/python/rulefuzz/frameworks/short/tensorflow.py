"""TensorFlow's parts of a short script."""

from __future__ import annotations

import math

from rulefuzz.framework import Short
from rulefuzz.frameworks.short import function
from rulefuzz.model import Model, Tensor
from rulefuzz.script import spell

IMPORTS = ("import numpy as np", "import tensorflow as tf")


def spelled(tensor: Tensor, values: int, how: str) -> str:
    """See Framework."""
    said, dtype, shape = spell.filling(tensor, values, how), f"tf.{tensor.dtype}", tensor.shape
    if tensor.dtype.startswith("q"):
        raise spell.Unsayable(tensor.dtype)
    if tensor.dtype == "string" and said.full is not None:
        return f"tf.fill({shape!r}, {str(said.full)!r})"
    if said.full is not None:
        return f"tf.ones({shape!r}, {dtype})" if said.full == 1 else f"tf.cast(tf.fill({shape!r}, {said.full!r}), {dtype})"
    if said.counted is not None:
        first, again = said.counted
        start = f"{first}, " if first and not again else ""
        text = f"tf.range({start}{math.prod(shape) + (0 if again else first)})" + (f" % {again} + {first}" if again else "")
        return f"tf.cast(tf.reshape({text}, {shape!r}), {dtype})"
    if said.drawn is not None:
        low, high = said.drawn
        whole = spell.is_whole(tensor.dtype) or tensor.span
        kind = "tf.int64" if whole else "tf.float32"
        return f"tf.cast(tf.random.stateless_uniform({shape!r}, (0, 0), {low!r}, {high!r}, {kind}), {dtype})"
    if said.mixed:
        return f"tf.cast(tf.constant(({said.mixed}).reshape({shape!r})), {dtype})"
    return f"tf.constant({spell.list_text(said.listed)}, {dtype})"


def short(model: Model, text: str, said: dict[int, str], compared: str, limits: tuple[float, float], writes: bool) -> Short:
    """See Framework. `text`: the model as a function. A short script cannot show that TensorFlow writes to an input."""
    return function.short(model, text, said, compared, limits, writes, IMPORTS, array="{}.numpy()", floats="{}.numpy()")

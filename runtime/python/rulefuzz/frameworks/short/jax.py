"""JAX's parts of a short script."""

from __future__ import annotations

import math

from rulefuzz.framework import Short
from rulefuzz.frameworks.short import function
from rulefuzz.model import Model, Tensor
from rulefuzz.script import spell

IMPORTS = ("import numpy as np", "import jax", "import jax.numpy")


def spelled(tensor: Tensor, values: int, how: str) -> str:
    """See Framework."""
    said, dtype, shape = spell.filling(tensor, values, how), f'"{tensor.dtype}"', tensor.shape
    if said.full is not None:
        return f"jax.numpy.full({shape!r}, {said.full!r}, {dtype})"
    if said.counted is not None:
        first, again = said.counted
        text = f"np.arange({math.prod(shape)})" + (f" % {again}" if again else "") + (f" + {first}" if first else "")
        return f"jax.numpy.asarray(({text}).reshape({shape!r}), {dtype})"
    if said.drawn is not None:
        low, high = said.drawn
        draw = "integers" if spell.is_whole(tensor.dtype) or tensor.span else "uniform"
        return f"jax.numpy.asarray(np.random.default_rng(0).{draw}({low!r}, {high!r}, {shape!r}), {dtype})"
    if said.mixed:
        return f"jax.numpy.asarray(({said.mixed}).reshape({shape!r}), {dtype})"
    return f"jax.numpy.array({spell.list_text(said.listed)}, {dtype})"


def short(model: Model, text: str, said: dict[int, str], compared: str, limits: tuple[float, float], writes: bool) -> Short:
    """See Framework. `text`: the model as a function. JAX's calls write to nothing."""
    return function.short(model, text, said, compared, limits, writes, IMPORTS, floats="{}.astype(float)")

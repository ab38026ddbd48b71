"""JAX's calls with elements of a class, and observations of their outputs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from traces.collect.call.spec import Values
from traces.collect.frameworks.jax import adapter as jax_adapter
from traces.collect.values import classes
from traces.collect.values.classes import Seen


def drawn(dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
    """A numpy array filled by its token; `place` numbers the arrays of a call from 1."""
    token = classes.tokens(fill)[place - 1]
    if token == classes.OWN:
        return jax_adapter.elements(dims, dtype, "normal", place)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return classes.elements(dims, dtype, token, place).astype(jax.numpy.dtype(dtype))


def _seen(array: Any) -> Seen:
    dtype = array.dtype.name
    if not classes.known(dtype):
        return classes.observe(None, array.shape, dtype)
    found = np.asarray(array)
    real = dtype in classes.LIMITS and not dtype.startswith("complex")
    return classes.observe(found.astype(np.float64) if real else found, array.shape, dtype)


class Looking(jax_adapter.JaxAdapter):
    """The adapter, whose `run` returns observations."""

    draw = staticmethod(drawn)

    def __init__(self) -> None:
        super().__init__()
        classes.warm()

    def run(self, call: jax_adapter.JaxCall, values: Values, fill: str) -> tuple[Seen, ...]:  # type: ignore[override]
        """Runs a call filled by tokens."""
        return tuple(map(_seen, self.ran(call, values, fill)))


def load() -> Looking:
    """The adapter."""
    return Looking()

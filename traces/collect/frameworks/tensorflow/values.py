"""TensorFlow's calls with elements of a class, and observations of their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from traces.collect.call.spec import Values
from traces.collect.frameworks.tensorflow import adapter as tensorflow_adapter
from traces.collect.values import classes
from traces.collect.values.classes import Seen


class Pools(tensorflow_adapter.Pools):
    """Arrays filled by tokens."""

    def array(self, dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
        """See the base class."""
        token = classes.tokens(fill)[place - 1]
        if token == classes.OWN:
            return super().array(dims, dtype, "normal", place)
        return classes.elements(dims, dtype, token, place).astype(tf.as_dtype(dtype).as_numpy_dtype)


def _seen(tensor: Any) -> Seen:
    dtype = tensor.dtype.name
    if not classes.known(dtype):
        return classes.observe(None, tensor.shape, dtype)
    array = tensor.numpy()
    return classes.observe(array.astype(np.float64) if tensor.dtype.is_floating else array, tensor.shape, dtype)


class Looking(tensorflow_adapter.TensorFlowAdapter):
    """The adapter, whose `run` returns observations."""

    def __init__(self) -> None:
        super().__init__()
        self._pools = Pools()
        classes.warm()

    def run(self, call: tensorflow_adapter.TensorFlowCall, values: Values, fill: str) -> tuple[Seen, ...]:  # type: ignore[override]
        """Runs a call filled by tokens."""
        return tuple(map(_seen, self._call(call, values, fill)))


def load() -> Looking:
    """The adapter."""
    return Looking()

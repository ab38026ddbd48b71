"""Runs models by TensorFlow's raw operators, eagerly: see eager.py. Needs the source tree."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import Any

import eager
import numpy as np

sys.path.insert(1, eager.ROOT)

from traces.collect.frameworks.tensorflow.adapter import QUANTIZED, constant, tf  # noqa: E402  sets up the environment first


@functools.lru_cache(1 << 12)
def _function(api: str) -> Any:
    prefix, _, name = api.rpartition(".")
    if prefix != "tf.raw_ops":
        raise ValueError(f"no raw operator: {api}")
    return getattr(tf.raw_ops, name)


@functools.lru_cache(64)
def _numpy(dtype: str) -> Any:
    return tf.as_dtype(QUANTIZED.get(dtype, dtype)).as_numpy_dtype


def _elements(items: Any, dtype: str) -> Any:
    return tf.constant(np.array(items, _numpy(dtype)))


def _leaves(result: Any) -> list[Any]:
    if isinstance(result, (list, tuple)):
        return [tensor for item in result for tensor in _leaves(item)]
    return [result] if isinstance(result, tf.Tensor) else []


class TensorFlowEager:
    """See eager.Framework."""

    name = "tensorflow"

    def __init__(self) -> None:
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        self._builder = eager.Builder(constant, _elements, self.plain)

    def enter(self) -> None:
        """See eager.Framework."""
        tf.random.set_seed(0)

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        """See eager.Framework."""
        made = tf.constant(array if dtype == "string" else array.astype(_numpy(dtype)))
        return tf.raw_ops.Bitcast(input=made, type=getattr(tf, dtype)) if dtype in QUANTIZED else made

    def span(self, nodes: Sequence[Any], start: int, dtypes: dict[int, str]) -> int:
        """See eager.Framework."""
        return 1

    def run(self, nodes: Sequence[Any], values: eager.Values) -> list[list[Any]]:
        """See eager.Framework."""
        (node,) = nodes
        named = {arg["name"]: self._builder.build(arg["value"], values) for arg in node["args"]}
        return [_leaves(_function(node["api"])(**named))]

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """See eager.Framework."""
        return tuple(tensor.shape), tensor.dtype.name

    def finite(self, tensor: Any) -> bool:
        """See eager.Framework."""
        kind = tensor.dtype
        return bool(np.isfinite(tensor.numpy()).all()) if kind.is_floating or kind.is_complex else True

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """See eager.Framework."""
        if tensor.dtype in (tf.string, tf.variant, tf.resource):
            return True, None, None
        if tensor.dtype.name in QUANTIZED:
            tensor = tf.raw_ops.Bitcast(input=tensor, type=getattr(tf, QUANTIZED[tensor.dtype.name]))
        return eager.extent(tensor.numpy())

    def plain(self, tensor: Any) -> Any:
        """See eager.Framework. Not tf.identity, which shares memory."""
        return tf.raw_ops.DeepCopy(x=tensor)

    def notes(self) -> dict[str, int]:
        """See eager.Framework."""
        return {}


if __name__ == "__main__":
    sys.exit(eager.main(TensorFlowEager()))

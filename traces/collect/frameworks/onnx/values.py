"""ONNX's calls with elements of a class, and observations of their outputs."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime
from onnx import helper

from rulefuzz.frameworks.onnx_evaluate import element_type
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx import adapter as onnx_adapter
from traces.collect.frameworks.onnx import elements, runners
from traces.collect.frameworks.onnx.model import OnnxCall
from traces.collect.values import classes
from traces.collect.values.classes import Seen


class Pools(elements.Pools):
    """Arrays filled by tokens."""

    def tensor(self, dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
        """See the base class."""
        token = classes.tokens(fill)[place - 1]
        if token == classes.OWN:
            return super().tensor(dims, dtype, "normal", place)
        drawn = classes.elements(dims, dtype, token, place)
        with np.errstate(all="ignore"):
            return drawn.astype(helper.tensor_dtype_to_np_dtype(element_type(dtype)))


def _seen(value: Any) -> Seen:
    dims, dtype = runners.describe(value)
    if not classes.known(dtype):
        return classes.observe(None, dims, dtype)
    kind = helper.tensor_dtype_to_np_dtype(element_type(dtype))
    if isinstance(value, onnxruntime.OrtValue):  # its numpy() lacks some dtypes
        bits = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes()) if all(dims) else b""
        if len(bits) != math.prod(dims) * np.dtype(kind).itemsize:  # two elements per byte
            return classes.observe(None, dims, dtype)
        array = np.frombuffer(bits, kind)
    else:
        array = np.asarray(value)
    if dtype in classes.LIMITS and not dtype.startswith("complex"):
        array = array.astype(np.float64)
    return classes.observe(array, dims, dtype)


class Looking(onnx_adapter.OnnxAdapter):
    """The adapter, whose `run` returns observations."""

    def __init__(self) -> None:
        super().__init__()
        self.pools = Pools()
        classes.warm()

    def compile(self, api: str, args: Sequence[Json]) -> OnnxCall:
        """A compiled call; its input tensors are numbered from 1, without its constants."""
        call = super().compile(api, args)
        for place, tensor in enumerate((tensor for tensor in call.inputs if not tensor.is_constant), 1):
            tensor._place = place
        return call

    def run(self, call: OnnxCall, values: Values, fill: str) -> tuple[Seen, ...]:  # type: ignore[override]
        """Runs a call filled by tokens."""
        return tuple(map(_seen, self._call(call, values, fill)))


def load() -> Looking:
    """The adapter."""
    return Looking()

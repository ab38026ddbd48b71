"""Runners of a one-node model: onnxruntime, or onnx's reference evaluator; and their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper
from onnx.reference import ReferenceEvaluator

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.onnx_evaluate import (
    dtype_name,
    dtype_of_element_type,
    memory_ran_out,
    ort_value,
    refusal,  # fmt: skip
)
from traces.collect.frameworks.onnx.model import Input
from traces.collect.judge.framework import NotTensors, Output


class Runtime:
    """A session of onnxruntime, or None if it has no kernel; raises Rejected."""

    def __init__(self, serialised: bytes, options: onnxruntime.SessionOptions, *, strings: bool, fed: bool = False) -> None:
        self._strings, self._fed = strings, fed
        try:
            self._session = onnxruntime.InferenceSession(serialised, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise refusal(error) from error

    def run(self, inputs: Sequence[Input], arrays: Sequence[np.ndarray], names: Sequence[str]) -> list[Any]:
        """The outputs, as OrtValues or, with strings among the inputs, as arrays."""
        pairs = zip(inputs, arrays, strict=True)
        fed = [(tensor, array) for tensor, array in pairs if self._fed or not tensor.is_constant]
        try:
            if self._strings:
                return list(self._session.run(names, {tensor.name: array for tensor, array in fed}))
            values = {tensor.name: ort_value(array, tensor.dtype) for tensor, array in fed}
            return list(self._session.run_with_ort_values(names, values))
        except Exception as error:
            raise refusal(error) from error


class Evaluator:
    """The reference evaluator, with the interface of Runtime."""

    def __init__(self, model: onnx.ModelProto, classes: Sequence[Any] = ()) -> None:
        try:
            self._evaluator = ReferenceEvaluator(model, new_ops=list(classes))
        except Exception as error:
            raise self._refusal(error) from error

    def run(self, inputs: Sequence[Input], arrays: Sequence[np.ndarray], names: Sequence[str]) -> list[Any]:
        """The outputs, as arrays."""
        fed = {tensor.name: array.copy() for tensor, array in zip(inputs, arrays, strict=True) if not tensor.is_constant}
        try:
            with np.errstate(all="ignore"):
                return list(self._evaluator.run(list(names), fed))
        except Exception as error:
            raise self._refusal(error) from error

    @staticmethod
    def _refusal(error: Exception) -> Exception:
        if isinstance(error, MemoryError) or memory_ran_out(str(error)):
            return Unanswered("out of memory")
        if isinstance(error, (NotImplementedError, ImportError)):
            return Unanswered("neither onnxruntime nor the reference evaluator has it")
        return Rejected(f"reference: {type(error).__name__}: {error}")


def describe(value: Any) -> Output:
    if isinstance(value, onnxruntime.OrtValue):
        if not value.has_value() or not value.is_tensor():
            raise NotTensors("an output is not a tensor but a sequence or an optional")
        return tuple(value.shape()), dtype_name(value.data_type()) or ""
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        if value.dtype.kind in "OUS":
            return value.shape, "string"
        return value.shape, dtype_of_element_type(helper.np_dtype_to_tensor_dtype(value.dtype))
    if isinstance(value, (list, tuple)) or value is None:
        raise NotTensors("an output is not a tensor but a sequence or an optional")
    raise NotTensors(f"an output is not a tensor but {type(value).__name__}")


def elements_of(value: Any) -> Any:
    try:
        return value.numpy() if isinstance(value, onnxruntime.OrtValue) else np.asarray(value)
    except RuntimeError:  # numpy lacks this dtype
        return None

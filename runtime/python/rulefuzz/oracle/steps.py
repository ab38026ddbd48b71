"""How far one quantization step moves the tensors of a model: reference runs in which the integers of quantizing calls are
adjacent ones.

An optimization that is meant to quantize elsewhere (another order, one quantization instead of two) loses up to a step of each
quantization. Its effect on later tensors, discontinuous ones included, is what such runs show.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from rulefuzz.framework import Framework
from rulefuzz.model import Failed, Interpreter, Model, Values
from rulefuzz.oracle import taint

LEANS = (1, -1, 0, 0, 0, 0, 0, 0)
"""The step of all elements of a run; 0: one of -1, 0 and 1 for each element."""
FACTOR = 2.0
"""How many times as far as in these runs a tensor may move."""


class Steps:
    """The effect of one step on one model's tensors, computed on first use."""

    def __init__(self, framework: Framework, model: Model, inputs: Values, reference: Values) -> None:
        self._framework, self._model, self._inputs, self._reference = framework, model, inputs, reference
        self._found: list[Values] | None = None

    def moved(self, tensor: int) -> Any:
        """The maximum distance of each element from the reference's; infinite if it is not comparable in some run. None if the
        model quantizes nothing before it."""
        want = self._framework.seen(self._reference[tensor])
        if want[0] or want[2] == "string" or not self._runs():
            return None
        wide = "complex128" if "complex" in want[2] else "float64"
        most = np.zeros(want[1])
        for values in self._runs():
            other = self._framework.seen(values[tensor]) if tensor in values else None
            if other is None or other[1] != want[1]:
                return np.full(want[1], np.inf)
            with np.errstate(invalid="ignore"):
                apart = abs(np.asarray(other[3].tolist(), wide) - np.asarray(want[3].tolist(), wide)).reshape(want[1])
            most = np.maximum(most, np.where(np.isnan(apart), np.inf, apart))
        return most

    def _runs(self) -> list[Values]:
        if self._found is None:
            quantizes = any(self._steps(node.api) for node in self._model.nodes)
            self._found = [self._run(number, lean) for number, lean in enumerate(LEANS)] if quantizes else []
        return self._found

    def _steps(self, api: str) -> bool:
        return taint.quantises(self._framework.operation(api))

    def _run(self, number: int, lean: int) -> Values:
        """The tensors of a run; some are missing if a call fails."""
        draw = np.random.default_rng(self._model.values * len(LEANS) + number)

        def moved(tensor: Any) -> Any:
            _, shape, dtype, array = self._framework.seen(tensor)
            limits = taint.bounds(dtype)
            if limits is None:
                return tensor
            steps = lean if lean else draw.integers(-1, 2, shape)
            stepped = np.clip(np.asarray(array.tolist(), np.int64).reshape(shape) + steps, *limits)
            return self._framework.tensor(stepped, dtype)

        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            return [moved(t) for t in tensors] if self._steps(self._model.nodes[node].api) else tensors

        copies = self._framework.copies(self._inputs, self._model)
        interpreter = Interpreter(self._framework, self._model, copies, after=after, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            interpreter.run()
        return interpreter.values

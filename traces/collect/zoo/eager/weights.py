"""The operands of torch's functions that stay the same when a module is called with other inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from traces.collect.zoo.eager.tape import name_of, tensors_in
from traces.collect.zoo.modules.architectures import Made
from traces.collect.zoo.weights import NO_INPUT, Weights

Recorded = list[tuple[str, list[Any]]]
"""Calls: a function's name and copies of its input tensors."""


class Recorder(TorchFunctionMode):  # type: ignore[misc]
    """Records the outermost calls."""

    def __init__(self, calls: Recorded) -> None:
        super().__init__()
        self._calls = calls

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """One call."""
        taken = [t.detach().clone() for t in tensors_in([*args, *(kwargs or {}).values()])]
        self._calls.append((name_of(function), taken))
        return function(*args, **(kwargs or {}))


def _record(made: Made) -> Recorded:
    calls: Recorded = []
    module, inputs = made
    with torch.no_grad(), Recorder(calls):
        module(*inputs)
    return calls


def count_weights(make: Callable[[], Made], weights: Weights) -> None:
    """Calls a module twice, the second time with its floats negated and its integers reversed."""
    first = _record(make())
    module, inputs = make()
    other = tuple(-t if t.is_floating_point() else t.flip(-1) for t in inputs)
    for (name, one), (also, two) in zip(first, _record((module, other)), strict=False):
        if name != also or len(one) != len(two):
            return
        if not one:
            weights[name, NO_INPUT, False] += 1
        for place, (a, b) in enumerate(zip(one, two, strict=True)):
            weights[name, place, a.shape == b.shape and torch.equal(a, b)] += 1

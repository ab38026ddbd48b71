"""Eager mode that keeps the first sizes of some APIs, RULEFUZZ_BROKEN=API,API:FAULT: a test of dynamic shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.targets import Dynamic

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)
MAY_DIFFER = True
ENVIRONMENT = ("RULEFUZZ_BROKEN",)


def compile_once(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The function; with other shapes than the first it behaves as if a guard were missing."""
    import os

    import torch.overrides

    from rulefuzz.faults.torch_shapes import FAULTS

    api, _, fault = os.environ.get("RULEFUZZ_BROKEN", "torch.add:tail").partition(":")
    names = {one.rsplit(".", 1)[-1] for one in api.split(",")}
    first: dict[int, Any] = {}
    calls = [0]

    class Broken(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = called(*args, **(kwargs or {}))
            if getattr(called, "__name__", "") not in names or not isinstance(result, torch.Tensor):
                return result
            calls[0] += 1
            was = first.setdefault(calls[0], result.clone())
            usual = result.is_floating_point() and result.ndim and result.numel()
            return result if result.shape == was.shape or not usual else FAULTS[fault](result, was)

    stage("run")

    def call(*inputs: Any) -> Any:
        calls[0] = 0
        with Broken():
            return function(*inputs)

    return call


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, for one shape."""
    stage("run")
    compiled: Callable[..., Sequence[Any]] = function
    return compiled


DYNAMIC = Dynamic((), compile_once)

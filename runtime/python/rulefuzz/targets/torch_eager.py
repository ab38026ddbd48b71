"""Eager mode with every float widened to float64: a check of the oracle and of numerical stability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)


def _views_bits(function: Any, example: Sequence[Any]) -> bool:
    """Whether the function views a tensor as another dtype, so that its results depend on the width of elements."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    found = False

    class Watch(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            nonlocal found
            found = found or called is torch.ops.aten.view.dtype
            return called(*args, **(kwargs or {}))

    with Watch():
        function(*[tensor.clone() for tensor in example])
    return found


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function with inputs in float64."""
    import torch

    wide = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64}
    wide |= {torch.complex32: torch.complex128, torch.complex64: torch.complex128}
    if _views_bits(function, example):
        raise NotImplementedError("eager in float64: a view as another dtype")
    narrow = [tensor.dtype for tensor in function(*[tensor.clone() for tensor in example])]
    stage("run")

    def call(*inputs: Any) -> Any:
        widened = [tensor.to(wide.get(tensor.dtype, tensor.dtype)) for tensor in inputs]
        try:
            results = function(*widened)
        except Exception as error:  # a dtype literal of the model meets a widened one
            raise NotImplementedError(f"eager in float64: {error}") from error
        for tensor, other in zip(inputs, widened):
            if not torch.is_grad_enabled():  # tensors saved for backward are not written to
                tensor.copy_(other)
        return tuple(result.to(dtype) for result, dtype in zip(results, narrow))

    return call

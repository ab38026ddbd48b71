"""Eager mode with every float widened to float64: a check of the oracle and of numerical stability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function with inputs in float64, unless it views a tensor as another dtype: that depends on widths."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    wide = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64}
    wide |= {torch.complex32: torch.complex128, torch.complex64: torch.complex128}
    views = []

    class Watch(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if called is torch.ops.aten.view.dtype:
                views.append(called)
            return called(*args, **(kwargs or {}))

    with Watch():
        narrow = [tensor.dtype for tensor in function(*[tensor.clone() for tensor in example])]
    if views:
        raise NotImplementedError("eager in float64: a view as another dtype")
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

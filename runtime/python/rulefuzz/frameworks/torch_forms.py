"""Gradients as further results of a torch model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

PLACES: Sequence[int] = ()
"""In a script: the indices of the inputs."""


# ---- gradients, copied into scripts


def gradients(results: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    """Gradients of the sum of all elements of float results, times 1, 2, 3, 1, 2, 3, ...; zeros for unused inputs."""
    ends = [x for x in results if isinstance(x, torch.Tensor) and x.requires_grad and x.is_floating_point()]
    weights = [(torch.arange(x.numel()) % 3 + 1).to(x.dtype).reshape(x.shape) for x in ends]
    found = torch.autograd.grad(ends, leaves, weights, allow_unused=True) if ends else [None] * len(leaves)
    return [torch.zeros_like(x) if grad is None else grad for x, grad in zip(leaves, found, strict=True)]


def leaves_of(inputs: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """The inputs; those at these indices require gradients. Shared tensors stay shared."""
    wanted = {id(inputs[place]) for place in places}
    made = {id(x): x.detach().requires_grad_() if id(x) in wanted else x for x in inputs}
    return [made[id(x)] for x in inputs]


def both(function: Callable[..., Any], inputs: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """A function's results, then the gradients."""
    with torch.enable_grad():
        taken = leaves_of(inputs, places)
        results = list(function(*taken))
        found = gradients(results, [taken[place] for place in places])
    return [*(x.detach() if isinstance(x, torch.Tensor) else x for x in results), *found]


def with_gradients(compile_target: Callable[..., Any], places: Sequence[int], joint: bool) -> Callable[..., Any]:
    """Compiles the function with its gradients. joint: as one function that computes both; else the compiled function is
    differentiated."""

    def compile_both(function: Callable[..., Any], example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Any]:
        if joint:
            return compile_target(lambda *inputs: both(function, inputs, places), example, stage)  # type: ignore[no-any-return]
        with torch.enable_grad():
            compiled = compile_target(function, leaves_of(example, places), stage)
        return lambda *inputs: both(compiled, inputs, places)

    return compile_both


def reference(model: Any, inputs: Any) -> Any:
    """The model's results and gradients in eager mode."""
    return both(model, inputs, PLACES)


# ---- the oracle's


def moved(tensor: Any, generator: torch.Generator, lean: float) -> Any:
    """A float tensor moved by a few units in the last place, zeros by some of the maximum, so that values at a kink leave it.
    Its gradient is that of the identity."""
    if not tensor.is_floating_point() or tensor.layout != torch.strided or not tensor.numel():
        return tensor
    plain = tensor.detach().to(torch.float64)
    noise = torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1
    noise = (noise.fill_(lean) if lean else noise) * torch.finfo(tensor.dtype).eps * 8
    size = float(plain.abs().nan_to_num(0, 0, 0).max()) or 1.0
    shift = plain.abs() * noise * torch.where(plain < 0, -1.0, 1.0) + noise * size
    return tensor + shift.to(tensor.dtype)

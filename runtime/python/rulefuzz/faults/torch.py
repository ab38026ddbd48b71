"""Faults of optimisers, planted in eager for tests: each needs something of a model that plain models do not have.

    layouts     memory-order channels-last expanded-dense offset-ignored step-ignored stride-of-one rank0-offset alias-moved
    gradients   broadcast-grad twice-once sub-grad neg-grad mean-grad permute-grad view-grad
    modules     parameter-first buffer-rolled
    repeats     cse-attributes cse-zeros cse-raises dead-raises
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.overrides


class Part(torch.autograd.Function):  # type: ignore[misc]
    """The same, whose gradient goes through a function."""

    @staticmethod
    def forward(ctx: Any, x: Any, how: Any) -> Any:
        """See torch."""
        ctx.how = how
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """See torch."""
        return ctx.how(grad), None


# ---- inputs


def _buffer_of(x: Any) -> Any:
    return x.as_strided((x.untyped_storage().nbytes() // x.element_size(),), (1,), 0)


def _read(x: Any, at: int) -> Any:
    """As many elements as it has, one after another in memory."""
    found, missing = _buffer_of(x)[at : at + x.numel()], torch.zeros(x.numel(), dtype=x.dtype)
    return torch.cat([found, missing[found.numel() :]]).reshape(x.shape)


def misread(x: Any, fault: str) -> Any:
    """An input as a compiler reads it that takes it for another layout than it has."""
    strides = [stride for size, stride in zip(x.shape, x.stride(), strict=True) if size > 1]
    expanded, usual = 0 in strides, x.is_contiguous()
    dense = not expanded and _buffer_of(x).numel() == x.numel()
    wrong = {
        "memory-order": dense and not usual,
        "channels-last": x.dim() == 4 and not usual and x.is_contiguous(memory_format=torch.channels_last),
        "expanded-dense": expanded,
        "offset-ignored": x.storage_offset() > 0 and not expanded,
        "step-ignored": not (usual or dense or expanded),
        "stride-of-one": usual and torch.empty(x.shape, device="meta").stride() != x.stride(),
        "rank0-offset": x.dim() == 0 and x.storage_offset() > 0,
    }
    if not wrong.get(fault) or not x.numel():
        return x
    if fault in ("stride-of-one", "rank0-offset"):
        raise RuntimeError(f"planted fault: strides {list(x.stride())}, offset {x.storage_offset()}")
    return _read(x, 0 if fault in ("offset-ignored", "memory-order", "channels-last") else x.storage_offset())


# ---- calls


PRODUCTS = ("matmul", "mm", "mv", "bmm", "inner", "linear", "rmatmul", "imatmul")
DIFFERENCES = ("sub", "subtract", "rsub", "isub", "dist", "pairwise_distance", "mse_loss", "l1_loss")
NEGATIONS = ("neg", "negative", "abs", "absolute")
REDUCTIONS = ("mean", "sum", "nanmean", "nansum", "var", "std", "logsumexp")


def _times(shape: Any, *shapes: Any) -> int:
    """How often an operand's elements are taken where operands are broadcast."""
    try:
        return max(1, int(torch.broadcast_shapes(*shapes).numel()) // max(1, int(shape.numel())))
    except RuntimeError:
        return 1


def _wrong_gradient(name: str, fault: str, x: Any, others: Sequence[Any]) -> Callable[[Any], Any] | None:
    """What becomes of the gradient of a call's operand; None: nothing."""
    shapes = [other.shape for other in others]
    if fault == "broadcast-grad" and len(shapes) == 2 and shapes[0] != shapes[1] and name not in PRODUCTS:
        times = _times(x.shape, *shapes)
        return lambda grad: grad / times
    if name in {"sub-grad": DIFFERENCES, "neg-grad": NEGATIONS}.get(fault, ()) and x is others[-1]:
        return lambda grad: -grad
    if fault == "mean-grad" and name in REDUCTIONS:
        return lambda grad: grad * 2
    if fault == "permute-grad" and name in ("transpose", "permute", "t", "movedim", "swapaxes") and x.dim() > 1:
        return lambda grad: grad.mT.reshape(grad.shape)
    if fault == "view-grad" and name in ("select", "narrow", "unbind", "chunk", "split"):
        return lambda grad: grad * 0
    return None


class Planted(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
    """Calls with wrong gradients, or merged with others."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault
        self._taken: dict[int, Any] = {}
        self._calls: dict[Any, Any] = {}

    def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """See torch."""
        if self._fault.endswith(("-grad", "-once")) and hasattr(called, "__name__"):
            args = self._regraded(called.__name__.strip("_"), args)
        return self._merged(called, args, kwargs or {}) if self._fault.startswith("cse") else called(*args, **(kwargs or {}))

    def _regraded(self, name: str, args: Any) -> list[Any]:
        tensors, made = [x for x in args if isinstance(x, torch.Tensor)], list(args)
        for i, x in enumerate(args):
            if not isinstance(x, torch.Tensor) or not x.requires_grad:
                continue
            how = _wrong_gradient(name, self._fault, x, tensors)
            if how:
                made[i] = Part.apply(x, how)
            if self._fault == "twice-once" and id(x) in self._taken:
                made[i] = x.detach()
            self._taken[id(x)] = x
        return made

    def _merged(self, called: Any, args: Any, kwargs: Any) -> Any:
        taken = (called, *(id(x) for x in args if isinstance(x, torch.Tensor)))
        whole = repr([id(x) if isinstance(x, torch.Tensor) else x for x in args] + [kwargs])
        before, result = self._calls.get(taken) if len(taken) > 1 else None, called(*args, **kwargs)
        self._calls[taken] = whole, result, args
        self._calls[len(self._calls)] = result, args  # so that no id is given again
        if before is None or (self._fault == "cse-attributes") == (before[0] == whole):
            return result
        if self._fault == "cse-raises":
            raise RuntimeError("planted fault: the same call twice")
        if self._fault == "cse-attributes":
            return before[1]
        return torch.zeros_like(result) if isinstance(result, torch.Tensor) else result


# ---- the whole


def _refuse_dead(fault: str) -> None:
    if fault != "dead-raises":
        return
    names = [node for node in ast.walk(ast.parse("".join(linecache.getlines("<model>")))) if isinstance(node, ast.Name)]
    made, used = ({node.id for node in names if isinstance(node.ctx, kind)} for kind in (ast.Store, ast.Load))
    if any(name not in used and name.startswith("v") for name in made):
        raise RuntimeError("planted fault: a result that nothing takes")


def _spoil(module: Any, example: Sequence[Any], fault: str) -> None:
    """A module's parameters or buffers become the first input, or are moved by one place."""
    for kept in module.parameters() if fault == "parameter-first" else module.buffers() if fault == "buffer-rolled" else ():
        alike = [x for x in example[:1] if fault == "parameter-first" and (x.shape, x.dtype) == (kept.shape, kept.dtype)]
        kept.data = alike[0].detach().clone() if alike else kept.data.roll(1) + (kept.numel() < 2)


def planted(function: Any, example: Sequence[Any], fault: str) -> Callable[..., Sequence[Any]]:
    """The function, with the fault."""
    _refuse_dead(fault)
    if isinstance(function, torch.nn.Module):
        _spoil(function, example, fault)

    def call(*inputs: Any) -> Any:
        taken = [misread(x, fault) for x in inputs]
        if fault == "alias-moved" and len({id(x) for x in inputs}) < len(inputs):
            taken[-1] = torch.zeros_like(taken[-1])
        with Planted(fault):
            return function(*taken)

    return call

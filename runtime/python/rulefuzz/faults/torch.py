"""Faults of optimizers, planted in eager mode for tests. Each shows only in models with a certain feature."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.overrides

from rulefuzz.faults import torch_memory, torch_regions, torch_sessions

FAULTS = {
    "layouts": "memory-order channels-last expanded-dense offset-ignored step-ignored stride-of-one rank0-offset alias-moved "
    "inner-stride strides-sorted first-strides offset-twice",
    "gradients": "broadcast-grad twice-once sub-grad neg-grad mean-grad permute-grad view-grad "
    "product-grad div-grad clamp-grad scan-grad expand-grad curve-grad extremum-grad",
    "modules": "parameter-first buffer-rolled parameters-tied parameter-half buffer-lost",
    "mutation": " ".join(torch_memory.FAULTS),
    "sessions": " ".join(torch_sessions.FAULTS),
    "regions": " ".join(torch_regions.FAULTS),
    "repeats": "cse-attributes cse-zeros cse-raises dead-raises dead-shifts",
}


class Part(torch.autograd.Function):  # type: ignore[misc]
    """The same value, whose gradient passes through a function."""

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
    """Its elements read contiguously from memory."""
    found, missing = _buffer_of(x)[at : at + x.numel()], torch.zeros(x.numel(), dtype=x.dtype)
    return torch.cat([found, missing[found.numel() :]]).reshape(x.shape)


def _strided(x: Any, strides: Sequence[int], offset: int) -> Any:
    """With other strides; memory beyond its end reads as zeros."""
    last = offset + sum((size - 1) * stride for size, stride in zip(x.shape, strides, strict=True))
    if not x.numel() or (list(strides), offset) == (list(x.stride()), x.storage_offset()):
        return x
    buffer = _buffer_of(x)
    missing = torch.zeros(max(0, last + 1 - buffer.numel()), dtype=x.dtype)
    return torch.cat([buffer, missing]).as_strided(x.shape, strides, offset)


def _restrided(x: Any, fault: str, first: Any) -> Any:
    """An input read with slightly wrong strides."""
    at, strides = x.storage_offset(), list(x.stride())
    if fault == "inner-stride":
        return _strided(x, [*strides[:-1], min(strides[-1], 1)], at) if strides else x
    if fault == "strides-sorted":
        return _strided(x, sorted(strides, reverse=True), at)
    if fault == "first-strides":
        return _strided(x, first.stride(), at) if first.shape == x.shape else x
    return _strided(x, strides, 2 * at) if fault == "offset-twice" else x


def misread(x: Any, fault: str) -> Any:
    """An input read with another layout than it has."""
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


QUOTIENTS = ("div", "divide", "true_divide", "idiv", "reciprocal", "rdiv")
CUTS = ("relu", "relu6", "clamp", "clip", "clamp_min", "clamp_max", "hardtanh", "threshold", "hardsigmoid", "hardswish")
SCANS = ("cumsum", "cumprod", "flip", "roll", "logcumsumexp", "flipud", "fliplr", "diff", "rot90")
COPIES = ("expand", "repeat", "tile", "broadcast_to", "repeat_interleave", "expand_as", "expand_copy")
CURVES = ("cos", "rsqrt", "reciprocal", "acos", "erfc", "sin", "square", "cosh", "gelu", "silu", "softplus", "tanhshrink")
EXTREMA = ("max", "min", "amax", "amin", "topk", "sort", "median", "kthvalue", "msort", "aminmax")
SPOILED: dict[str, tuple[tuple[str, ...], Callable[[Any], Any]]] = {
    "mean-grad": (REDUCTIONS, lambda grad: grad * 2),
    "view-grad": (("select", "narrow", "unbind", "chunk", "split"), lambda grad: grad * 0),
    "clamp-grad": (CUTS, lambda grad: torch.where(grad == 0, torch.ones_like(grad), grad)),
    "scan-grad": (SCANS, lambda grad: grad.flip(-1) if grad.dim() else grad),
    "expand-grad": (COPIES, lambda grad: grad / 2),
    "curve-grad": (CURVES, lambda grad: grad.abs()),
    "extremum-grad": (EXTREMA, lambda grad: grad.roll(1)),
}
"""Changes to the gradients of some calls."""


def _times(shape: Any, *shapes: Any) -> int:
    """How often an operand's elements are used under broadcasting."""
    try:
        return max(1, int(torch.broadcast_shapes(*shapes).numel()) // max(1, int(shape.numel())))
    except RuntimeError:
        return 1


def _wrong_gradient(name: str, fault: str, x: Any, others: Sequence[Any]) -> Callable[[Any], Any] | None:
    """The change to the gradient of a call's operand; None for none."""
    shapes = [other.shape for other in others]
    if fault == "broadcast-grad" and len(shapes) == 2 and shapes[0] != shapes[1] and name not in PRODUCTS:
        times = _times(x.shape, *shapes)
        return lambda grad: grad / times
    if name in {"sub-grad": DIFFERENCES, "neg-grad": NEGATIONS}.get(fault, ()) and x is others[-1]:
        return lambda grad: -grad
    if name in SPOILED.get(fault, ((), None))[0]:
        return SPOILED[fault][1]
    if fault == "product-grad" and name in PRODUCTS and x is others[-1] and x.dim() > 1:
        return lambda grad: grad.mT.reshape(grad.shape)
    if fault == "div-grad" and name in QUOTIENTS and x is others[-1]:
        return lambda grad: -grad
    if fault == "permute-grad" and name in ("transpose", "permute", "t", "movedim", "swapaxes") and x.dim() > 1:
        return lambda grad: grad.mT.reshape(grad.shape)
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
        self._calls[len(self._calls)] = result, args  # so that no id is reused
        if before is None or (self._fault == "cse-attributes") == (before[0] == whole):
            return result
        if self._fault == "cse-raises":
            raise RuntimeError("planted fault: a repeated call")
        if self._fault == "cse-attributes":
            return before[1]
        return torch.zeros_like(result) if isinstance(result, torch.Tensor) else result


# ---- the whole


def _has_dead() -> bool:
    """Whether the model has an unused result."""
    names = [node for node in ast.walk(ast.parse("".join(linecache.getlines("<model>")))) if isinstance(node, ast.Name)]
    made, used = ({node.id for node in names if isinstance(node.ctx, kind)} for kind in (ast.Store, ast.Load))
    return any(name not in used and name.startswith("v") for name in made)


def _spoil(module: Any, example: Sequence[Any], fault: str) -> None:
    """Changes a module's parameters or buffers."""
    first: dict[Any, Any] = {}
    for kept in module.buffers() if fault.startswith("buffer") else module.parameters():
        data = kept.detach()
        alike = [x.detach().clone() for x in example[:1] if (x.shape, x.dtype) == (kept.shape, kept.dtype)]
        moved = data.roll(1) + (data.numel() < 2)
        tied = first.setdefault((data.shape, data.dtype), data)
        spoiled = {"parameter-first": [*alike, moved][0], "buffer-rolled": moved, "parameters-tied": tied,
                   "parameter-half": data.bfloat16().to(data.dtype), "buffer-lost": torch.zeros_like(data)}  # fmt: skip
        kept.data = spoiled.get(fault, data)


def planted(function: Any, example: Sequence[Any], fault: str) -> Callable[..., Sequence[Any]]:
    """The function, with the fault."""
    if fault in torch_memory.FAULTS:
        return torch_memory.planted(function, example, fault)
    if fault in torch_regions.FAULTS:
        return torch_regions.planted(function, example, fault)
    dead = fault.startswith("dead") and _has_dead()
    if dead and fault == "dead-raises":
        raise RuntimeError("planted fault: an unused result")
    if isinstance(function, torch.nn.Module):
        _spoil(function, example, fault)

    def call(*inputs: Any) -> Any:
        taken = [_restrided(misread(x, fault), fault, inputs[0]) for x in inputs]
        if fault == "alias-moved" and len({id(x) for x in inputs}) < len(inputs):
            taken[-1] = torch.zeros_like(taken[-1])
        with Planted(fault):
            results = function(*taken)
        return [*results[1:], results[0]] if dead else results

    return call

"""Compilers that keep the sizes of the first run, planted in eager mode for tests: `x` is a call's result, `was` its first one,
of another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _reshaped(x: Any, was: Any) -> Any:
    return x.reshape(-1)[: was.numel()].reshape(was.shape) if x.numel() >= was.numel() else x


def _padded(x: Any, was: Any) -> Any:
    x = x.clone()
    x[..., was.shape[-1] :] = 0
    return x if x.shape[-1] > was.shape[-1] else x + (x.shape[-1] < was.shape[-1])


def _tail(x: Any, was: Any) -> Any:
    flat = x.reshape(-1).clone()
    flat[was.numel() if flat.numel() > was.numel() else -1 :] += 1
    return flat.reshape(x.shape)


def _scaled(x: Any, was: Any) -> Any:
    return x * (x.numel() / max(was.numel(), 1)) + (x.numel() != was.numel())


def _strided(x: Any, was: Any) -> Any:
    flat = x.reshape(-1)
    places = torch.arange(x.numel()) * max(was.shape[-1], 1) + torch.arange(x.numel()) // x.shape[-1]
    return flat[places % max(x.numel(), 1)].reshape(x.shape) + (x.shape[-1] != was.shape[-1])


def _stretched(x: Any, was: Any) -> Any:
    return x[..., :1].expand_as(x).clone() + 1


def _narrowed(x: Any, was: Any) -> Any:
    return x.narrow(0, 0, min(x.shape[0], was.shape[0])) if x.shape[0] > was.shape[0] else torch.cat([x, x[:1]])


def _too_large(x: Any, was: Any) -> Any:
    raise RuntimeError(f"a buffer for {was.numel()} elements")


def _remainder(x: Any, was: Any) -> Any:
    flat = x.reshape(-1).clone()
    flat[flat.numel() // 4 * 4 :] = 0
    return flat.reshape(x.shape) if x.numel() % 4 else x


def _modulo(x: Any, was: Any) -> Any:
    return x.reshape(-1)[torch.arange(x.numel()) % was.numel()].reshape(x.shape) if x.numel() > was.numel() else x


def _clamped(x: Any, was: Any) -> Any:
    return x[..., torch.arange(x.shape[-1]).clamp(max=was.shape[-1] - 1)]


def _equal(x: Any, was: Any) -> Any:
    alike = x.dim() > 1 and was.shape[-1] == was.shape[-2] and x.shape[-1] != x.shape[-2]
    return x.mT.reshape(x.shape) if alike else x


def _batch(x: Any, was: Any) -> Any:
    x = x.clone()
    x[was.shape[0] :] = 0
    return x


FAULTS: dict[str, Callable[[Any, Any], Any]] = {
    "reshape": _reshaped,  # specialized on the first shape
    "pad": _padded,  # only up to the first size
    "tail": _tail,  # a loop with the first trip count
    "mean": _scaled,  # divided by the first number of elements
    "stride": _strided,  # rows with the first stride
    "broadcast": _stretched,  # a dimension of 1 is kept
    "slice": _narrowed,  # cut to the first size
    "fold": lambda x, was: was.clone(),  # the first result as a constant
    "offset": lambda x, was: x + (x.shape[-1] - was.shape[-1]) + (x.shape[0] - was.shape[0]),
    "buffer": _too_large,
    "remainder": _remainder,  # vectors of four, and the remainder of the first size: none
    "modulo": _modulo,  # indices modulo the first number of elements
    "clamped": _clamped,  # and only up to the first size
    "equal": _equal,  # two equal dimensions stay equal
    "batch": _batch,  # as many threads as there were rows
}

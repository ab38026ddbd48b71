"""Eager that keeps the first sizes of one API, for tests: RULEFUZZ_BROKEN=API:FAULT, as docs/running.md lists them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.targets import Dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch",)
MAY_DIFFER = True
ENVIRONMENT = ("RULEFUZZ_BROKEN",)


def compile_once(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The function, which on other shapes than the first does what a missing guard does."""
    import os

    import torch.overrides

    api, _, fault = os.environ.get("RULEFUZZ_BROKEN", "torch.add:tail").partition(":")
    name = api.rsplit(".", 1)[-1]
    first: dict[int, Any] = {}
    calls = [0]

    def reshaped(x: Any, was: Any) -> Any:
        return x.reshape(-1)[: was.numel()].reshape(was.shape) if x.numel() >= was.numel() else x

    def padded(x: Any, was: Any) -> Any:
        x = x.clone()
        x[..., was.shape[-1] :] = 0
        return x if x.shape[-1] > was.shape[-1] else x + (x.shape[-1] < was.shape[-1])

    def tail(x: Any, was: Any) -> Any:
        flat = x.reshape(-1).clone()
        flat[was.numel() if flat.numel() > was.numel() else -1 :] += 1
        return flat.reshape(x.shape)

    def scaled(x: Any, was: Any) -> Any:
        return x * (x.numel() / max(was.numel(), 1)) + (x.numel() != was.numel())

    def strided(x: Any, was: Any) -> Any:
        flat = x.reshape(-1)
        places = torch.arange(x.numel()) * max(was.shape[-1], 1) + torch.arange(x.numel()) // x.shape[-1]
        return flat[places % max(x.numel(), 1)].reshape(x.shape) + (x.shape[-1] != was.shape[-1])

    def stretched(x: Any, was: Any) -> Any:
        return x[..., :1].expand_as(x).clone() + 1

    def narrowed(x: Any, was: Any) -> Any:
        return x.narrow(0, 0, min(x.shape[0], was.shape[0])) if x.shape[0] > was.shape[0] else torch.cat([x, x[:1]])

    def too_large(x: Any, was: Any) -> Any:
        raise RuntimeError(f"a buffer for {was.numel()} elements")

    faults: dict[str, Callable[[Any, Any], Any]] = {
        "reshape": reshaped,  # the first shape is part of the program
        "pad": padded,  # as far as the first size went
        "tail": tail,  # a loop of as many steps as at first
        "mean": scaled,  # divided by the first number of elements
        "stride": strided,  # rows lie as far apart as at first
        "broadcast": stretched,  # a dimension of 1 remembered
        "slice": narrowed,  # cut to the first size
        "fold": lambda x, was: was.clone(),  # the first result taken for a constant
        "offset": lambda x, was: x + (x.shape[-1] - was.shape[-1]) + (x.shape[0] - was.shape[0]),
        "buffer": too_large,
    }

    class Broken(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = called(*args, **(kwargs or {}))
            if getattr(called, "__name__", "") != name or not isinstance(result, torch.Tensor):
                return result
            calls[0] += 1
            was = first.setdefault(calls[0], result.clone())
            usual = result.is_floating_point() and result.ndim and result.numel()
            return result if result.shape == was.shape or not usual else faults[fault](result, was)

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

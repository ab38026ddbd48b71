"""Eager mode with a fault in one API, such as RULEFUZZ_BROKEN=torch.add:perturb: a test of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)
MAY_DIFFER = True
ENVIRONMENT = ("RULEFUZZ_BROKEN",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, broken."""
    import os
    import time

    import torch.overrides

    api, _, fault = os.environ.get("RULEFUZZ_BROKEN", "torch.add:perturb").partition(":")
    name = api.rsplit(".", 1)[-1]

    def one_wrong(x: Any) -> Any:
        x = x.clone()
        if x.numel():
            x.view(-1)[x.numel() * 7 // 11] += 1
        return x

    def shifted(x: Any) -> Any:
        return torch.cat([torch.zeros_like(x[..., :1]), x[..., :-1]], -1) if x.ndim and x.shape[-1] > 1 else x

    results: dict[str, Callable[[Any], Any]] = {
        "perturb": lambda x: x + 1,
        "round": lambda x: x.bfloat16().to(x.dtype),  # computed with too few bits
        "truncate": lambda x: x.trunc(),  # via integers
        "stride": lambda x: x.mT.reshape(x.shape) if x.ndim > 1 else x,
        "pad": shifted,
        "axis": lambda x: x.flip(0) if x.ndim else x,
        "element": one_wrong,
        "size1": lambda x: x + 1 if 1 in x.shape else x,
        "size0": lambda x: x.new_zeros([d or 1 for d in x.shape]) if 0 in x.shape else x,
        "broadcast": lambda x: x[:1].expand_as(x).clone() if x.ndim else x,
    }
    last: dict[Any, Any] = {}

    def stale(x: Any) -> Any:
        before = last.get((x.shape, x.dtype))
        last[x.shape, x.dtype] = x.clone()
        return x if before is None else before

    def call_it(called: Any, args: Any, kwargs: Any) -> Any:
        if fault == "swap" and len(args) > 1 and all(isinstance(x, torch.Tensor) for x in args[:2]):
            try:
                return called(args[1], args[0], *args[2:], **kwargs)
            except Exception:
                return called(*args, **kwargs)
        if fault == "check":  # accepts what it should reject
            try:
                return called(*args, **kwargs)
            except Exception:
                return args[0]
        if fault == "drop":
            result = called(*args, **kwargs)
            same = isinstance(result, torch.Tensor) and isinstance(args[0], torch.Tensor) and (
                args[0].shape == result.shape and args[0].dtype == result.dtype)  # fmt: skip
            return args[0].clone() if same else result
        return called(*args, **kwargs)

    class Broken(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if getattr(called, "__name__", "") != name:
                return called(*args, **(kwargs or {}))
            with torch._C.DisableTorchFunction():
                whole = call_it(called, args, kwargs or {})
                several = isinstance(whole, tuple) and whole and isinstance(whole[0], torch.Tensor)
                result = whole[0] if several else whole
                if not isinstance(result, torch.Tensor):
                    return whole
                if fault == "raise":
                    raise RuntimeError(f"planted fault in {api} for shape {list(result.shape)}")
                if fault == "crash":
                    os.abort()
                if fault == "exit":
                    os._exit(0)
                while fault == "hang":
                    time.sleep(1)
                if not result.is_floating_point():
                    return whole
                wrong = stale(result) if fault == "stale" else results.get(fault, lambda x: x)(result)
                return type(whole)((wrong, *whole[1:])) if several else wrong

    stage("run")

    def call(*inputs: Any) -> Any:
        with Broken():
            return function(*inputs)

    return call

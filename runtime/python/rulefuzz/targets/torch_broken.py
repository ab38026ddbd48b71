"""Eager with a fault in one API, for tests: RULEFUZZ_BROKEN=API:perturb|raise|crash|exit|hang."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
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

    class Broken(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = called(*args, **(kwargs or {}))
            if getattr(called, "__name__", "") != name or not isinstance(result, torch.Tensor):
                return result
            if fault == "raise":
                raise RuntimeError(f"planted fault in {api} for shape {list(result.shape)}")
            if fault == "crash":
                os.abort()
            if fault == "exit":
                os._exit(0)
            while fault == "hang":
                time.sleep(1)
            return result + 1 if result.is_floating_point() else result

    stage("run")

    def call(*inputs: Any) -> Any:
        with Broken():
            return function(*inputs)

    return call

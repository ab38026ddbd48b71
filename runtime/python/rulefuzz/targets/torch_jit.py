"""torch.jit.trace and torch.jit.freeze; the third call is compared, since the second one optimizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.dynamic import torch as torch_dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch",)
PLAIN = ("""
class Module(torch.nn.Module):
    def forward(self, *inputs):
        return model(*inputs)
traced = torch.jit.freeze(torch.jit.trace(Module().eval(), inputs, check_trace=False))
actual = [traced(*inputs) for _ in range(3)][2]  # the second call optimises
""",)
DYNAMIC = torch_dynamic.TRACE


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, traced and frozen."""
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    module = function if isinstance(function, torch.nn.Module) else Module()
    traced = torch.jit.trace(module.eval(), tuple(example), check_trace=False)
    frozen = torch.jit.freeze(traced)
    stage("run")

    def call(*inputs: Any) -> Any:
        for _ in range(2):
            frozen(*example)
        return frozen(*inputs)

    return call

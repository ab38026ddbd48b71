"""torch.export: the whole model as one graph of ATen operators, run eagerly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.dynamic import torch as torch_dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch",)
ABSTRACT = True
PLAIN = ("""
class Module(torch.nn.Module):
    def forward(self, *inputs):
        return model(*inputs)
actual = torch.export.export(Module(), inputs, strict=False).module()(*inputs)
""",)
DYNAMIC = torch_dynamic.EXPORT


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The module of the exported program."""
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    module = function if isinstance(function, torch.nn.Module) else Module()
    exported: Callable[..., Sequence[Any]] = torch.export.export(module, tuple(example), strict=False).module()
    stage("run")
    return exported

"""torch.compile without a compiler: dynamo's graphs, run by eager operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.session import compilers

FRAMEWORK = "torch"
REQUIRES = ("torch",)
ABSTRACT = True
STRIDES = True
SESSION = compilers.by_dynamo
PLAIN = (
    """
actual = torch.compile(model, backend="eager", dynamic=False)(*inputs)
""",
)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, traced on its first call."""
    import torch._dynamo

    def backend(graph: Any, inputs: Any) -> Any:
        stage("run")
        return graph.forward

    torch._dynamo.reset()
    compiled: Callable[..., Sequence[Any]] = torch.compile(function, backend=backend, dynamic=False)
    return compiled

"""torch.compile without inductor: dynamo's graph, made functional by AOTAutograd, with eager operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.dynamic import torch as torch_dynamic
from rulefuzz.session import compilers

FRAMEWORK = "torch"
REQUIRES = ("torch",)
ABSTRACT = True
BEFORE = ("torch-decomp",)
STRIDES = True
PLAIN = (
    """
actual = torch.compile(model, backend="aot_eager", dynamic=False)(*inputs)
""",
)
DYNAMIC = torch_dynamic.AOT
SESSION = compilers.by_aot


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, traced on its first call."""
    import torch._dynamo

    aot_eager = torch._dynamo.lookup_backend("aot_eager")

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = aot_eager(graph, inputs)
        stage("run")
        return compiled

    made: Any = None

    def call(*inputs: Any) -> Any:
        nonlocal made
        if made is None:
            torch._dynamo.reset()
            made = torch.compile(function, backend=backend, fullgraph=True, dynamic=False)
        try:
            return made(*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            torch._dynamo.reset()
            made = torch.compile(function, backend=backend, dynamic=False)
            return made(*inputs)

    return call

"""How targets compile a program that is called several times. Each function stands alone, since scripts copy it."""

from __future__ import annotations

from typing import Any


def by_eager(function: Any, stage: Any) -> Any:
    """Not at all."""
    stage("run")
    return function


def by_backend(name: str, function: Any, stage: Any) -> Any:
    """torch.compile with one of dynamo's backends; what it cannot trace runs eagerly."""
    import torch
    import torch._dynamo

    torch._dynamo.reset()
    lookup = torch._dynamo.lookup_backend(name)

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = lookup(graph, inputs)
        stage("run")
        return compiled

    return torch.compile(function, backend=backend)


def by_dynamo(function: Any, stage: Any) -> Any:
    """Dynamo's graphs, run eagerly."""
    return by_backend("eager", function, stage)


def by_aot(function: Any, stage: Any) -> Any:
    """Graphs that AOTAutograd made functional, run eagerly."""
    return by_backend("aot_eager", function, stage)


def by_inductor(function: Any, stage: Any) -> Any:
    """Kernels by inductor."""
    return by_backend("inductor", function, stage)

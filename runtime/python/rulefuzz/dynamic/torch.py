"""torch's compilers with dynamic shapes: a model compiled once for inputs of several shapes.

Each function stands alone, imports included, since repro scripts hold copies of it.
"""

from __future__ import annotations

from typing import Any

from rulefuzz.targets import Dynamic

REFUSES = ("ConstraintViolationError", "Constraints violated", "GuardOnDataDependentSymNode", "data-dependent",
           "UserError", "Not all values of", "recompile_limit")  # fmt: skip


def by_aot(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """torch.compile without inductor. Equal sizes are no guards, so each dimension is a symbol of its own."""
    return by_backend(function, "aot_eager", stage, function)


def by_inductor(function: Any, example: Any, stage: Any, dims: Any, configure: Any = lambda: ({}, {})) -> Any:
    """torch.compile, of a graph with symbols that make_fx traces if the settings ask for it."""
    from torch._inductor import config
    from torch.fx.experimental.proxy_tensor import make_fx

    options, ways = configure()
    traced = function
    if ways.get("trace") == "make_fx":
        try:
            traced = make_fx(function, tracing_mode="symbolic")(*[tensor.clone() for tensor in example])
        except Exception:  # dynamo handles some calls that cannot be traced
            traced = function
    call = by_backend(traced, "inductor", stage, function)
    return config.patch(options)(call)


def by_backend(function: Any, name: str, stage: Any, whole: Any) -> Any:
    """Compiles the function by one of dynamo's backends and counts compilations."""
    import torch._dynamo
    import torch.fx.experimental._config

    settings: Any = torch.fx.experimental._config
    settings.use_duck_shape = False
    lookup, times = torch._dynamo.lookup_backend(name), []

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        times.append(len(inputs))
        compiled = lookup(graph, inputs)
        stage("run")
        return compiled

    torch._dynamo.reset()
    ways = [torch.compile(function, backend=backend, fullgraph=True, dynamic=True)]

    def call(*inputs: Any) -> Any:
        try:
            return ways[-1](*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            if len(ways) > 1:
                raise
            torch._dynamo.reset()
            ways.append(torch.compile(whole, backend=backend, dynamic=True))
            return ways[-1](*inputs)

    call.compilations = lambda: len(times)  # type: ignore[attr-defined]
    return call


def by_export(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """torch.export with a Dim for each dynamic dimension, or with automatic ones if these are constrained."""
    import torch
    from torch.export import Dim

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    named = {name: Dim(name) for names in dims for name in names if name}
    given = [{i: named[name] for i, name in enumerate(names) if name} for names in dims]
    try:
        exported = torch.export.export(Module(), tuple(example), dynamic_shapes={"inputs": tuple(given)}, strict=False)
    except Exception:
        given = [{i: Dim.DYNAMIC for i, name in enumerate(names) if name} for names in dims]
        exported = torch.export.export(Module(), tuple(example), dynamic_shapes={"inputs": tuple(given)}, strict=False)
    stage("run")
    return exported.module()


def by_trace(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """torch.jit.trace and freeze, which keep no sizes of the example."""
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    traced = torch.jit.trace(Module().eval(), tuple(t.clone() for t in example), check_trace=False)
    frozen = torch.jit.freeze(traced)
    stage("run")
    return frozen


COMPILED = """
import torch.fx.experimental._config
torch.fx.experimental._config.use_duck_shape = False  # equal sizes are no reason to compile again
compiled = torch.compile(model, backend="{}", dynamic=True)
compiled(*[x.clone() for x in first])
actual = compiled(*inputs)
"""
EXPORTED = """
from torch.export import Dim
class Module(torch.nn.Module):
    def forward(self, *inputs):
        return model(*inputs)
varying = tuple({i: Dim.DYNAMIC for i in range(x.ndim) if x.shape[i] != y.shape[i]} for x, y in zip(first, inputs))
exported = torch.export.export(Module(), first, dynamic_shapes={"inputs": varying}, strict=False)
actual = exported.module()(*inputs)
"""
TRACED = """
class Module(torch.nn.Module):
    def forward(self, *inputs):
        return model(*inputs)
traced = torch.jit.freeze(torch.jit.trace(Module().eval(), first, check_trace=False))
actual = traced(*inputs)
"""
AOT = Dynamic((COMPILED.format("aot_eager"),), by_aot, (by_backend,), REFUSES)
INDUCTOR = Dynamic((COMPILED.format("inductor"),), by_inductor, (by_backend,), REFUSES)
EXPORT = Dynamic((EXPORTED,), by_export, (), (*REFUSES, "Expected input", "Guard failed", "specializ"))
TRACE = Dynamic((TRACED,), by_trace)

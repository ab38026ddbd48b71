"""The targets: each takes a function of tensors and returns one that should do the same.

Every `compile_NAME` stands alone, imports included, because repro scripts hold a copy of it. `stage` is called when
compilation is over and the compiled code is about to run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

import torch

from protocol import Unavailable

Function = Callable[..., tuple[torch.Tensor, ...]]
Target = Callable[[Function, list[torch.Tensor], Callable[[str], None]], Function]


def compile_inductor(function, example, stage):
    """torch.compile with inductor; as one graph where that is possible."""
    import torch._dynamo

    inductor = torch._dynamo.lookup_backend("inductor")

    def backend(graph, inputs):
        stage("compile")
        compiled = inductor(graph, inputs)
        stage("run")
        return compiled

    def call(*inputs):
        torch._dynamo.reset()
        try:
            return torch.compile(function, backend=backend, fullgraph=True, dynamic=False)(*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            torch._dynamo.reset()
            return torch.compile(function, backend=backend, dynamic=False)(*inputs)

    return call


def compile_jit(function, example, stage):
    """torch.jit.trace and freeze; called three times, because the second call optimises."""

    class Module(torch.nn.Module):
        def forward(self, *inputs):
            return function(*inputs)

    traced = torch.jit.trace(Module().eval(), tuple(t.clone() for t in example), check_trace=False)
    frozen = torch.jit.freeze(traced)
    stage("run")

    def call(*inputs):
        for _ in range(2):
            frozen(*[tensor.clone() for tensor in inputs])
        return frozen(*inputs)

    return call


def compile_eager(function, example, stage):
    """Eager itself, in float64: a check of the oracle and of numerical stability."""
    wide = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64}
    wide |= {torch.complex32: torch.complex128, torch.complex64: torch.complex128}
    narrow = [tensor.dtype for tensor in function(*[tensor.clone() for tensor in example])]
    stage("run")

    def call(*inputs):
        widened = [tensor.to(wide.get(tensor.dtype, tensor.dtype)) for tensor in inputs]
        try:
            results = function(*widened)
        except Exception as error:  # a dtype that is written into the model meets a widened one
            raise NotImplementedError(f"eager in float64: {error}") from error
        for tensor, other in zip(inputs, widened):
            tensor.copy_(other)
        return tuple(result.to(dtype) for result, dtype in zip(results, narrow))

    return call


def compile_broken(function, example, stage):
    """Eager with a fault in one API, for tests: RULEFUZZ_BROKEN=API:perturb|raise|crash|hang."""
    import os
    import time

    import torch.overrides

    api, _, fault = os.environ.get("RULEFUZZ_BROKEN", "torch.add:perturb").partition(":")
    name = api.rsplit(".", 1)[-1]

    class Broken(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, called, types, args=(), kwargs=None):
            result = called(*args, **(kwargs or {}))
            if getattr(called, "__name__", "") != name or not isinstance(result, torch.Tensor):
                return result
            if fault == "raise":
                raise RuntimeError(f"planted fault in {api} for shape {list(result.shape)}")
            if fault == "crash":
                os.abort()
            while fault == "hang":
                time.sleep(1)
            return result + 1 if result.is_floating_point() else result

    stage("run")

    def call(*inputs):
        with Broken():
            return function(*inputs)

    return call


TARGETS: dict[str, Target] = {
    "torch-inductor": compile_inductor,
    "torch-jit": compile_jit,
    "torch-eager": compile_eager,
    "torch-broken": compile_broken,
}


def prepare_inductor() -> dict[str, str]:
    """Settings before the first compilation; the version of the C++ compiler.

    The warm-up uses inductor's own cache, where precompiled headers and probes of the processor are found again.
    """
    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        raise Unavailable(f"torch-inductor needs a C++ compiler, and there is no {compiler}: install g++ or set CXX")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    from torch._inductor import config

    settings: Any = config
    settings.fx_graph_cache = False
    settings.compile_threads = 1
    return {"cxx": os.popen(f"{compiler} -dumpfullversion").read().strip()}

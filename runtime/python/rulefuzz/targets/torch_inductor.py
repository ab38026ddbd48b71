"""torch.compile with inductor, or inductor on a graph traced by make_fx; as one graph if possible."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.dynamic import torch as torch_dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch",)
STRIDES = True
BATCH = 24
BEFORE = ("torch-decomp", "torch-aot")
CALL = "actual = torch.compile(model, dynamic=False)(*inputs)\n"
PLAIN = (CALL, "import torch._inductor.config\ntorch._inductor.config.cpp.simdlen = 1  # scalar code\n" + CALL)
DYNAMIC = torch_dynamic.INDUCTOR
ENVIRONMENT = ("RULEFUZZ_TORCH_FREEZING",)


def prepare() -> dict[str, str]:
    """Configures inductor before its warm-up, which uses its cache. Returns the version of the C++ compiler."""
    from rulefuzz.framework import Unavailable

    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        raise Unavailable(f"torch-inductor needs a C++ compiler, and there is no {compiler}: install g++ or set CXX")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    from torch._inductor import config

    settings: Any = config
    settings.fx_graph_cache, settings.compile_threads = False, 1
    return {"cxx": os.popen(f"{compiler} -dumpfullversion").read().strip()}


def enter(folder: str) -> None:
    """Puts compiled code into a folder that is removed with the process."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder


def variant(example: Sequence[Any]) -> int:
    """How it is compiled, by the inputs' sizes: bit 0 scalar code instead of vectors, bit 1 without dynamo."""
    return sum(int(tensor.numel()) for tensor in example) % 4


def compile_together(
    function: Any, example: Sequence[Any], stage: Callable[[str], None], chosen: int
) -> Callable[..., Sequence[Any]]:
    """Several models as one function, in their common variant, with all kernels in one call of the C++ compiler."""
    from rulefuzz.frameworks.torch_kernels import together

    compiled: Callable[..., Sequence[Any]] = together()(compile(function, example, stage, chosen))
    return compiled


def compile(
    function: Any, example: Sequence[Any], stage: Callable[[str], None], chosen: int | None = None
) -> Callable[..., Sequence[Any]]:
    """The function, compiled by its first call, in its inputs' variant or the given one; frozen if ENVIRONMENT is set."""
    import contextlib

    import torch._dynamo
    from torch._inductor import config
    from torch._inductor.compile_fx import compile_fx
    from torch.fx.experimental.proxy_tensor import make_fx

    settings: Any = config
    chosen = sum(int(tensor.numel()) for tensor in example) % 4 if chosen is None else chosen
    settings.cpp.simdlen = 1 if chosen & 1 else None
    settings.freezing = "RULEFUZZ_TORCH_FREEZING" in os.environ
    inductor = torch._dynamo.lookup_backend("inductor")
    traced: Any = None
    made: Any = None
    if chosen & 2 and not settings.freezing:
        with contextlib.suppress(Exception):  # dynamo handles some calls that cannot be traced
            traced = make_fx(function)(*example)

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = inductor(graph, inputs)
        stage("run")
        return compiled

    def call(*inputs: Any) -> Any:
        nonlocal made
        if made is None:
            torch._dynamo.reset()
            made = compile_fx(traced, [*example]) if traced is not None else None
            stage("compile" if made is None else "run")
            made = made or torch.compile(function, backend=backend, fullgraph=True, dynamic=False)
        try:
            return made(*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            torch._dynamo.reset()
            made = torch.compile(function, backend=backend, dynamic=False)
            return made(*inputs)

    return call

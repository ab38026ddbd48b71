"""torch.compile with inductor, as one graph if possible."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.dynamic import torch as torch_dynamic
from rulefuzz.session import compilers
from rulefuzz.settings.torch_inductor import exported, traced

FRAMEWORK = "torch"
REQUIRES = ("torch",)
ABSTRACT = True
STRIDES = True
BATCH = 24
BEFORE = ("torch-decomp", "torch-aot", "torch-export-saved")
PLAIN = ("actual = torch.compile(model, dynamic=False)(*inputs)\n",)
DYNAMIC = torch_dynamic.INDUCTOR
SESSION = compilers.by_inductor
NEEDS = (exported, traced)
ENVIRONMENT = ("RULEFUZZ_TORCH_FREEZING",)


def prepare() -> dict[str, str]:
    """Returns the version of the C++ compiler."""
    from rulefuzz.framework import Unavailable

    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        raise Unavailable(f"torch-inductor needs a C++ compiler, and there is no {compiler}: install g++ or set CXX")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    return {"cxx": os.popen(f"{compiler} -dumpfullversion").read().strip()}


def warm() -> None:
    """Configures inductor before its first model, which uses its cache. The first time, this compiles headers."""
    from rulefuzz.frameworks import torch_kernels

    torch_kernels.prepare()


def enter(folder: str) -> None:
    """Puts compiled code into a folder that is removed with the process."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder


def together() -> contextlib.AbstractContextManager[Any]:
    """In this context, one call of the C++ compiler compiles all kernels of a function. Yields Graphs."""
    from rulefuzz.frameworks.torch_kernels import together

    return together()


def compile(
    function: Any, example: Sequence[Any], stage: Callable[[str], None], configure: Any = lambda: ({}, {})
) -> Callable[..., Sequence[Any]]:
    """The function, compiled by its first call with the settings; frozen if ENVIRONMENT is set."""
    import torch._dynamo
    from torch._inductor import aoti_compile_and_package, aoti_load_package, config
    from torch._inductor.compile_fx import compile_fx

    options, ways = configure()
    options = {"freezing": "RULEFUZZ_TORCH_FREEZING" in os.environ, **options}
    inductor = torch._dynamo.lookup_backend("inductor")
    dynamic, made = ways.get("dynamic") == "True", None

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = inductor(graph, inputs)
        stage("run")
        return compiled

    def first() -> Any:
        torch._dynamo.reset()
        if ways.get("package") == "aot_inductor" and not torch.is_grad_enabled():
            packed = aoti_load_package(aoti_compile_and_package(exported(function, example)))
            stage("run")
            return packed
        graph = traced(function, example, ways.get("trace"))
        if ways.get("trace") == "make_fx" and graph is not function:
            return compile_fx(graph, [*example])
        return torch.compile(graph, backend=backend, fullgraph=True, dynamic=dynamic)

    def call(*inputs: Any) -> Any:
        nonlocal made
        with config.patch(options):
            made = first() if made is None else made
            try:
                return made(*inputs)
            except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
                torch._dynamo.reset()
                made = torch.compile(function, backend=backend, dynamic=dynamic)
                return made(*inputs)

    return call

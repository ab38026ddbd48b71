"""torch.compile with inductor; as one graph where that is possible."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
REQUIRES = ("torch",)
PLAIN = (
    """\
actual = torch.compile(model, dynamic=False)(*inputs)
""",
    """\
import torch._inductor.config
torch._inductor.config.cpp.simdlen = 1  # scalar code
actual = torch.compile(model, dynamic=False)(*inputs)
""",
)


def prepare() -> dict[str, str]:
    """Settings before the first compilation; the version of the C++ compiler.

    The warm-up uses inductor's own cache, where precompiled headers and probes of the processor are found again.
    """
    from rulefuzz.framework import Unavailable

    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        raise Unavailable(f"torch-inductor needs a C++ compiler, and there is no {compiler}: install g++ or set CXX")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    from torch._inductor import config

    settings: Any = config
    settings.fx_graph_cache = False
    settings.compile_threads = 1
    return {"cxx": os.popen(f"{compiler} -dumpfullversion").read().strip()}


def enter(folder: str) -> None:
    """Compiled code goes where it is removed with the process."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, compiled when it is called first: by turns, as the inputs' sizes fall, to vector and to scalar code."""
    import torch._dynamo
    from torch._inductor import config

    settings: Any = config
    settings.cpp.simdlen = 1 if sum(tensor.numel() for tensor in example) % 2 else None
    inductor = torch._dynamo.lookup_backend("inductor")

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = inductor(graph, inputs)
        stage("run")
        return compiled

    def call(*inputs: Any) -> Any:
        torch._dynamo.reset()
        try:
            return torch.compile(function, backend=backend, fullgraph=True, dynamic=False)(*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            torch._dynamo.reset()
            return torch.compile(function, backend=backend, dynamic=False)(*inputs)

    return call

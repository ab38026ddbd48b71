"""The decompositions into core operators, run eagerly: no compiler, but the rewrites that all of torch's compilers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
REQUIRES = ("torch",)
PLAIN = ("""
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx
actual = make_fx(model, decomposition_table=core_aten_decompositions())(*inputs)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function as a graph of what its operators are decomposed into."""
    from torch._decomp import core_aten_decompositions
    from torch.fx.experimental.proxy_tensor import make_fx

    graph: Callable[..., Sequence[Any]] = make_fx(function, decomposition_table=core_aten_decompositions())(*example)
    stage("run")
    return graph

"""The core ATen decompositions that all of torch's compilers use, with eager operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
REQUIRES = ("torch",)
JOINT = True
PLAIN = ("""
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx
actual = make_fx(model, decomposition_table=core_aten_decompositions())(*inputs)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function as a graph of its operators' decompositions."""
    from torch._decomp import core_aten_decompositions
    from torch.fx.experimental.proxy_tensor import make_fx

    kept = vars(compile)  # making the table takes as long as tracing a model
    if "table" not in kept:
        kept["table"] = dict(core_aten_decompositions().items())
    trace = make_fx(  # data-dependent values become constants of the example, whose data stays the same
        function, decomposition_table=kept["table"], _error_on_data_dependent_ops=False
    )
    graph: Callable[..., Sequence[Any]] = trace(*example)
    stage("run")
    return graph

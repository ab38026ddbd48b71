"""The ways to evaluate one call in PyTorch besides running it. Scripts embed the source of each.

A way takes the call, a function of its tensors, and the tensors. `told` describes the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch


def told(run: Callable[[], Any], values: bool) -> Any:
    """"raises …", or for each output its shape, dtype, strides of dimensions longer than 1, and perhaps elements."""
    try:
        out = run()
    except Exception as error:
        return f"raises {type(error).__name__}: " + " ".join(str(error).split())[:300]
    tensors = [x for x in (out if isinstance(out, (tuple, list)) else [out]) if isinstance(x, torch.Tensor)]
    strides = [[n for n, size in zip(x.stride(), x.shape, strict=True) if size > 1 and x.numel()] for x in tensors]
    elements = [x.detach().clone() if values else None for x in tensors]
    return [(list(x.shape), str(x.dtype), *more) for x, *more in zip(tensors, strides, elements, strict=True)]


def difference(one: Any, other: Any) -> str:
    """The first difference, "" for none."""
    if isinstance(one, str) or isinstance(other, str):
        if isinstance(one, str) == isinstance(other, str):
            return ""
        return "accepts" if isinstance(one, str) else "rejects"
    for what, place in (("shape", 0), ("dtype", 1), ("strides", 2)):
        if [x[place] for x in one] != [x[place] for x in other]:
            return what
    pairs = [(x[3], y[3]) for x, y in zip(one, other, strict=True) if x[3] is not None]
    same = all(torch.allclose(y.to(x.dtype), x, 1e-3, 1e-4, equal_nan=True) for x, y in pairs)
    return "" if same else "values"


def fake(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """Fake tensors, which tracing compilers see."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode() as mode:
        return call(*(mode.from_tensor(x) for x in inputs))


def meta(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """Meta tensors, which hold no data."""
    return call(*(x.to("meta") for x in inputs))


def aot(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """torch.compile without a code generator."""
    torch._dynamo.reset()
    return torch.compile(call, backend="aot_eager", dynamic=False)(*inputs)


def inductor(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """torch.compile."""
    torch._dynamo.reset()
    return torch.compile(call, dynamic=False)(*inputs)


def decomp(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """The call's decomposition, run eagerly."""
    from torch._decomp import core_aten_decompositions
    from torch.fx.experimental.proxy_tensor import make_fx

    traced = make_fx(call, decomposition_table=core_aten_decompositions())(*(x.clone() for x in inputs))
    return traced(*inputs)


def out(call: Callable[..., Any], inputs: Sequence[Any], *dtypes: str) -> Any:
    """The call with output tensors to write to."""
    to = tuple(torch.empty(0, dtype=getattr(torch, dtype)) for dtype in dtypes)
    return call(*inputs, out=to if len(to) > 1 else to[0])


def twin(call: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """The call's other form."""
    return call(*inputs)

"""Alternative descriptions of a call's integer tensors: as tensors, by their range, or by their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from traces.collect.call.arglist import map_leaves, tensors
from traces.collect.call.spec import Call, Elements, Json, TensorSpec, Unsupported
from traces.collect.call.symbolise import concrete, symbolise

PLAIN, RANGE, ELEMENTS = "plain", "range", "elements"
"""How an integer tensor is described: its elements do not matter; all lie in a range; or each matters."""


def without_hints(args: Sequence[Json]) -> list[Json]:
    """The arguments as records hold them."""

    def leaf(old: Json) -> Json:
        return {k: v for k, v in old.items() if k not in ("given", "extent")} if isinstance(old, dict) else old

    return map_leaves(args, leaf)


def hinted(args: Sequence[Json]) -> list[Json]:
    """The input tensors whose elements are known, in order."""
    return [tensor for tensor in tensors(args) if "extent" in tensor]


def restate(call: Call, forms: Sequence[str]) -> Call | None:
    """The call with its input tensors described as `forms` lists, in order; None if the elements of one are unknown."""
    rest = iter(forms)

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(item) for item in value]
        if not isinstance(value, TensorSpec):
            return value
        form = next(rest)
        if (form == ELEMENTS and value.given is None) or (form == RANGE and value.extent is None):
            raise Unsupported("its elements are not told")
        if form == ELEMENTS:
            return Elements(value.given, value.dtype)
        return TensorSpec(value.dims, value.dtype, range=value.extent if form == RANGE else value.range, held=value.held)

    try:
        arguments = [(name, positional, change(value)) for name, positional, value in concrete(call.args, call.values)]
    except Unsupported:
        return None
    new = symbolise(call.api, arguments)
    return Call(call.api, new.args, new.values, call.source, call.expect_failure)

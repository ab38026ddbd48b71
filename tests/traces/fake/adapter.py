"""The fake framework's adapter. It needs no package, so that the collector can be tested without a framework."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz.framework import Rejected
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Output
from traces.collect.records.settings import Budget, Settings

FRAGILE: frozenset[str] = frozenset()
SETTINGS = Settings(1, Budget(passing=20, failing=20, passing_if_no_failure=10, trials=60))


@dataclass(frozen=True)
class Tensor:
    """A tensor without elements."""

    dims: tuple[int, ...]
    dtype: str


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """A product of two matrices."""
    if len(a.dims) != 2 or len(b.dims) != 2 or a.dims[1] != b.dims[0]:
        raise ValueError(f"cannot multiply {a.dims} by {b.dims}")
    return Tensor((a.dims[0], b.dims[1]), a.dtype)


def narrow(x: Tensor, start: int, length: int) -> Tensor:
    """A part of the first dimension."""
    if not x.dims or start < 0 or length < 0 or start + length > x.dims[0]:
        raise ValueError(f"no {length} from {start} on in {x.dims}")
    return Tensor((length, *x.dims[1:]), x.dtype)


def concat(parts: list[Tensor]) -> Tensor:
    """Tensors of equal rank along the first dimension."""
    first = parts[0]
    if any(part.dims[1:] != first.dims[1:] or not part.dims for part in parts):
        raise ValueError("other dimensions differ")
    return Tensor((sum(part.dims[0] for part in parts), *first.dims[1:]), first.dtype)


FUNCTIONS: dict[str, Callable[..., Tensor]] = {"fake.matmul": matmul, "fake.narrow": narrow, "fake.concat": concat}


def build(value: Json, values: Values) -> Any:
    """An argument, from the values of the symbols."""
    if isinstance(value, str):
        return values[int(value[1:])]
    if isinstance(value, list):
        return [build(item, values) for item in value]
    if "const" in value:
        return ast.literal_eval(value["const"])
    return Tensor(tuple(values[int(symbol[1:])] for symbol in value["tensor"]), value["dtype"])


class FakeAdapter:
    """See judge.framework.Framework."""

    name = "fake"
    version = "1.0"

    def compile(self, api: str, args: Sequence[Json]) -> tuple[Callable[..., Tensor], Sequence[Json]]:
        """The function and its arguments."""
        return FUNCTIONS[api], args

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """Calls the function; elements do not matter."""
        del fill
        function, args = call
        try:
            out = function(**{arg["name"]: build(arg["value"], values) for arg in args})
        except (ValueError, AttributeError) as error:  # an integer in the place of a tensor has no dims
            raise Rejected(str(error)) from error
        return ((out.dims, out.dtype),)

    def deterministic(self, call: Any, values: Values) -> bool:
        """Always: there is nothing random here."""
        del call, values
        return True


def load() -> FakeAdapter:
    """See registry.load."""
    return FakeAdapter()

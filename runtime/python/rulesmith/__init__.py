"""The rules of deep-learning operators: which calls are valid, output shapes, random valid calls and models.

    >>> import rulesmith
    >>> rulesmith.valid("torch.matmul", (2, 3), (3, 4))
    True
    >>> rulesmith.shapes("torch.matmul", (2, 3), (3, 4))
    ((2, 4),)
    >>> rulesmith.sample("torch.nn.functional.conv2d", seed=1).valid
    True

No framework is needed. Give a tensor as its shape (a tuple of sizes in elements) or as any object that has one; integers,
lists and constants as they are; by position or by name, as the framework binds them. Calls beyond the records
raise UnknownCall. `rulesmith.strategies` has calls for Hypothesis."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Sequence
from typing import Any

from rulesmith import library as _c
from rulesmith.answers import answer
from rulesmith.calls import (
    Answer,
    Call,
    Elements,
    InvalidCall,
    Name,
    Operator,
    Shape,
    Tensor,
    UnknownCall,
    operators,
    unknown_call,
)
from rulesmith.library import LibraryFault

__all__ = [
    "Call",
    "Elements",
    "InvalidCall",
    "LibraryFault",
    "Name",
    "Operator",
    "Shape",
    "Tensor",
    "UnknownCall",
    "dtypes",
    "frameworks",
    "models",
    "operators",
    "sample",
    "shapes",
    "valid",
]

Refused = InvalidCall
"""The former name of InvalidCall."""
_STRATEGIES = ("neuri", "isra", "graph", "calls")


def _answered(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Answer:
    """The answer to a call; UnknownCall if there is none."""
    first = operators(name)[0]
    found = first.answer(args, kwargs) if first.name == name else answer(name, args, kwargs)
    if found.unknown:
        raise UnknownCall(unknown_call(name, args, kwargs, found.unknown))
    return found


def valid(name: str, /, *args: Any, symbols: Sequence[int] | None = None, **kwargs: Any) -> bool:
    """True if an API (`torch.matmul`) accepts these arguments, or a signature (`torch.matmul-0`) these symbols.

    Elements are not read: give an index tensor as a Tensor with low and high. Raises UnknownCall if nothing recorded covers
    these arguments, ValueError for a wrong number of symbols."""
    if symbols is not None:
        return operators(name)[0].eval(symbols) is not None
    return _answered(name, args, kwargs).outputs is not None


def shapes(name: str, /, *args: Any, symbols: Sequence[int] | None = None, **kwargs: Any) -> tuple[Shape, ...]:
    """The shapes of the outputs of a call, in elements by dimension.

    Raises InvalidCall if the rule rejects the call, with the numbers that do not fit; UnknownCall and ValueError as `valid`."""
    if symbols is not None:
        outputs = operators(name)[0].eval(symbols)
        if outputs is None:
            raise InvalidCall(f"{name} rejects {operators(name)[0].why_invalid(symbols)}")
        return outputs
    found = _answered(name, args, kwargs)
    if found.outputs is None:
        near = operators(found.signature)[0].why_invalid(found.symbols) if found.signature else found.why
        raise InvalidCall(f"{name} rejects {near}")
    return found.outputs


def dtypes(name: str, /, *args: Any, **kwargs: Any) -> tuple[str, ...]:
    """The dtypes of the outputs of a call: `("float32",)`.

    Raises InvalidCall if the API rejects the call, UnknownCall if nothing recorded decides. Sizes may be
    unknown."""
    found = answer(name, args, kwargs)
    if found.why and found.dtypes is None:
        raise InvalidCall(f"{name} rejects {found.why}")
    if found.dtypes is None:
        raise UnknownCall(unknown_call(name, args, kwargs, found.unknown or "the dtypes of the outputs are unknown"))
    return found.dtypes


def sample(name: str, /, seed: int = 0, *, low: int = 1, high: int = 8, max_numel: int = 65536, empty: bool = False) -> Call:
    """A valid call of an API or signature, the same for the same seed (0 … 2^64 - 1). The seed also chooses the signature of an
    API. Free dimensions are in low … high, tensors have at most max_numel elements; `empty` allows empty tensors.
    Raises UnknownCall for an unknown name, or if no valid call was found."""
    every = [op for op in operators(name) if op.has_rule]
    for turn in range(len(every)):
        op = every[(seed + turn) % len(every)]
        symbols = op.sample(seed, low, high, max_numel, empty)
        if symbols is not None:
            return op.build(symbols, seed)
    raise UnknownCall(f"{name}: found no valid call")


def models(
    framework: str = "torch",
    count: int = 1,
    *,
    seed: int = 0,
    first: int = 0,
    nodes: int = 5,
    strategy: str = "neuri",
    api: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Valid models, as `rulefuzz gen` writes them: `count` models of the run `seed` from number `first` on, each of `nodes`
    calls. strategy: neuri, isra, graph or calls; api: a glob for the APIs.
    Raises UnknownCall for an unknown framework or strategy, or if no signature can take part."""
    library = _c.load()
    table = library.rs_library_table(ctypes.byref(_c.tables(library)), framework.encode())
    if not table or strategy not in _STRATEGIES:
        known = f"strategies are {', '.join(_STRATEGIES)}; frameworks are {', '.join(frameworks())}"
        raise UnknownCall(f"no {strategy} models of {framework}: {known}")
    options = _c.GenOptions(strategy=_STRATEGIES.index(strategy), nodes_low=nodes, nodes_high=nodes)
    options.api = api.encode() if api else None
    message = ctypes.create_string_buffer(512)
    generator = library.rs_gen_new(table, ctypes.byref(options), message, len(message))
    if not generator:
        raise UnknownCall(message.value.decode())
    graph = library.rs_graph_new()
    try:
        for index in range(first, first + count):
            text = library.rs_gen_model(generator, seed, index, graph) and library.rs_graph_json(graph)
            if not text:
                raise MemoryError
            try:
                yield json.loads(ctypes.string_at(text))
            finally:
                _c.release(text)
    finally:
        library.rs_graph_free(graph)
        library.rs_gen_free(generator)


def frameworks() -> dict[str, str]:
    """The frameworks that have rules, with the version that these were learned from."""
    tables = _c.tables(_c.load())
    found = (tables.tables[i].contents for i in range(tables.ntables))
    return {table.framework.decode(): table.version.decode() for table in found}

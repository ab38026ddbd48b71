"""The rules of deep-learning operators: which calls they accept, which shapes come out, calls and models that are valid.

    >>> import rulesmith
    >>> rulesmith.valid("torch.matmul", (2, 3), (3, 4))
    True
    >>> rulesmith.shapes("torch.matmul", (2, 3), (3, 4))
    ((2, 4),)
    >>> rulesmith.sample("torch.nn.functional.conv2d", seed=1).valid
    True

No framework is needed. A tensor is given by its shape, a tuple of sizes in elements, or as anything that has one; integers,
lists and constants as they are; by position or by name. An API has rules for the call forms that were recorded: a call of
another form is an UnknownCall. `rulesmith.strategies` has calls for Hypothesis."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Sequence
from typing import Any

from rulesmith import library as _c
from rulesmith.calls import Call, Elements, Name, Operator, Refused, Shape, Tensor, UnknownCall, bound, operators
from rulesmith.library import LibraryFault

__all__ = [
    "Call",
    "Elements",
    "LibraryFault",
    "Name",
    "Operator",
    "Refused",
    "Shape",
    "Tensor",
    "UnknownCall",
    "frameworks",
    "models",
    "operators",
    "sample",
    "shapes",
    "valid",
]

_STRATEGIES = ("neuri", "isra", "graph", "calls")


_Answer = tuple[Shape, ...] | None


def _answers(name: str, args: Sequence[Any], kwargs: dict[str, Any], symbols: Sequence[int] | None) -> list[_Answer]:
    if symbols is not None:
        return [operators(name)[0].eval(symbols)]
    return [op.eval(found) for op, found in bound(name, args, kwargs)]


def valid(name: str, /, *args: Any, symbols: Sequence[int] | None = None, **kwargs: Any) -> bool:
    """Whether an API (`torch.matmul`) accepts these arguments, or an operator (`torch.matmul-0`) these symbols.

    Elements are not looked at: where a rule speaks of an index tensor's, give it as a Tensor with low and high.
    Raises UnknownCall where there is no rule for such arguments, ValueError for a wrong number of symbols."""
    return any(answer is not None for answer in _answers(name, args, kwargs, symbols))


def shapes(name: str, /, *args: Any, symbols: Sequence[int] | None = None, **kwargs: Any) -> tuple[Shape, ...]:
    """The shapes of the outputs of such a call, in elements by dimension. Raises Refused where the rule does not accept it, and
    what `valid` raises."""
    for answer in _answers(name, args, kwargs, symbols):
        if answer is not None:
            return answer
    raise Refused(f"{name} does not accept these arguments")


def sample(name: str, /, seed: int = 0, *, low: int = 1, high: int = 8, max_numel: int = 65536, empty: bool = False) -> Call:
    """A call that the rule of an API or operator accepts: the same for the same seed, 0 … 2^64 - 1. Of an API the seed also
    says which call form. Free dimensions lie in low … high, tensors have at most max_numel elements; `empty`: some may have
    none.
    Raises UnknownCall where nothing is known of that name, or nothing was found that the rule accepts."""
    every = [op for op in operators(name) if op.has_rule]
    for turn in range(len(every)):
        op = every[(seed + turn) % len(every)]
        symbols = op.sample(seed, low, high, max_numel, empty)
        if symbols is not None:
            return op.build(symbols, seed)
    raise UnknownCall(f"{name}: no call was found that its rule accepts")


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
    """Valid models, as `rulefuzz gen` writes them (docs/reference/file-formats.md): number `first` and on of the run `seed`, of
    `nodes` operator calls each. strategy: neuri, isra, graph or calls; api: a glob that their APIs match.
    Raises UnknownCall for a framework or a strategy that is not there, and where no operator can take part."""
    library = _c.load()
    table = library.rs_library_table(ctypes.byref(_c.tables(library)), framework.encode())
    if not table or strategy not in _STRATEGIES:
        raise UnknownCall(f"{strategy} models of {framework}: there are {', '.join(_STRATEGIES)}, of {', '.join(frameworks())}")
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
    """The frameworks that there are rules of, and the version of each that they were learned from."""
    tables = _c.tables(_c.load())
    found = (tables.tables[i].contents for i in range(tables.ntables))
    return {table.framework.decode(): table.version.decode() for table in found}

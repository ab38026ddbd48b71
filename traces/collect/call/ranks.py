"""Derives calls of other ranks from collected ones.

The tests of a framework show most operators at two or three ranks. A model needs them at four, and a rule over all ranks
is better supported by several. Each variant lengthens or shortens tensors at the front, where batch dimensions are, and
integer lists with them. The framework then decides which are valid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from traces.collect.call import arglist, symbolise
from traces.collect.call.spec import Call, Elements, TensorSpec, Values
from traces.collect.call.symbolise import concrete

SOURCE = "ranks"
HIGHEST_RANK = 5
GROUPS = 8
"""Argument structures of an API that variants are derived from: the ones with most samples."""
KEPT, DIMENSIONS, OWN = "kept", "dimensions", "own"
"""How lists of integers change: not at all, or they get an item per new dimension, its size or the first item again."""


def variants(calls: Sequence[Call]) -> list[Call]:
    """Calls with new argument structures, in a stable order."""
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        if not call.expect_failure:
            groups[arglist.signature(call.args)].append(call)
    largest = sorted(groups, key=lambda text: (-len(groups[text]), text))[:GROUPS]
    made: dict[tuple[str, Values], Call] = {}
    for text in largest:
        for base in groups[text][:2]:
            for arguments in _changed(concrete(base.args, base.values)):
                call = symbolise.symbolise(base.api, arguments)
                call.source = SOURCE
                new = arglist.signature(call.args)
                if new not in groups:
                    made.setdefault((new, call.values), call)
    return [made[key] for key in sorted(made)]


def _changed(arguments: Sequence[tuple[str, bool, Any]]) -> Iterator[list[tuple[str, bool, Any]]]:
    found = [spec for _, _, value in arguments for spec in _tensors(value)]
    if not found:
        return
    for front in ((2,), (3,), (2, 3), (3, 1, 2)):
        for first_only in (False, True) if len(found) > 1 else (False,):
            for lists in (KEPT, DIMENSIONS, OWN):
                changed = _apply(arguments, front, first_only=first_only, lists=lists)
                if changed is not None:
                    yield changed
    for lists in (KEPT, DIMENSIONS):
        changed = _apply(arguments, None, first_only=False, lists=lists)
        if changed is not None:
            yield changed


def _tensors(value: Any) -> list[TensorSpec]:
    if isinstance(value, TensorSpec):
        return [value]
    return [spec for item in value for spec in _tensors(item)] if isinstance(value, list) else []


def _is_integers(value: Any) -> bool:
    """True for a list with an integer (or, if known by elements, a row of them) for each of some dimensions."""
    if isinstance(value, Elements):
        return _is_integers(value.value) or (isinstance(value.value, list) and all(map(_is_integers, value.value or [0])))
    return isinstance(value, list) and bool(value) and all(type(item) is int for item in value)


def _lengthened(items: list[Any], front: Values | None, how: str) -> list[Any]:
    """A list, or rows, of the new number of dimensions."""
    if front is None:
        return items[1:]
    return [*(items[:1] * len(front) if how == OWN or isinstance(items[0], list) else front), *items]


def _apply(arguments: Sequence[tuple[str, bool, Any]], front: Values | None, *, first_only: bool,
           lists: str) -> list[tuple[str, bool, Any]] | None:  # fmt: skip
    """The arguments with `front` inserted before the dimensions, or with the first dimension removed if it is None."""
    done = [False]

    def longer(value: Any) -> bool:
        return lists != KEPT and _is_integers(value)

    def change(value: Any) -> Any:
        if isinstance(value, TensorSpec):
            if first_only and done[0]:
                return value
            done[0] = True
            dims = value.dims[1:] if front is None else front + value.dims
            return TensorSpec(dims, value.dtype, range=value.range, held=value.held) if len(dims) <= HIGHEST_RANK else None
        if isinstance(value, Elements):
            return Elements(_lengthened(value.value, front, lists), value.dtype) if longer(value) else value
        if longer(value):
            return _lengthened(value, front, lists)
        if isinstance(value, list):
            return [change(item) for item in value]
        return value

    new = [(name, positional, change(value)) for name, positional, value in arguments]
    if lists != KEPT and not any(_is_integers(value) for _, _, value in arguments):
        return None
    if sum(len(_tensors(v)) for _, _, v in new) != sum(len(_tensors(v)) for _, _, v in arguments):
        return None
    return new

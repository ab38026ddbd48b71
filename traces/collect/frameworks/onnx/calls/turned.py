"""Cases converted to other ranks and dimensions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from traces.collect.call.ranks import HIGHEST_RANK
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.frameworks.onnx.calls.forms import filled, first_dtype
from traces.collect.frameworks.onnx.cases import GIVEN, OPTION, SCHEMA, TYPES, Case, formal_of

SMALL = 5
"""The default maximum dimension of a model; each case is also converted to dimensions up to it."""
AXES = re.compile(r"^ax[ei]s$")
"""Names of inputs and attributes that count dimensions."""


def small(case: Case) -> Case | None:
    """The case with every dimension at most SMALL, equal ones still equal; None if it has no larger one. Integer lists,
    which may hold dimensions, change with them."""
    kept = [value if value is None else np.minimum(value, SMALL) if _is_list(place, value) else
            np.resize(value, [min(dim, SMALL) for dim in value.shape]) for place, value in enumerate(case.inputs)]  # fmt: skip
    pairs = zip(case.inputs, kept, strict=True)
    changed = any(old is not None and new is not None and old.shape != new.shape for old, new in pairs)
    return replace(case, inputs=kept, source=SCHEMA) if changed else None


def _is_list(place: int, value: np.ndarray) -> bool:
    """True for an input that is an integer list belonging to the first input."""
    return place > 0 and value.ndim == 1 and value.dtype.kind == "i" and value.size <= GIVEN


def bare(case: Case, schema: Any) -> Case:
    return replace(case, attributes={name: v for name, v in case.attributes.items() if schema.attributes[name].required})


def ranked(case: Case, schema: Any, rank: int) -> Iterator[Case]:
    """The case with its first input at another rank: dimensions are added or removed at the front or the end, of all inputs
    of the same rank, of the first alone, or of all. Lists with an element per dimension change with it, or stay."""
    first = case.inputs[0] if case.inputs else None
    if first is None or first.ndim == rank:
        return
    for which, without, front in itertools.product(("same", "first", "all"), (0, 2, None), (False, True)):
        turn = Turn(first.ndim, rank, front=front, without=without)
        inputs = []
        for place, value in enumerate(case.inputs):
            formal = formal_of(schema, place)
            if value is None or value.ndim == 0 or formal is None:
                inputs.append(value)
            elif place and AXES.match(formal.name) and value.size:
                inputs.append(np.array(turn.axes(value.ravel().tolist()), dtype=value.dtype))
            elif place and value.ndim == 1 and turn.listed(value.tolist()) is not None:
                inputs.append(np.array(turn.listed(value.tolist()), dtype=value.dtype))
            elif _is_list(place, value) or (place and value.ndim == 1 < first.ndim):
                inputs.append(value)
            elif place == 0 or which == "all" or (which == "same" and value.ndim == first.ndim):
                inputs.append(np.resize(value, turn.dims(value.shape)))
            else:
                inputs.append(value)
        attributes = {}
        for name, value in case.attributes.items():
            if AXES.match(name):
                attributes[name] = turn.axes(value) if isinstance(value, list) else turn.axes([value])[0]
            else:
                new = turn.listed(value) if schema.attributes[name].type == TYPES.INTS else None
                attributes[name] = value if new is None else new
        yield replace(case, inputs=inputs, attributes=attributes, source=RANKS)


def grown(case: Case, schema: Any) -> Iterator[Case]:
    """The case with the next optional input: a vector as long as some dimension of the others, or a tensor like the first."""
    place = len(case.inputs)
    given = [value for value in case.inputs if value is not None]
    if not given or place >= len(schema.inputs) or schema.inputs[place].option != OPTION.Optional:
        return
    formal = schema.inputs[place]
    alike = [value.dtype for value, other in zip(case.inputs, schema.inputs, strict=False)
             if value is not None and other.type_str == formal.type_str]  # fmt: skip
    lengths = dict.fromkeys(dim for value in given[:2] for dim in value.shape[:2])
    for dims in dict.fromkeys([*((length,) for length in lengths), given[0].shape]):
        new = np.ones(dims, alike[0]) if alike else filled(dims, first_dtype(schema, formal.type_str))
        yield replace(case, inputs=[*case.inputs, new], source=RANKS)


class Turn:
    """A change of rank. Lists have elements for all dimensions but the first `without`; None: they stay."""

    def __init__(self, old: int, new: int, *, front: bool, without: int | None) -> None:
        self._old, self._new, self._front, self._without = old, new, front, without

    def _sized(self, items: Sequence[Any], fresh: Sequence[Any]) -> list[Any]:
        """The items with more of `fresh`, or with fewer, on the side that changes."""
        more = self._new - self._old
        if more < 0:
            return list(items[-more:] if self._front else items[:more])
        return [*fresh[:more], *items] if self._front else [*items, *fresh[:more]]

    def dims(self, dims: Sequence[int]) -> list[int]:
        """A tensor's new dimensions; added ones are small."""
        return self._sized(dims, (2, 3, 2, 1, 2))

    def axes(self, axes: Sequence[int]) -> list[int]:
        """The axes, with those out of range replaced."""
        there = [axis if -self._new <= axis < self._new else axis % self._new for axis in axes]
        return list(dict.fromkeys(there))

    def listed(self, items: Sequence[Any]) -> list[Any] | None:
        """A list with one or two elements per dimension, changed; None for another list."""
        if self._without is None:
            return None
        length, count = self._old - self._without, len(items)
        if length <= 0 or count not in (length, 2 * length) or self._new <= self._without:
            return None
        if count == length > 1 and sorted(items) == list(range(count)):
            return list(reversed(range(self._new)))
        fresh = list(items[-1:]) * HIGHEST_RANK
        return [item for start in range(0, count, length) for item in self._sized(items[start : start + length], fresh)]

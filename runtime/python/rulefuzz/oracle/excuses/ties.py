"""Indices of elements: any of several equal elements may be meant, and only these."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rulefuzz.model import Ref
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Call, Result, bounds
from rulefuzz.oracle.excuses.difference import INSIGNIFICANT, Difference, Element
from rulefuzz.oracle.excuses.noise import DIGITS
from rulefuzz.oracle.excuses.outside import OtherForward

EQUALS = 64
"""Up to this many equal elements, each is made the maximum in turn."""
MOST = 1 << 16
"""Up to this many elements, those with an equal one are searched."""


class IndexOfEqual(Result):
    """Indices of equal elements, if it is not known along which axis, and all that is computed from such indices.

    The axis is found by what the indices select: the values that the call also returns, or ordered elements. Pools index a
    plane."""

    name = "index-of-equal"

    def applies(self, subject: Call) -> list[int]:
        """See Result. IndexAmongEqual covers indices if the axis is known."""
        first = any(row.arguments for row in subject.rows)
        places = [place for place in subject.integers if first or place > 0]
        whole = []
        for place in places:
            mask = self._among_equal(subject, place)
            if mask is None:
                whole.append(place)
            elif bool(mask.any()):
                subject.taint.partial[subject.node.outputs[place].id] = mask
        return whole

    @staticmethod
    def _among_equal(call: Call, place: int) -> Any:
        """The indices of elements that have an equal one; None if the axis is unknown."""
        taken, made = (call.framework.seen(t) for t in (call.taken[0], call.results[place]))
        values = call.framework.seen(call.results[0]) if place else None
        if any(seen is not None and (seen[0] or "complex" in seen[2]) for seen in (taken, made, values)):
            return None
        operand, indices, wanted = (None if seen is None else np.asarray(seen[3]) for seen in (taken, made, values))
        return None if math.prod(taken[1]) > MOST else among_equal(operand, indices, wanted)


class IndexAmongEqual(Element):
    """Another index where the element has an equal one along the axis."""

    name, grade = "index-among-equal", INSIGNIFICANT

    def applies(self, subject: Difference) -> Any:
        mask, none = subject.check.reference.taint.partial.get(subject.tensor), subject.none()
        return none if mask is None else none | subject.framework.seen(subject.framework.elements(mask.tolist(), "bool"))[3]


class TiedMaxima(Element):
    """A gradient of a maximum: of equal elements, any may get it. Each of them is made the maximum in turn."""

    name, cost = "tied-maximum", 2

    def applies(self, subject: Difference) -> Any:
        model, node, values = subject.check.model, subject.node, subject.check.reference.values
        if node is None or not unspecified.has(self.name, subject.operation):
            return subject.none()
        ids = [arg.value.id for arg in node.args if arg.name in OtherForward.FORWARD and isinstance(arg.value, Ref)]
        forward = model.nodes[model.node_of(ids[-1])] if len(ids) == len(OtherForward.FORWARD) else None
        if forward is None or ids[0] not in forward.refs():
            return subject.none()
        _, shape, dtype, elements = subject.framework.seen(values[ids[0]])
        array = np.asarray(elements).reshape(-1)
        found, counts = np.unique(array, return_counts=True)
        equal, limits = np.flatnonzero(np.isin(array, found[counts > 1])), bounds(dtype)
        if len(equal) > EQUALS or array.size > (limits[1] if limits else 2.0 ** DIGITS.get(dtype, 0)):
            return ~subject.none()
        places, made = np.arange(array.size), []
        for place in (-1, *equal):
            order = np.lexsort((np.where(places == place, array.size, places), array))
            ranks = np.empty(array.size)
            ranks[order] = places
            taken = values | {ids[0]: subject.framework.tensor(ranks.reshape(shape).astype(array.dtype), dtype)}
            for call in (forward, node):
                results = subject.framework.tensors_of(subject.framework.run_again(call, taken))
                taken |= {out.id: tensor for out, tensor in zip(call.outputs, results, strict=False)}
            made.append(subject.framework.seen(taken[subject.tensor])[3])
        return functools.reduce(lambda mask, other: mask | (other != made[0]), made, subject.none())


def among_equal(operand: Any, indices: Any, values: Any) -> Any:
    """Which indices select an element that has an equal one in its row, for every axis or plane along which the indices select
    the values (None: ordered elements); None if there is no such axis."""
    if indices.size == 0:
        return indices != indices
    found = [mask for way in (_axes, _planes) for mask in way(operand, indices, values)]
    return np.logical_or.reduce(found) if found else None


def _axes(operand: Any, indices: Any, values: Any) -> Iterator[Any]:
    """The mask for each axis."""
    for axis in range(operand.ndim):
        kept = indices.ndim == operand.ndim
        at = indices if kept else np.expand_dims(indices, axis) if indices.ndim == operand.ndim - 1 else None
        if at is None or np.delete(at.shape, axis).tolist() != np.delete(operand.shape, axis).tolist():
            continue
        wanted = values if values is None or kept or values.shape != indices.shape else np.expand_dims(values, axis)
        operands, ats = (np.moveaxis(array, axis, -1) for array in (operand, at))
        of = None if wanted is None or wanted.ndim <= axis else np.moveaxis(wanted, axis, -1)
        mask = _selected(operands, ats, of, values is None)
        if mask is not None:
            yield np.moveaxis(mask, -1, axis).reshape(indices.shape)


def _planes(operand: Any, indices: Any, values: Any) -> Iterator[Any]:
    """The mask for each number of last dimensions that an index covers."""
    for count in range(2, operand.ndim + 1):
        lead = operand.shape[: operand.ndim - count]
        if values is not None and indices.shape[: len(lead)] == lead and values.shape == indices.shape:
            rows, ats, of = (array.reshape(*lead, -1) for array in (operand, indices, values))
            mask = _selected(rows, ats, of, ordered=False)
            if mask is not None:
                yield mask.reshape(indices.shape)


def _selected(operand: Any, indices: Any, values: Any, ordered: bool) -> Any:
    """The mask along the last axis; None if the indices do not select the values there, or elements in order."""
    if not ordered and (values is None or values.shape != indices.shape):
        return None
    if not bool(((indices >= 0) & (indices < operand.shape[-1])).all()):
        return None
    found = np.take_along_axis(operand, indices.astype(np.int64), -1)
    if ordered and not all(_is_ordered(row) for row in found.reshape(-1, found.shape[-1])):
        return None
    if not ordered and not bool(((found == values) | ((found != found) & (values != values))).all()):
        return None
    rows, mask = np.sort(operand.reshape(-1, operand.shape[-1]), -1), np.zeros(indices.shape, bool)
    equal, parts, ends = rows[:, 1:] == rows[:, :-1], found.reshape(len(rows), -1), mask.reshape(len(rows), -1)
    for i in np.flatnonzero(equal.any(-1)):
        ends[i] = np.isin(parts[i], rows[i, 1:][equal[i]])
    return mask


def _is_ordered(row: Any) -> bool:
    """Whether elements ascend or descend; NaN may be at either end."""
    row = row[row == row]
    return bool((row[1:] >= row[:-1]).all() or (row[1:] <= row[:-1]).all())

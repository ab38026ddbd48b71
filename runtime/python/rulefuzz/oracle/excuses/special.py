"""Calls on special inputs for which independent implementations disagree, as traces/FRAMEWORK/UNSPECIFIED.tsv records.

traces/collect/unspecified writes the table. A row is an operation, an argument, a class of input, and who returned what.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rulefuzz import table
from rulefuzz.model import Elements, Ref, leaves
from rulefuzz.oracle.excuses.call import Call, Result

SEARCHED = 1 << 16
"""Up to this many integers, equal ones are searched."""
FEW = 64
"""Up to this many rows, a matrix may be found to be singular."""


def _is_number(array: Any) -> bool:
    return array.dtype.kind in "fc"


def _has_duplicates(array: Any) -> bool:
    return array.dtype.kind in "iu" and 1 < array.size <= SEARCHED and len(np.unique(array)) < array.size


def _has_both_zeros(array: Any) -> bool:
    zeros = np.signbit(array[array == 0]) if array.dtype.kind == "f" else array[:0]
    return bool(zeros.any()) and not bool(zeros.all())


def _is_singular(array: Any) -> bool:
    if not _is_number(array) or array.ndim < 2 or not 1 < array.shape[-1] == array.shape[-2] <= FEW or not array.size:
        return False
    return bool(np.isfinite(array).all()) and bool((np.linalg.matrix_rank(array) < array.shape[-1]).any())


CLASSES: dict[str, Callable[[Any, int], bool]] = {
    "nan": lambda array, most: _is_number(array) and bool(np.isnan(array).any()),
    "infinite": lambda array, most: _is_number(array) and bool(np.isinf(array).any()),
    "zeros": lambda array, most: _has_both_zeros(array),
    "singular": lambda array, most: _is_singular(array),
    "duplicates": lambda array, most: _has_duplicates(array),
    "negative": lambda array, most: array.dtype.kind == "i" and bool((array < 0).any()),
    "beyond": lambda array, most: array.dtype.kind in "iu" and bool((array >= most).any()),
    "empty": lambda array, most: array.size == 0,
}
"""Whether elements are of a class. The second argument is the maximum dimension of the other operands: no index
reaches it."""


@functools.cache
def rows(framework: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """The arguments and classes of each operation."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for operation, argument, kind, _ in table.unspecified(framework):
        found[operation] = (*found.get(operation, ()), (argument, kind))
    return found


def operands(call: Call, argument: str) -> Iterator[tuple[Any, int]]:
    """The elements of an argument's tensors, and the maximum dimension of the other operands."""
    seen, build = call.framework.seen, call.framework.build
    for arg in call.node.args:
        for value in leaves(arg.value) if arg.name == argument else ():
            if isinstance(value, (Ref, Elements)):
                layout, _, dtype, array = seen(build(value, call.values))
                dims = [size for ref in call.node.refs() if value != Ref(ref)
                        for size in call.framework.describe(call.values[ref])[0]]  # fmt: skip
                if not layout and dtype != "string":
                    yield np.asarray(array), max(dims, default=1)


class UnspecifiedInput(Result):
    """A call on a class of input for which independent implementations return different results."""

    name = "unspecified-input"
    why = "independent implementations disagree on this class of input (`traces/*/UNSPECIFIED.tsv`)"
    source = "IEEE 754-2019, 5.11; C11 6.3.1.4, 6.5.7; torch.Tensor.scatter_; LAPACK: INFO > 0"
    everywhere = True
    cases, faults = ("NaN in a transform", "a sampling position that is NaN"), ("a number in a transform", "masked rows, NaN")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        known = rows(subject.framework.name).get(subject.operation, ())
        return any(CLASSES[kind](*pair) for argument, kind in known for pair in operands(subject, argument))

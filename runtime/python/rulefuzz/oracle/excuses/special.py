"""Calls on special inputs for which independent implementations disagree, as traces/FRAMEWORK/UNSPECIFIED.tsv records.

traces/collect/unspecified writes the table. A row is an operation, an argument, a class of input, and who returned what. Rows
of unspecified.tsv add operations whose specification says so and for which no disagreement was seen.
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

ALGEBRA = ("nan", "infinite")
"""Classes for which functions of linear algebra have no defined result: LAPACK checks for neither."""


def _has_duplicates(array: Any) -> bool:
    """Whether elements are equal, or may be the same index: -1 is the last one."""
    if array.dtype.kind not in "iu" or not 1 < array.size <= SEARCHED:
        return False
    return len(np.unique(array)) < array.size or bool((array < 0).any()) != bool((array < 0).all())


def _has_both_zeros(array: Any) -> bool:
    zeros = np.signbit(array[array == 0]) if array.dtype.kind == "f" else array[:0]
    return bool(zeros.any()) and not bool(zeros.all())


def _is_singular(array: Any) -> bool:
    if array.dtype.kind not in "fc" or array.ndim < 2 or not 1 < array.shape[-1] == array.shape[-2] <= FEW or not array.size:
        return False
    return bool(np.isfinite(array).all()) and bool((np.linalg.matrix_rank(array) < array.shape[-1]).any())


CLASSES: dict[str, Callable[[Any, int], bool]] = {
    "nan": lambda array, most: array.dtype.kind == "f" and bool(np.isnan(array).any()),
    "infinite": lambda array, most: array.dtype.kind == "f" and bool(np.isinf(array).any()),
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
    """The elements of an argument's tensors ("": of all), and the maximum dimension of the other operands."""
    seen, build = call.framework.seen, call.framework.build
    for arg in call.node.args:
        for value in leaves(arg.value) if argument in ("", arg.name) else ():
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
    cases = ("NaN between two bounds", "NaN in a sum of max and min", "maximum of NaN", "NaN at a threshold",
             "a sampling position that is NaN", "NaN in a transform", "NaN in a gradient", "NaN in a linear system",
             "singular linear systems", "order of 0 and −0", "values scattered to one place")  # fmt: skip
    faults = ("a number between two bounds", "a number in a sum of max and min", "a number on one side of a threshold",
              "a number where both branches give NaN", "masked rows, NaN", "a number in a transform",
              "a sum instead of a scatter", "values scattered to different places")  # fmt: skip

    def applies(self, subject: Call) -> bool:
        """See Result."""
        known = [*rows(subject.framework.name).get(subject.operation, ())]
        known += [("", kind) for row in subject.rows for kind in row.arguments]
        known += [("", kind) for kind in ALGEBRA if "linalg" in subject.node.api]
        return any(CLASSES[kind](*pair) for argument, kind in known for pair in operands(subject, argument))

"""Results that a specification leaves open, whatever the target returns for them.

traces/FRAMEWORK/UNSPECIFIED.tsv, which traces/collect/unspecified writes, has the special inputs on which implementations
disagree. Rows of unspecified.tsv add operations whose specification says so and for which no disagreement was seen.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rulefuzz import table
from rulefuzz.framework import Seen
from rulefuzz.model import Const, Elements, Ref, leaves
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Call, Result, bounds, is_float

APART = 1e-3
"""Two eigenvalues must differ by this share of the maximum, or all vectors between theirs are correct."""


EXACT = 2.0**53
"""Below this, float64 has all integers."""
MANY = 64
"""Of more elements than these, the bits are not counted."""
SEARCHED = 1 << 16
"""Up to this many integers, equal ones are searched."""
FEW = 64
"""Up to this many rows, a matrix may be found to be singular."""


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
def rows(framework: str) -> dict[str, dict[str, set[str]]]:
    """The classes of each operation's arguments."""
    found: dict[str, dict[str, set[str]]] = {}
    for operation, argument, kind, _ in table.unspecified(framework):
        found.setdefault(operation, {}).setdefault(argument, set()).add(kind)
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
    everywhere = True

    def applies(self, subject: Call) -> bool:
        any_argument = {kind for row in subject.rows for kind in row.arguments}
        known = rows(subject.framework.name).get(subject.operation, {}) | ({"": any_argument} if any_argument else {})
        return any(CLASSES[kind](*operand) for argument, kinds in known.items() for operand in operands(subject, argument)
                   for kind in kinds)  # fmt: skip


class InfiniteComplex(Result):
    """A complex operand that is not finite: C leaves the other part open."""

    name = "nan-complex"
    everywhere = True

    def applies(self, subject: Call) -> bool:
        if subject.finite:
            return False
        framework = subject.framework
        return any("complex" in framework.describe(t)[1] and not framework.finite(t) for t in subject.taken)


class Random(Result):
    """A random call: marked as such in the model, or one that continues where the last run of its graph ended."""

    name, everywhere = "random", True

    def applies(self, subject: Call) -> bool:
        return bool(subject.node.random) or subject.arguments >= {"seed", "seed2"}


class Turned(Result):
    """Vectors of eigenvalues: with either sign, or any basis for equal values; and what is computed from the vectors."""

    name = "turned-vectors"
    everywhere = True

    def applies(self, subject: Call) -> Any:
        """See Result. The oracle compares vectors of distinct values after it has turned them."""
        turned = subject.taint.turned
        behind = any(i in turned for i in subject.node.refs())
        vectors = {name for row in subject.rows for name in row.arguments}
        places = [place for place, name in enumerate(subject.names) if name in vectors]
        turned.update(subject.node.outputs[place].id for place in places)
        return behind or [place for place in places if self._are_equal(subject, subject.results[0], subject.results[place])]

    @staticmethod
    def _are_equal(call: Call, values: Any, vectors: Any) -> bool:
        """Whether some eigenvalue is equal or nearly equal to another; a missing one counts as 0."""
        layout, shape, _, array = call.framework.seen(values)
        there, count = (0, 0, *call.framework.describe(vectors)[0])[-2:]
        for told in array.reshape(-1, shape[-1]).tolist() if not layout and there and count else []:
            row = told + [0.0] * (there - len(told))
            least = APART * max(map(abs, row))
            if any(abs(row[i] - row[j]) <= least for i in range(count) for j in range(i + 1, there)):
                return True
        return False


class Reserved(Result):
    """What a call saves for its own gradient. Each executor keeps there whatever it needs; any other use is undefined."""

    name = "reserved-for-gradient"
    everywhere = True
    PREFIX = "reserve_space"

    def applies(self, subject: Call) -> list[int]:
        places = [place for place, name in enumerate(subject.names) if name.startswith(self.PREFIX)]
        taint, own = subject.taint, {i for name, i in subject.ids.items() if name.startswith(self.PREFIX)}
        if not taint.private.intersection(subject.node.refs()) <= own:
            taint.lawless.update(out.id for out in subject.node.outputs)
        taint.private.update(subject.node.outputs[place].id for place in places)
        return places


class MeanOfNothing(Result):
    """A mean over zero elements, if the framework does not define it. A sum is 0 and compared."""

    name = "mean-of-nothing"
    everywhere = True

    def applies(self, subject: Call) -> list[int]:
        describe = subject.framework.describe
        if subject.framework.means_of_nothing or not any(0 in describe(t)[0] for t in subject.taken):
            return []
        return [place for place, result in enumerate(subject.results) if self._has_nan(subject.framework.seen(result))]

    @staticmethod
    def _has_nan(seen: Seen) -> bool:
        layout, _, dtype, array = seen
        return not layout and is_float(dtype) and bool((array != array).any())


class LossyConversion(Result):
    """A float that does not fit the integer type of a result, such as −1.0 to uint8."""

    name, everywhere = "lossy-conversion", True

    def applies(self, subject: Call) -> list[int]:
        """See Result. Some operations define the integer."""
        if unspecified.has("saturates", subject.operation):
            return []
        return [place for place in subject.integers if any(lossy(seen, subject.dtypes[place]) for seen in subject.floats)]


class IntegerOverflow(Result):
    """An integer that does not fit, as a run of the call in floats shows, unless the framework's integers wrap around and this
    one is the exact result modulo 2^n."""

    name, everywhere = "integer-overflow", True

    def applies(self, subject: Call) -> list[int]:
        if not subject.integers or (subject.floats and not unspecified.has(IntegerOfFraction.name, subject.operation)):
            return []
        if self._is_small(subject):
            return []
        seen = [(place, subject.in_floats[place]) for place in subject.integers if place < len(subject.in_floats)]
        return [place for place, wide in seen
                if wide and lossy(wide, subject.dtypes[place]) and not self._wraps(subject, place, wide[3])]  # fmt: skip

    @staticmethod
    def _wraps(call: Call, place: int, wide: Any) -> bool:
        """Whether a result is that of arithmetic modulo 2^n, if the run in floats is exact."""
        limits, array = bounds(call.dtypes[place]), np.asarray(wide)
        if not call.framework.wraps or limits is None or limits[1] >= EXACT or not bool((abs(array) < EXACT).all()):
            return False
        modulo = (array - limits[0]) % (limits[1] - limits[0] + 1) + limits[0]
        return bool((modulo == np.asarray(call.framework.seen(call.results[place])[3])).all())

    @staticmethod
    def _is_small(call: Call) -> bool:
        """Whether all numbers are so small that their sums, products, squares and powers fit. Most arithmetic of shapes is."""
        room = [limits[1].bit_length() if limits and limits[0] else 0 for limits in map(bounds, call.dtypes)]
        seen = [call.framework.seen(value) for value in call.taken]
        if any(one[0] or not bounds(one[2]) for one in seen) or sum(math.prod(one[1]) for one in seen) > MANY:
            return False
        told = [leaf.value if isinstance(leaf, Const) else leaf for arg in call.node.args for leaf in _numbers(arg.value)]
        numbers = [number for one in seen for number in one[3].reshape(-1).tolist()]
        sizes = [abs(number) + 1 for number in (*numbers, *told) if isinstance(number, int)]
        most = max(sizes, default=0)
        return max(2 * sum(size.bit_length() for size in sizes), most * most.bit_length()) < min(room)


class IntegerOfFraction(Result):
    """An operation on real numbers that integers are passed to: how a fraction is rounded is unspecified."""

    name = "integer-of-a-fraction"

    def applies(self, subject: Call) -> list[int]:
        seen = [(place, subject.in_floats[place]) for place in subject.integers if place < len(subject.in_floats)]
        return [place for place, wide in seen if wide and bool((wide[3] % 1 != 0).any())]


def _numbers(value: Any) -> Iterator[Any]:
    """The integers and constants of an argument, those of literal tensors as well."""
    for leaf in leaves(value):
        if isinstance(leaf, Elements):
            yield from _numbers(leaf.value)
        elif not isinstance(leaf, Ref):
            yield leaf


def lossy(seen: Seen, to: str) -> bool:
    """Whether converting these floats is undefined in C. Any float has a truth value."""
    if is_float(to) or to in ("string", "bool"):
        return False
    array, infinity = seen[3], float("inf")
    parts = [array.real, array.imag] if "complex" in seen[2] else [array]
    limits = bounds(to)
    low, high = limits if limits is not None else (-infinity, infinity)
    for part in parts:
        finite = (part == part) & (abs(part) < infinity)
        if not bool(finite.all()):
            return True
        if limits is not None and bool(((part <= float(low) - 1) | (part >= float(high) + 1)).any()):
            return True
    return False

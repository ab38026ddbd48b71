"""One call of the reference's run, as excuses of results look at it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Const, Elements, Node, Ref, Values
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.excuse import Excuse

if TYPE_CHECKING:
    from rulefuzz.oracle.taint import Taint


def is_float(dtype: str) -> bool:
    """Whether the dtype is rounded."""
    return "float" in dtype or "complex" in dtype


def bounds(dtype: str) -> tuple[int, int] | None:
    """The minimum and maximum of an integer dtype; None for other dtypes."""
    name = dtype.lstrip("q")
    digits = name.lstrip("uint")
    if not name.startswith(("int", "uint")) or not digits.isdigit():
        return None
    bits = int(digits)
    return (0, (1 << bits) - 1) if name.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def said(node: Node, name: str) -> Any:
    """An attribute: a symbol of the call or a constant; None if it has none."""
    value = next((arg.value for arg in node.args if arg.name == name), None)
    return value.value if isinstance(value, Const) else value


@dataclass
class Call:
    """A call with its operands and results."""

    framework: Framework
    node: Node
    values: Values
    """The operands as they were before the call."""
    results: Sequence[Any]
    names: Sequence[str]
    """The names of the results, if they have any."""
    taint: Taint
    rows: tuple[unspecified.Row, ...] = field(default=())
    """The rows of the excuse that looks at the call."""

    @functools.cached_property
    def operation(self) -> str:
        return self.framework.operation(self.node.api)

    @functools.cached_property
    def arguments(self) -> frozenset[str]:
        """The names of all arguments."""
        return frozenset(arg.name for arg in self.node.args)

    @functools.cached_property
    def ids(self) -> dict[str, int]:
        """The tensors that are arguments, by name."""
        return {arg.name: arg.value.id for arg in self.node.args if isinstance(arg.value, Ref)}

    @functools.cached_property
    def named(self) -> dict[str, Any]:
        """Their values."""
        return {name: self.values[i] for name, i in self.ids.items()}

    @functools.cached_property
    def given(self) -> dict[str, Any]:
        """These, and literal tensors."""
        literal = {arg.name: arg.value for arg in self.node.args if isinstance(arg.value, Elements)}
        return {name: self.framework.build(value, {}) for name, value in literal.items()} | self.named

    @functools.cached_property
    def shapes(self) -> Mapping[str, Sequence[int]]:
        """The shapes of these arguments."""
        return {name: self.framework.describe(value)[0] for name, value in self.given.items()}

    @functools.cached_property
    def taken(self) -> list[Any]:
        """All operands."""
        return [self.values[i] for i in self.node.refs()]

    @functools.cached_property
    def finite(self) -> bool:
        """Whether all operands are finite."""
        return all(map(self.framework.finite, self.taken))

    @functools.cached_property
    def floats(self) -> list[Seen]:
        """The operands that are floats."""
        return [seen for seen in map(self.framework.seen, self.taken) if is_float(seen[2])]

    @functools.cached_property
    def dtypes(self) -> list[str]:
        """The dtypes of the results."""
        return [self.framework.describe(result)[1] for result in self.results]

    @functools.cached_property
    def integers(self) -> list[int]:
        """The results that are integers."""
        return [place for place, dtype in enumerate(self.dtypes) if not is_float(dtype) and dtype != "bool"]

    @functools.cached_property
    def in_floats(self) -> list[Seen | None]:
        """The results as floats of 64 bits; None if the call has no such kernel."""
        wide = self.framework.in_floats(self.node, self.values) or []
        seen = [self.framework.seen(result) for result in wide]
        return [one if not one[0] and is_float(one[2]) else None for one in seen]

    def elements(self, argument: str) -> Any:
        """The elements of an argument in `given`."""
        return self.framework.seen(self.given[argument])[3]

    def said(self, name: str) -> Any:
        return said(self.node, name)


class Result(Excuse):
    """Results of a call that are undefined, as poison in LLVM: they are not compared, nor is anything computed from them."""

    everywhere: ClassVar[bool] = False
    """Whether it looks at every call, not only at those with a row in the table."""
    violates: ClassVar[str] = ""
    """"elements" if elements violate the specification: a target may reject the call, or give other dimensions. "dimensions" if
    dimensions do, and the result is defined: a target may reject the call, but its results are compared."""

    def concerns(self, operation: str) -> bool:
        """Whether it looks at calls of this operation."""
        return self.everywhere or unspecified.has(self.name, operation)

    def applies(self, subject: Call) -> Any:
        """The places of undefined results; True: all, False: none."""
        raise NotImplementedError

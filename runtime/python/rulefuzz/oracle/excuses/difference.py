"""A tensor of the target that differs from the reference's, as excuses of elements look at it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ClassVar

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Node
from rulefuzz.oracle import compare
from rulefuzz.oracle.excuses.call import is_float
from rulefuzz.oracle.excuses.excuse import Counts, Excuse, count

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check
    from rulefuzz.oracle.rounding import Rounding

EQUAL, INSIGNIFICANT, EXPLAINED = range(3)
"""Grades of excuses: equal elements; elements for which nothing is measured; elements that need an explanation."""


class Difference:
    """Two tensors of one structure."""

    def __init__(self, check: Check, tensor: int, got: Seen, want: Seen) -> None:
        self.check, self.tensor, self.got, self.want = check, tensor, got, want
        self.left: Any = compare.differing(got[3], want[3])
        """The elements that no excuse covers yet."""

    @property
    def framework(self) -> Framework:
        """The framework."""
        return self.check.framework

    @property
    def rounding(self) -> Rounding:
        """The effect of rounding on the model."""
        return self.check.rounding

    @functools.cached_property
    def is_float(self) -> bool:
        """Whether the dtype is rounded."""
        return is_float(self.want[2])

    @functools.cached_property
    def node(self) -> Node | None:
        """The call that makes the tensor; None for an input."""
        place = self.check.model.node_of(self.tensor)
        return self.check.model.nodes[place] if place >= 0 else None

    @functools.cached_property
    def operation(self) -> str:
        """Its operation; "" for an input."""
        return self.framework.operation(self.node.api) if self.node else ""

    @functools.cached_property
    def limits(self) -> tuple[float, float]:
        """Absolute and relative error that is not significant."""
        return self.rounding.limits(self.tensor, self.want)

    @functools.cached_property
    def wide(self) -> Any:
        """The elements of the run in 64 bits; None without."""
        return self.rounding.in_64_bits(self.tensor, self.want)

    def none(self) -> Any:
        """A mask without elements."""
        return self.left & ~self.left

    def any(self) -> bool:
        """Whether some elements are not covered."""
        return bool(self.left.any())

    def excuse(self, excuses: list[Element], counts: Counts | None = None) -> None:
        """Lets excuses cover elements, the cheap ones first."""
        for excuse in excuses:
            if excuse.grade == EQUAL and counts is None:
                continue
            if excuse.grade != EQUAL and not self.any():
                return
            before, found = self.left, excuse.applies(self)
            for name, mask in (found if isinstance(found, dict) else {excuse.name: found}).items():
                covered = mask if excuse.grade == EQUAL else mask & before
                number = count(covered)
                if excuse.grade != EQUAL:
                    self.left = self.left & ~mask
                if counts and number:
                    counts.note(self.tensor, name, number)
                    counts.show(name, self.tensor, self.got[3], self.want[3], covered)


class Element(Excuse):
    """Elements that differ without being wrong. `applies` may also cover elements that do not differ."""

    grade: ClassVar[int] = EXPLAINED
    cost: ClassVar[int] = 0
    """When it is asked: expensive ones look only at what no other covers. No other result depends on it."""

    def applies(self, subject: Difference) -> Any:
        """The elements that it explains, or these by the names of all excuses that took part."""
        raise NotImplementedError

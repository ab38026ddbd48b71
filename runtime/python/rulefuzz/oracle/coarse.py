"""Differences that a target means to make: parts of its optimiser that change numbers by design, COARSE in its file.

Such a part may make results less exact, not others: what it moves is small beside the greatest element.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rulefuzz.framework import Seen
from rulefuzz.oracle import compare

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check

SHARE = 1 / 16
"""Of the greatest element, by which such a part may move one: weights of eight bits move products by a 250th, and sums of them
by more."""


def meant(check: Check) -> bool:
    """Whether the target agrees with the reference without these parts."""
    names = getattr(check.target.module, "COARSE", ())
    if not names:
        return False
    variable = check.target.module.WITHOUT
    before = os.environ.get(variable, "")
    os.environ[variable] = ",".join(filter(None, (before, *names)))
    try:
        return bool(check.by(check.target).exactly())
    finally:
        os.environ[variable] = before


def small(got: Seen, want: Seen) -> bool:
    """Whether two tensors differ by no more than such a part may move one."""
    if compare.other_structure(got, want) or want[0]:
        return False
    return bool((~compare.differing(got[3], want[3]) | little(got, want)).all())


def little(got: Seen, want: Seen) -> Any:
    """Which elements, of tensors of one structure, differ by no more than that."""
    if want[2] in ("bool", "string"):
        return ~compare.differing(got[3], want[3])
    wide = "complex128" if "complex" in want[2] else "float64"  # integers would wrap
    one, other = got[3].astype(wide), want[3].astype(wide)
    return abs(one - other) <= SHARE * abs(other).max(initial=0)

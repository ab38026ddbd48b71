"""Differences that a target means to make: parts of its optimiser that change numbers by design, by two lists of its file.

COARSE makes results less exact, not others: what it moves is small beside the greatest element. QUANTISED has kernels of eight
bits in the place of those of floats: what these give may be the number beside.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulefuzz.framework import Seen
from rulefuzz.oracle import compare

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check

EIGHT = ("int8", "uint8")
SHARE = 1 / 16
"""Of the greatest element, by which such a part may move one: weights of eight bits move products by a 250th, and sums of them
by more."""


def meant(check: Check) -> str:
    """Which list's parts, with those of the list before, a target has to be without to agree with the reference; "" where it
    does not agree then either."""
    module, names = check.target.module, list[str]()
    for kind in ("COARSE", "QUANTISED"):
        names += getattr(module, kind, ())
        if hasattr(module, kind) and _agrees_without(check, names):
            return kind
    return ""


def _agrees_without(check: Check, names: Sequence[str]) -> bool:
    variable = check.target.module.WITHOUT
    before = os.environ.get(variable, "")
    os.environ[variable] = ",".join(filter(None, (before, *names)))
    try:
        return bool(check.by(check.target).exactly())
    finally:
        os.environ[variable] = before


def small(kind: str, got: Seen, want: Seen) -> bool:
    """Whether two tensors differ by no more than such a part may move one."""
    if compare.other_structure(got, want) or want[0]:
        return False
    return bool((~compare.differing(got[3], want[3]) | little(kind, got, want)).all())


def little(kind: str, got: Seen, want: Seen) -> Any:
    """Which elements, of tensors of one structure, differ by no more than that."""
    if want[2] in ("bool", "string") or (kind == "QUANTISED" and want[2] not in EIGHT):
        return ~compare.differing(got[3], want[3])
    wide = "complex128" if "complex" in want[2] else "float64"  # integers would wrap
    one, other = got[3].astype(wide), want[3].astype(wide)
    return abs(one - other) <= (1 if kind == "QUANTISED" else SHARE * abs(other).max(initial=0))

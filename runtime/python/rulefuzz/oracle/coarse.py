"""Intended differences: optimizations that change results by design, named by two lists in a target's file.

COARSE ones lose precision; their effect is small compared with the maximum element, or with what a quantization step of the
model causes (steps.py). QUANTISED ones use 8-bit kernels instead
of float kernels; their results may be the adjacent integer.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulefuzz.framework import Seen
from rulefuzz.oracle import compare, steps

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check

EIGHT = ("int8", "uint8")
SHARE = 1 / 16
"""How far COARSE optimizations may move an element, relative to the maximum: 8-bit weights move products by 1/250, and sums by
more."""


def meant(check: Check) -> str:
    """The list whose optimizations, with those of the earlier list, must be off for the target to agree; "" if it disagrees
    even then."""
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


def small(kind: str, got: Seen, want: Seen, moved: Any = None) -> bool:
    """Whether two tensors differ by no more than such an optimization may cause."""
    if compare.other_structure(got, want) or want[0]:
        return False
    return bool((~compare.differing(got[3], want[3]) | little(kind, got, want, moved)).all())


def little(kind: str, got: Seen, want: Seen, moved: Any = None) -> Any:
    """The elements that differ by no more than that, in tensors of one structure. `moved`: by how much one quantization step
    moves the elements; None: not at all."""
    found = _little(kind, got, want)
    if kind != "COARSE" or moved is None or want[2] == "string":
        return found
    wide = "complex128" if "complex" in want[2] else "float64"
    return found | (abs(got[3].astype(wide) - want[3].astype(wide)) <= steps.FACTOR * moved)


def _little(kind: str, got: Seen, want: Seen) -> Any:
    if want[2] in ("bool", "string") or (kind == "QUANTISED" and want[2] not in EIGHT):
        return ~compare.differing(got[3], want[3])
    wide = "complex128" if "complex" in want[2] else "float64"  # integers would wrap
    one, other = got[3].astype(wide), want[3].astype(wide)
    return abs(one - other) <= (1 if kind == "QUANTISED" else SHARE * abs(other).max(initial=0))

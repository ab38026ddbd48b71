"""Special inputs: changes of an operand's elements, by the classes that the oracle recognizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rulefuzz.oracle.excuses.undefined import CLASSES

TRIES = 2
"""Changed operands of each class."""


def _some(array: Any, draw: np.random.Generator, *elements: Any) -> Any:
    """The array with these elements at random places."""
    changed = array.copy()
    count = min(len(elements), changed.size)
    changed.reshape(-1)[draw.permutation(changed.size)[:count]] = elements[:count]
    return changed


def _equal(array: Any, draw: np.random.Generator) -> Any:
    changed = array.copy()
    flat = changed.reshape(-1)
    flat[draw.permutation(flat.size)[: max(2, flat.size // 2)]] = flat[0]
    return changed


def _singular(array: Any, draw: np.random.Generator) -> Any:
    changed = array.copy()
    if changed.ndim > 1:
        changed[..., -1, :] = changed[..., 0, :]
    return changed


CHANGES: dict[str, Callable[[Any, np.random.Generator, int], Any]] = {
    "nan": lambda array, draw, most: _some(array, draw, np.nan),
    "infinite": lambda array, draw, most: _some(array, draw, draw.choice([np.inf, -np.inf])),
    "zeros": lambda array, draw, most: _some(array, draw, 0.0, -0.0),
    "singular": lambda array, draw, most: _singular(array, draw),
    "duplicates": lambda array, draw, most: _equal(array, draw),
    "negative": lambda array, draw, most: _some(array, draw, draw.choice([-1, -2])),
    "beyond": lambda array, draw, most: _some(array, draw, draw.choice([most, 70])),
}  # fmt: skip
"""The elements changed, or the same if they cannot be. The last argument: see CLASSES."""
KINDS = {"negative": "i", "beyond": "iu", "duplicates": "iu", "singular": "fc"}
"""The kinds of dtypes of each class; all others are of floats. An infinite complex number is undefined anyway: C11 G.3."""


def special(array: Any, most: int, draw: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Changed operands with the class of each. Skips classes that the elements already have."""
    for kind, change in CHANGES.items():
        if not array.size or array.dtype.kind not in KINDS.get(kind, "f") or CLASSES[kind](array, most):
            continue
        for _ in range(TRIES):
            with np.errstate(all="ignore"):
                changed = change(array, draw, most)
            if CLASSES[kind](changed, most):
                yield kind, changed

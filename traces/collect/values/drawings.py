"""The fills of a call's inputs, drawing by drawing."""

from __future__ import annotations

import functools

from traces.collect.values import classes


@functools.lru_cache(32)
def drawings(count: int) -> list[tuple[str, ...]]:
    """The modes of `count` inputs, drawing by drawing, the constant ones at the ends (CORNERS) first."""
    low, high, zero, one, minus = classes.LOW, classes.HIGH, classes.ZERO, classes.ONE, classes.MINUS
    mixed = [high, "r3", low, zero, "r4", one, minus]
    found: list[tuple[str, ...]] = [
        (high,) * count,
        (low,) * count,
        *(tuple((first, second)[i >> bit & 1] for i in range(count)) for bit in (0, 1)
          for first, second in ((high, low), (low, high))),
        (zero,) * count,
        *((f"r{seed}",) * count for seed in range(3)),
        *(tuple((first, second)[i % 2] for i in range(count)) for first, second in ((zero, high), ("r1", zero), (zero, "r2"))),
        (one,) * count,
        (minus,) * count,
        *(tuple(mixed[(step * i + step) % len(mixed)] for i in range(count)) for step in (1, 2, 3)),
    ]  # fmt: skip
    return list(dict.fromkeys(found))


CORNERS = 6
"""Number of drawings with constant ends (fewer if there are fewer inputs)."""


def corners(count: int) -> int:
    return min(CORNERS, 2 ** min(count, 2) if count < 3 else CORNERS)

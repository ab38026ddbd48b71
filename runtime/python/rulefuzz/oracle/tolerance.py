"""How far two float results may differ: the table tolerances.def, which the fast path in C includes."""

from __future__ import annotations

import functools

from rulefuzz import table

MEASURED = "measured"
SINGLE = "float32"
"""The dtype whose tolerance others without a row have."""


@functools.cache
def _rows(kind: str) -> dict[tuple[str, ...], tuple[float, ...]]:
    """The rows of one kind: numbers by names."""
    found = {}
    for name, fields in table.tolerances():
        names = tuple(field.lower() for field in fields if field.isidentifier())
        if name == kind:
            found[names] = tuple(map(float, fields[len(names) :]))
    return found


PRESETS = tuple(dict.fromkeys(preset for preset, _ in _rows("TOLERANCE")))
PAIR = (_rows("PAIR")[()][0], _rows("PAIR")[()][1])
"""Absolute and relative error of a float64 that a cast made of fewer bits. Other floats have a smaller tolerance anyway."""
EXACT = (_rows("WHOLE")[()][0], 0.0)
"""Absolute and relative error below which a value counts as an integer."""


def bounds(preset: str, dtype: str) -> tuple[float, float]:
    """Absolute and relative tolerance for floats of a dtype."""
    small = dtype.startswith(("float8", "float4")) and (preset, dtype) not in _rows("TOLERANCE")
    every = _rows("TOLERANCE")
    absolute, relative = _rows("SMALL")[preset,] if small else every.get((preset, dtype), every[preset, SINGLE])
    return absolute, relative

"""How far two float results may differ: measured or from papers; docs/reference/oracle.md specifies it."""

from __future__ import annotations

MEASURED = "measured"
_HALF = ("float16", "complex32")
_PUBLISHED = {"neuri": (1e-3, 1e-2), "isra": (0.0, 0.1)}
"""NeuRI, section 5.1; Isra, section 4.2: the relative tolerance alone."""
_FLOOR = {
    "float64": (1e-7, 1e-7),
    "complex128": (1e-7, 1e-7),
    "float16": (1e-2, 2e-2),
    "complex32": (1e-2, 2e-2),
    "bfloat16": (5e-2, 5e-2),
}
"""As torch.testing, whose maintainers accept no reports below; wider for half precision, whose intermediate results are not
visible. Other dtypes have _SINGLE or _NARROW."""
_SINGLE = (1e-5, 1.3e-6)
_NARROW = (1e-5, 0.25)
PRESETS = (MEASURED, *_PUBLISHED)


def bounds(preset: str, dtype: str) -> tuple[float, float]:
    """Absolute and relative tolerance for floats of a dtype."""
    if preset == MEASURED:
        return _FLOOR.get(dtype, _NARROW if dtype.startswith(("float8", "float4")) else _SINGLE)
    absolute, relative = _PUBLISHED[preset]
    if preset == "neuri":
        return (5e-2, 5e-2) if dtype == "bfloat16" else (1e-2, 2e-2) if dtype in _HALF else (absolute, relative)
    return absolute, relative

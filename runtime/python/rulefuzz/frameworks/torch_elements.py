"""The elements of elements.py by torch alone, for repro scripts."""

from __future__ import annotations

import torch


def make_input(
    shape: tuple[int, ...], dtype: str, seed: int, kind: str = "small", span: tuple[int, int] | None = None
) -> torch.Tensor:
    """Elements of a class or of a range of integers (without its end), the same for the same seed (splitmix64)."""
    target, count, wrap = getattr(torch, dtype), torch.Size(shape).numel(), 1 << 64
    with_special = kind == "any" and dtype in ("float16", "bfloat16", "float32", "float64")
    kind = "small" if with_special else kind
    low, high = {"unit": (0.1, 0.9), "positive": (0.1, 5.0), "small": (-5.0, 5.0)}.get(kind, (-1e4, 1e4))

    def shifted(bits: torch.Tensor, by: int) -> torch.Tensor:
        return (bits >> by) & ((1 << (64 - by)) - 1)

    places = torch.arange(1, (2 if target.is_complex and span is None else 1) * count + 1, dtype=torch.int64)
    bits = places * (0x9E3779B97F4A7C15 - wrap) + seed
    bits = (bits ^ shifted(bits, 30)) * (0xBF58476D1CE4E5B9 - wrap)
    bits = (bits ^ shifted(bits, 27)) * (0x94D049BB133111EB - wrap)
    bits = bits ^ shifted(bits, 31)
    if target == torch.bool and span is None:
        return (bits < 0 if low < 0 else bits == bits).reshape(shape)
    if span is None and (target.is_floating_point or target.is_complex):
        most = 200.0 if dtype.startswith("float8") else high
        real = (shifted(bits, 11).to(torch.float64) * 2.0**-53 * (high - low) + low).clamp(-most, most)
        if with_special:
            end, inf = torch.finfo(target), float("inf")
            numbers = ((float("nan"),) * 8, (inf, -inf) * 4, (0.0, -0.0, 1.0, -1.0) * 2,
                       (100.0, -100.0, end.max, end.min, end.tiny, -end.tiny, 100.0, -100.0))[seed % 4]  # fmt: skip
            real = torch.where((bits & 3) == 0, torch.tensor(numbers, dtype=torch.float64)[shifted(bits, 2) & 7], real)
        return (torch.complex(real[:count], real[count:]) if target.is_complex else real).reshape(shape).to(target)
    if span is not None:
        first, last = span[0], span[1] - 1
    else:
        first, last = (1, 1) if kind == "unit" else (1 if low > 0 else int(low), int(high))
        first, last = max(first, torch.iinfo(target).min), min(last, torch.iinfo(target).max)
    choices = max(last - first + 1, 1)
    whole = (shifted(bits, 1) % choices * 2 + (bits & 1)) % choices + first
    return whole.reshape(shape).to(target)

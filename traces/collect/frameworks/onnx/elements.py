"""Elements of ONNX's tensors, drawn once and handed out in slices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from onnx import helper

from rulefuzz.frameworks.onnx_evaluate import (
    element_type,  # fmt: skip
)
from traces.collect.judge.framework import FILLS

POOL = 1 << 16
"""Elements drawn once per dtype and fill; tensors are slices of this pool."""


class Pools:
    """Element pools by fill and dtype; the same slice always holds the same elements."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, str], np.ndarray] = {}
        for fill in FILLS:
            for dtype in ("float32", "int64", "bool"):
                self._pool(fill, dtype)

    def tensor(self, dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
        """A dense read-only tensor; `place` numbers the tensors of a call, so that tensors of equal shape differ."""
        count = math.prod(dims)
        pool = self._pool(fill, dtype)
        if count > POOL:
            return np.resize(pool, count).reshape(dims)
        start = min(place * 512, POOL - count)
        return pool[start : start + count].reshape(dims)

    def _pool(self, fill: str, dtype: str) -> np.ndarray:
        key = ("normal" if fill == "low" else fill, dtype)
        if key not in self._pools:
            self._pools[key] = self._draw(key[0], dtype)
        return self._pools[key]

    @staticmethod
    def _draw(fill: str, dtype: str) -> np.ndarray:
        rng = np.random.Generator(np.random.PCG64(1 + sum(fill.encode())))
        floating = "float" in dtype or "complex" in dtype
        if fill == "ones":
            drawn = np.ones(POOL)
        elif fill == "zeros":
            drawn = np.zeros(POOL)
        elif fill == "small":
            drawn = rng.random(POOL) if floating else np.floor(rng.random(POOL) * 3)
        elif fill == "normal":
            drawn = rng.standard_normal(POOL)
            drawn = drawn if floating else np.round(drawn * 4)
        else:
            drawn = (rng.random(POOL) * 2 - 1) * 1e6
        if dtype == "string":
            return np.array([f"{'abcdefgh'[int(abs(x)) % 8]}{int(x)}" for x in drawn], dtype=object)
        if dtype == "bool":
            return drawn > 0.5
        if dtype == "float16":
            drawn = drawn.clip(-6e4, 6e4)
        if dtype.startswith("float8"):
            drawn = drawn.clip(-200, 200)
        if dtype in ("uint8", "int8", "int16", "uint16"):
            drawn = np.remainder(drawn, 100)
        if dtype.startswith("uint"):
            drawn = np.abs(drawn)
        return drawn.astype(helper.tensor_dtype_to_np_dtype(element_type(dtype)))

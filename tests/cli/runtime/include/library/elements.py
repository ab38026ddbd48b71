"""Compares the elements that librulesmith generates with the Python package's, bit by bit. Input: the lines of `use
elements`.

Floats narrower than float64 are rounded by numpy; bfloat16 and complex32, which numpy lacks, are rounded here.
"""

from __future__ import annotations

import sys

import numpy as np

from rulefuzz.elements import elements, seed_of


def bfloat16(array: np.ndarray) -> np.ndarray:
    """Rounds by way of float32 to nearest, ties to even."""
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)).astype(np.uint16)


def converted(array: np.ndarray, dtype: str) -> np.ndarray:
    """Converts elements as frameworks do."""
    if dtype == "bfloat16":
        return bfloat16(array)
    if dtype == "complex32":
        return np.stack([array.real, array.imag], -1).astype(np.float16)
    if dtype in ("int4", "uint4"):  # a byte each
        return ((array & 15 ^ 8) - 8).astype(np.int8) if dtype == "int4" else (array & 15).astype(np.uint8)
    with np.errstate(over="ignore"):  # an integer may exceed float16
        return array.astype(dtype)


def main() -> int:
    """Reads the lines. Exit code 1 if one differs or there are few."""
    wrong = lines = 0
    for line in sys.stdin:
        dtype, kind, low, high, values, number, count, *found = line.split()
        span = (int(low), int(high)) if (int(low), int(high)) != (0, 0) else None
        made = elements((int(count),), dtype, seed_of(int(values), int(number)), kind, span)
        want = converted(made, dtype).tobytes().hex()
        lines += 1
        if want != "".join(found):
            wrong += 1
            print(f"{dtype} {kind} {span} {values} differs: {''.join(found)[:64]}, not {want[:64]}")
    print(f"{lines} inputs, {wrong} differ")
    return 1 if wrong or lines < 200 else 0


if __name__ == "__main__":
    sys.exit(main())

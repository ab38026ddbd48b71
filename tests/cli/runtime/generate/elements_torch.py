"""Whether torch_elements.py makes the elements of elements.py, bit by bit. Needs torch and numpy."""

from __future__ import annotations

import sys

import torch

from rulefuzz.elements import elements, seed_of
from rulefuzz.frameworks.torch_elements import make_input

DTYPES = ("bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 "
          "complex128").split()  # fmt: skip


def main() -> int:
    """See the module."""
    cases: list[tuple[str, str, tuple[int, int] | None]]
    cases = [(dtype, kind, None) for dtype in DTYPES for kind in ("unit", "positive", "small", "large", "any")]
    cases += [(dtype, "small", span) for dtype in ("int32", "int64") for span in ((0, 3), (-7, 1), (5, 5000))]
    wrong = distinct = 0
    for number, (dtype, kind, span) in enumerate(cases):
        for shape in ((), (0, 2), (3, 50)):
            seed = seed_of(number * 77777777777777, number)
            want = torch.from_numpy(elements(shape, dtype, seed, kind, span)).to(getattr(torch, dtype))
            got = make_input(shape, dtype, seed, kind, span)
            distinct += len(set(map(repr, got.flatten().tolist())))
            if got.dtype != want.dtype or got.shape != want.shape or repr(got.tolist()) != repr(want.tolist()):
                wrong += 1
                print(f"{dtype} {kind} {span} {shape} differs")
            if span is not None and got.numel() and not (int(got.min()) >= span[0] and int(got.max()) < span[1]):
                wrong += 1
                print(f"{dtype} {span}: out of range")
    print(f"{len(cases)} cases, {wrong} wrong, {distinct} elements")
    return 1 if wrong or distinct < 10 * len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())

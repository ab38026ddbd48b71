"""Differences that carry no information about a framework: a row each, with the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Noise:
    """One class of ignored differences."""

    name: str
    why: str
    pattern: re.Pattern[str]
    kinds: tuple[str, ...] = ()
    """Kinds it applies to; empty: all."""
    live: bool = False
    """True if the pattern matches the live kernel's message, false if the other's."""


def _noise(name: str, why: str, pattern: str, kinds: Sequence[str] = (), *, live: bool = False) -> Noise:
    return Noise(name, why, re.compile(pattern, re.IGNORECASE), tuple(kinds), live)


STATIC = ("fake", "meta", "aot", "inductor", "onnx-infer", "tf-graph")
NOISE = (
    _noise("index", "inference does not know elements, so no bounds of indices",
           r"out of (range|bounds)|indices? (must|should|is|are|element|out|value|=)|index tensor must|index .* is not in|"
           r"expects? .* to be within|class values|target \d|must be (in|within) (the )?range|indices\[|"
           r"not in \[\d|is not valid \(expected|duplicate|out of order", STATIC, live=True),
    _noise("elements", "the live kernel rejects elements, not shapes",
           r"singular|positive.definite|converge|contains? (nan|inf|non-finite|zero)|probabilit|division by zero|"
           r"bincount|all elements of|elements? (of|in) .* must|prefix of the tensor|should contain|cannot contain|"
           r"invalid multinomial|to be (monoton|sorted|increasing)|monotonic|the sum of|must be non-negative$|"
           r"histogram|value \S+ cannot be converted|is less than|has to be one of", STATIC, live=True),
    _noise("library", "MKL, LAPACK and oneDNN reject empty batches and odd strides that the definition allows",
           r"mkl|lapack|blas|onednn|dnnl", live=True),
    _noise("no kernel", "which dtypes a device has kernels for is not part of inference",
           r"not (implemented|supported) for|could not run|not currently supported|unsupported (dtype|type)|not yet supported|"
           r"no kernel|does not support|only supports?|NotImplementedError|NOT_IMPLEMENTED|unimplemented|no OpKernel|"
           r"data_?type .* (unsupported|not supported)|expected scalar type|is only supported",
           live=True),
    _noise("data-dependent", "says itself that it depends on elements",
           r"DataDependent|DynamicOutputShape|GuardOnDataDependent|unbacked|local_scalar_dense|"
           r"data.dependent|symbolic|_local_scalar|item\(\)"),
    _noise("unsupported", "says itself that it has no answer",
           r"NotImplementedError|UnsupportedOperator|UnsupportedFakeTensor|not implemented|not supported|"
           r"meta tensors? (is|are|do|can)|on meta|cannot copy out of meta|no support|is on device meta|"
           r"torch\._dynamo\.exc|Unsupported|graph break|InternalTorchDynamo|mixed .*fake|data_ptr|"
           r"cannot be traced|non-fake|fake tensor|no_dispatch|mkldnn|reached dispatch"),
    _noise("signature", "the form has no such argument",
           r"TypeError|AttributeError|takes? (no|from|at most|\d+) |unexpected keyword|invalid combination", ("out", "twin")),
    _noise("in place", "an operation in place keeps shape, dtype and memory of its operand",
           r"can't be cast|doesn't match the broadcast shape|single memory location|in-?place|"
           r"expected .*dtype|overlap|result type|is not (the same|equal)|output dtype|resize", ("twin", "out")),
    _noise("memory", "both would need more memory than there is", r"out of memory|allocate|overflow|too large|bad_alloc"),
    _noise("memory", "the live kernel has not the memory", r"out of memory|allocate|overflow|too large|bad_alloc", live=True),
)  # fmt: skip


def noise(kind: str, live: str, said: str) -> Noise | None:
    """The row that a difference falls under, given both messages."""
    for row in NOISE:
        text = live if row.live else said
        if text.startswith("raises") and (not row.kinds or kind in row.kinds) and row.pattern.search(text):
            return row
    return None

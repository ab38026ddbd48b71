"""Excuses of a whole answer: an error or a rejection, not elements."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from rulefuzz.oracle.excuses.excuse import INVALID, ONNX, OUTSIDE, Excuse


class Verdict(Excuse):
    """An excuse of a whole answer, or of a reference run. The module that tests its condition notes that it fired."""


class RejectsOutside(Verdict):
    """A target that rejects a call outside the specification, or fails silently there and leaves other outputs uncomputed."""

    name, group = "rejects-outside", OUTSIDE
    why, source = "a target may reject such a call, or fail silently", "see the calls above"
    cases = ("`Pad` by one element in a dimension", "`QuantizeLinear` with scale 0")


class SecondRejects(Verdict):
    """A call that a second implementation rejects, since the reference is laxer than the specification."""

    name, group = "second-rejects", OUTSIDE
    why, source = "onnx's evaluator divides by 0", "onnx.reference"
    cases = ("`LpPool` with p = 0",)


class OverlappingWrite(Verdict):
    """A call that writes to memory that some of its operands share in part, or to one element twice."""

    name = "overlapping-write"
    why, source = "the order of reads and writes is open", "torch: assert_no_overlap"
    cases, faults = ("a write to shared elements",), ("a write to elements of its own",)


class GradientNotFinite(Verdict):
    """A gradient that is not finite, or that may depend on an undefined result."""

    name = "gradient-not-finite"
    why, source = "a product with 0 and a selection differ", "torch.autograd: gradients of non-differentiable functions"
    cases, faults = ("gradients that are not finite",), ("gradients that are finite",)


class Continued(Verdict):
    """A run that continues from the target's intermediates, which are as correct as the reference's."""

    name = "continued"
    why, source = "the reference continues from the target's intermediates", "docs/explanation/verdicts.md"
    cases = ("discontinuity after an inexact kernel", "discontinuity after an error below the floor", "discontinuity after −0",
             "discontinuity after such a residue", "discontinuity after explained noise")  # fmt: skip
    faults = ("discontinuity after an inexact kernel", "discontinuity after −0", "discontinuity after an error below the floor")


class HalfKept(Verdict):
    """A run that carries half precision in 32 bits from call to call, as compilers without half-precision kernels do, or that
    rounds after each call, since the reference may carry it as well."""

    name, group = "half-kept-in-float32", ONNX
    why, source = "kernels for float16 may be missing", "docs/explanation/verdicts.md; onnxruntime: InsertCastTransformer"
    cases = ("half precision carried in float32", "half precision kept in float32 between calls")
    faults = ("values that are unequal in half precision", "values above the underflow of half precision")


class Rejection(Verdict):
    """A message of the reference about something that no compiler has to detect."""

    group = INVALID
    pattern: ClassVar[re.Pattern[str]]

    def applies(self, subject: Any) -> bool:
        """Whether the message is one."""
        return bool(self.pattern.search(str(subject)))


class RejectsElements(Rejection):
    """Messages about elements, indices and kernels rather than shapes or attributes."""

    name = "rejects-elements"
    why, source = "no compiler has to detect elements, indices or missing kernels", "docs/reference/oracle.md"
    cases = ("rejected for its elements",)
    pattern = re.compile(
        r"(?<!selected index k )(?<!^dimension )out of (range|bounds)|indices? (must|should|is|are|element|out|value)|"
        r"invalid indice|index tensor must|class values|target \d|singular|positive.definite|converge|can ?not be zero|"
        r"contains? (nan|inf|non-finite|zero)|probabilit|division by zero|all elements of|lapack|mkl|not implemented|"
        r"does not index into|seq_lens\(\d+\) [<>]|(?<!(groups|adding) is )not supported",
        re.IGNORECASE)  # fmt: skip


class RejectsByItsOwnLimit(Rejection):
    """Messages about requirements of a reference that the specification does not have: it defines LRN of an even size, random
    numbers only for the algorithms 1 and 2, and row strides."""

    name = "rejects-by-its-own-limit"
    why, source = "the specification has no such requirement", "ONNX LRN, tf.random.Algorithm"
    cases = ("rejected by a limit of the reference",)
    pattern = re.compile(r"size_ % 2 == 1 was false|Unsupported algorithm id: 2\b|Current implementation only supports ")


class UnusedResult(Verdict):
    """An invalid call whose results nobody asks for, or on undefined values."""

    name, group = "unused-invalid-call", INVALID
    why, source = "a target may remove calls whose results are unused; undefined values may have any shape", "LLVM: poison"
    cases = ("rejected behind a specification violation",)


class OtherOperatorSet(Verdict):
    """An invalid call that the reference accepts in the operator set that the target is given."""

    name, group = "accepted-in-another-operator-set", INVALID
    why, source = "`AffineGrid`: the function body of an older operator set does not check", "ONNX: versioning"
    cases = ("rejected by another operator set",)


class SecondAccepts(Verdict):
    """An invalid call that a second implementation accepts with the target's result, or for which it divides by 0."""

    name, group = "second-accepts", INVALID
    why, source = "`MaxUnpool` with stride 0: onnx's evaluator agrees; `LRN` of size 0: divides by 0", "onnx.reference"
    cases = ("second implementation agrees", "division by zero")

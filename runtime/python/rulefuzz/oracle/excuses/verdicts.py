"""Excuses of a whole answer: an error or a rejection, not elements."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from rulefuzz.oracle.excuses.excuse import Excuse


class Verdict(Excuse):
    """An excuse of a whole answer, or of a reference run. The module that tests its condition notes that it fired."""


class RejectsOutside(Verdict):
    """A target that rejects a call outside the specification, or fails silently there and leaves other outputs uncomputed."""

    name = "rejects-outside"


class SecondRejects(Verdict):
    """A call that a second implementation rejects, since the reference is laxer than the
    specification: onnx's evaluator divides by 0."""

    name = "second-rejects"


class OverlappingWrite(Verdict):
    """A call that writes to memory that some of its operands share in part, or to one element twice."""

    name = "overlapping-write"


class GradientNotFinite(Verdict):
    """A gradient that is not finite, or that may depend on an undefined result: a product with 0 is NaN, a selection is not."""

    name = "gradient-not-finite"


class Continued(Verdict):
    """A run that continues from the target's intermediates, which are as correct as the reference's."""

    name = "continued"


class HalfKept(Verdict):
    """A run that carries half precision in 32 bits from call to call, as compilers without half-precision kernels do, or that
    rounds after each call, since the reference may carry it as well."""

    name = "half-kept-in-float32"


class Rejection(Verdict):
    """A message of the reference about something that no compiler has to detect."""

    pattern: ClassVar[re.Pattern[str]]

    def applies(self, subject: Any) -> bool:
        """Whether the message is one."""
        return bool(self.pattern.search(str(subject)))


class RejectsElements(Rejection):
    """Messages about elements, indices and kernels rather than shapes or attributes."""

    name = "rejects-elements"
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
    pattern = re.compile(r"size_ % 2 == 1 was false|Unsupported algorithm id: 2\b|Current implementation only supports ")


class UnusedResult(Verdict):
    """An invalid call whose results nobody asks for, or on undefined values, which may have any shape."""

    name = "unused-invalid-call"


class OtherOperatorSet(Verdict):
    """An invalid call that the reference accepts in the operator set that the target is given."""

    name = "accepted-in-another-operator-set"


class SecondAccepts(Verdict):
    """An invalid call that a second implementation accepts with the target's result, or for which it divides by 0."""

    name = "second-accepts"

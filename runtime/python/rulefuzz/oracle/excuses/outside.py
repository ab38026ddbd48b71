"""Calls outside the specification, although the reference returns a result: elements or dimensions violate a requirement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rulefuzz.model import Elements, Ref
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Call, Result, said
from rulefuzz.oracle.excuses.excuse import OUTSIDE

SCALELESS = 2.0**-20
"""Below this a scale may be 0: the rounding error of a difference (a window of one element). A scale is not negative."""


class Outside(Result):
    """A call whose elements violate the specification."""

    group, violates = OUTSIDE, "elements"


class UnsortedSearch(Outside):
    """A search in unsorted elements."""

    name = "unsorted-search"
    why, source = "the searched elements must be sorted", "torch.searchsorted, tf.raw_ops.LowerBound"
    cases = ("`torch.searchsorted` in unsorted rows", "`torch.bucketize` with unsorted boundaries",
             "`LowerBound` in unsorted rows", "`UpperBound` in unsorted rows")  # fmt: skip

    def applies(self, subject: Call) -> bool:
        """See Result."""
        rows = [subject.framework.seen(subject.named[row.arguments[0]])[3]
                for row in subject.rows if row.arguments[0] in subject.named]  # fmt: skip
        return any(not bool((array[..., :-1] <= array[..., 1:]).all()) for array in rows)


class OtherForward(Outside):
    """A gradient of a call that did not happen."""

    name = "gradient-of-another-call"
    why, source = "`orig_output` is the result of the call on `orig_input`", "tf.raw_ops.MaxPoolGrad"
    cases = ("`MaxPoolGrad` with the output of another pool",)
    everywhere = True
    FORWARD = ("orig_input", "orig_output")
    """Arguments of gradient operations: what the original call used and returned."""

    def applies(self, subject: Call) -> bool:
        """See Result."""
        if not subject.arguments.issuperset(self.FORWARD) or not subject.ids.keys() >= set(self.FORWARD):
            return False
        taken, made = (subject.ids[arg] for arg in self.FORWARD)
        forward = subject.taint.made.get(made)
        if forward is None or taken not in forward.refs():
            return True
        told = {arg.name: arg.value for arg in forward.args if not isinstance(arg.value, Ref)}
        return not all(told.get(arg.name) == arg.value for arg in subject.node.args if not isinstance(arg.value, Ref))


class EmptyRange(Outside):
    """A quantization of an empty range."""

    name = "empty-range"
    why, source = "the scale of an empty range is 0; `min` < `max`", "tf.quantization.fake_quant_with_min_max_vars"
    cases = ("`FakeQuantWithMinMaxVars` with an empty range", "`FakeQuantWithMinMaxVarsPerChannel` with an empty range")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        low, high = subject.rows[0].arguments
        both = low in subject.named and high in subject.named
        return both and not bool((subject.elements(low) < subject.elements(high)).all())


class UnspecifiedAttribute(Outside):
    """A division by an attribute, or a root of it."""

    name = "unspecified-attribute"
    why, source = "the operator divides by it or takes a root of it", "ONNX LpPool, LRN"
    cases = ("`LpPool` with p = 0", "`LpPool` with p = 0, unsupported by the evaluator", "`LpPool` with p = 0 as a symbol",
             "`LpPool` with p < 0")  # fmt: skip

    def applies(self, subject: Call) -> bool:
        """See Result."""
        return self.is_unsaid(subject.node, subject.operation)

    def is_unsaid(self, node: Any, operation: str) -> bool:
        """Whether the result is unspecified for an attribute of the call."""
        rows = [row.arguments for row in unspecified.found(self.name, operation)]
        return any(said(node, arg) is not None and float(low) <= said(node, arg) <= float(high) for arg, low, high in rows)


class BoxWithoutPoints(Outside):
    """A mean of no points: the box (starts, then ends) decides their number if the attribute is 0 or absent."""

    name = "box-without-points"
    why, source = "the mean of no points", "ONNX RoiAlign"
    cases = ("`RoiAlign` with inverted boxes", "`RoiAlign` with zero-size boxes")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        boxes, points = subject.rows[0].arguments
        if boxes not in subject.given or subject.said(points):
            return False
        rows = subject.elements(boxes)
        dims = rows.shape[-1] // 2
        return not bool((rows[..., :dims] < rows[..., dims:]).all())


class TooManyConditions(Outside):
    """An argument that selects elements of another, along `axis` or of all, and is longer."""

    name = "too-many-conditions"
    why, source = "at most as many conditions as elements", "ONNX Compress"
    cases = ("`Compress` with too many conditions", "`Compress` with too many conditions along an axis")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        chosen, among = subject.rows[0].arguments
        if among not in subject.named or chosen not in subject.shapes:
            return False
        shape, axis = subject.shapes[among], subject.said("axis")
        return bool(subject.shapes[chosen][0] > (math.prod(shape) if axis is None else shape[axis]))


class OutsideTheDomain(Outside):
    """Elements outside the (inclusive) range in which the operation is defined."""

    name = "outside-the-domain"
    why, source = "a sum diverges, there is a pole, or a dimension or color does not exist", "see unspecified.tsv"
    cases = ("`Zeta` at a pole", "`AdjustHue` outside the color range", "`AdjustHue` with delta above 1",
             "`DataFormatDimMap` with an invalid dimension", "`Igamma` outside its domain", "`Igammac` outside its domain",
             "`IgammaGradA` outside its domain", "`RandomGammaGrad` outside its domain", "`TopK` with k = 0",
             "`MelWeightMatrix` with dft_length < 1", "`InTopKV2` with k < 0")  # fmt: skip

    def applies(self, subject: Call) -> bool:
        """See Result."""
        rows = [row.arguments for row in subject.rows if row.arguments[0] in subject.given]
        return any(self._is_beyond(subject.elements(arg), float(low), float(high)) for arg, low, high in rows)

    @staticmethod
    def _is_beyond(array: Any, low: float, high: float) -> bool:
        """Whether an element is below, above or NaN."""
        return not bool(((array >= low) & (array <= high)).all())


class InvertedBounds(Outside):
    """A minimum above the maximum."""

    name = "inverted-bounds"
    why, source = "the minimum must not exceed the maximum; complex numbers have no order", "tf.clip_by_value"
    cases = ("`ClipByValue` with min > max", "`ClipByValue` of complex numbers")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        if not all(arg in subject.named for arg in subject.rows[0].arguments):
            return False
        low, high = map(subject.elements, subject.rows[0].arguments)
        return low.dtype.kind == "c" or bool((low > high).any())


class FractionalIndex(Outside):
    """Fractions that the specification truncates and the reference does not."""

    name = "fractional-index"
    why, source = "indices become integers first", "ONNX OneHot"
    cases = ("`OneHot` with fractional indices",)

    def applies(self, subject: Call) -> bool:
        """See Result."""
        (argument,) = subject.rows[0].arguments
        return argument in subject.given and bool((subject.elements(argument) % 1 != 0).any())


class OnePerIndex(Outside):
    """A one-dimensional argument whose length is not that of another argument's dimension."""

    name = "one-per-index"
    why, source = "one element for each index of a dimension", "ONNX GroupNormalization, SoftmaxCrossEntropyLoss"
    cases = ("`SoftmaxCrossEntropyLoss` with too many weights", "`GroupNormalization` with one scale for all channels")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        shapes = subject.shapes
        wanted = [(one, shapes[of][int(dim) : int(dim) + 1]) for one, of, dim in (row.arguments for row in subject.rows)]
        return any(shapes.get(one, size) != size for one, size in wanted)


class EmptyFilter(Outside):
    """A convolution by an empty filter; one kernel does not check."""

    name = "empty-filter"
    why, source = "a filter must not have zero elements", "tensorflow/core/kernels/conv_ops.cc"
    cases = ("`DepthwiseConv2dNative` with an empty filter",)
    everywhere = True

    def applies(self, subject: Call) -> bool:
        """See Result."""
        return "filter" in subject.arguments and 0 in subject.shapes.get("filter", ())


class UnpairedZeroPoint(Outside):
    """A zero point whose shape is not that of its scale; () and (1,) are the same."""

    name = "unpaired-zero-point"
    why, source = "a zero point has the shape of its scale", "ONNX QLinearMatMul"
    cases = ("`QLinearMatMul` with one scale and four zero points",)
    everywhere = True

    def applies(self, subject: Call) -> bool:
        """See Result."""
        if not any(arg.endswith("zero_point") for arg in subject.arguments):
            return False
        shapes = subject.shapes
        zeros = [arg for arg in shapes if arg.endswith("zero_point")]
        pairs = [(shapes[arg], shapes.get(arg.removesuffix("zero_point") + "scale", shapes[arg])) for arg in zeros]
        return any(tuple(a) != tuple(b) and (math.prod(a), math.prod(b)) != (1, 1) for a, b in pairs)


class MaskOfAnotherType(Outside):
    """An argument that is neither boolean nor of another argument's type, which ONNX's type constraints cannot express."""

    name = "mask-of-another-type"
    why, source = "a mask is boolean or has the type of query, key and value", "ONNX Attention"
    cases = ("`Attention` with a mask of another float type", "`Attention` with an integer mask")

    def applies(self, subject: Call) -> bool:
        """See Result."""
        one, of = subject.rows[0].arguments
        if one not in subject.given or of not in subject.given:
            return False
        dtypes = [subject.framework.describe(subject.given[arg])[1] for arg in (one, of)]
        return dtypes[0] not in ("bool", dtypes[1])


class UnequalBatches(Outside):
    """Two arguments that differ in their leading dimensions, whose number an attribute gives."""

    name = "unequal-batch-dimensions"
    why, source = "batch dimensions must be equal; a reference does not check empty tensors", "ONNX GatherND"
    cases = ("`GatherND` with unequal batch dimensions",)

    def applies(self, subject: Call) -> bool:
        """See Result."""
        one, other, count = subject.rows[0].arguments
        dims, shapes = subject.said(count) or 0, subject.shapes
        return one in shapes and other in shapes and tuple(shapes[one][:dims]) != tuple(shapes[other][:dims])


class IndexOutOfRange(Outside):
    """An index, from 0 on, into a dimension of another argument."""

    name = "index-out-of-range"
    why, source = "an index of the dimension, or `ignore_index`", "ONNX SoftmaxCrossEntropyLoss, torch.nn.CTCLoss"
    cases = ("`RoiAlign` with an invalid batch index", "`NegativeLogLikelihoodLoss` with an invalid class",
             "`NegativeLogLikelihoodLoss` with an invalid constant class", "`SoftmaxCrossEntropyLoss` with an invalid class",
             "`torch.nn.functional.ctc_loss` with an invalid class", "`InTopKV2` with an invalid class")  # fmt: skip

    def applies(self, subject: Call) -> bool:
        """See Result."""
        places, among, dim = subject.rows[0].arguments
        if places not in subject.given or among not in subject.given:
            return False
        array, count = subject.elements(places), subject.shapes[among][int(dim)]
        there, ignored = (array >= 0) & (array < count), subject.said("ignore_index")
        return not bool((there if ignored is None else there | (array == ignored)).all())


class ScaleOfZero(Outside):
    """A quantization by a scale of about 0 or less, given or computed."""

    name = "scale-of-zero"
    why, source = "it divides by the scale; below 2^-20 a scale is a rounding residue", "ONNX QuantizeLinear"
    cases = ("`QuantizeLinear` with scale 0", "`QuantizeLinear` with constant scale 0",
             "`QuantizeLinear` with a scale below 2^-20", "`QuantizeLinear` with a negative scale",
             "`QLinearMatMul` with scale 0", "`DynamicQuantizeLinear` of zeros")  # fmt: skip
    everywhere = True
    SCALE, RANGE = "y_scale", "range"

    def applies(self, subject: Call) -> bool:
        """See Result."""
        framework, told = subject.framework, subject.rows[0].arguments[0] if subject.rows else self.SCALE
        suffix = self.SCALE if told == self.RANGE else told
        scales = [arg.value for arg in subject.node.args if arg.name.endswith(suffix)]
        built = [framework.build(value, subject.values) for value in scales if isinstance(value, (Ref, Elements))]
        ranges = [framework.seen(operand)[3] for operand in subject.taken] if told == self.RANGE else []
        return any(bool((framework.seen(scale)[3] < SCALELESS).any()) for scale in built) or any(
            bool((array == 0).all()) for array in ranges)  # fmt: skip


class Lax(Result):
    """A call whose dimensions violate the specification."""

    group, violates = OUTSIDE, "dimensions"


class VectorForAScalar(Lax):
    """One element in a dimension for a scalar."""

    name = "vector-for-a-scalar"
    why, source = "the argument is a scalar; a reference also accepts shape (1,)", "ONNX Pad"
    cases = ("`Pad` by one element in a dimension",)

    def applies(self, subject: Call) -> bool:
        """See Result."""
        named = subject.rows[0].arguments[0]
        return named in subject.named and tuple(subject.shapes[named]) != ()


class ElementsOfNothing(Lax):
    """Elements for an empty tensor."""

    name = "elements-of-nothing"
    why, source = "a transform of an empty tensor, or to one", "ONNX DFT"
    cases = ("`DFT` of an empty batch or from one sample",)

    def applies(self, subject: Call) -> bool:
        """See Result."""
        made = [tuple(subject.framework.describe(result)[0]).count(0) for result in subject.results]
        taken = [tuple(subject.framework.describe(value)[0]).count(0) for value in subject.named.values()]
        return max(made, default=0) > max(taken, default=0)


class OddHead(Lax):
    """A last dimension that is split in halves and odd; with three dimensions, that of each head."""

    name = "odd-head"
    why, source = "a head is split in halves; a reference leaves the last element of an odd one", "ONNX RotaryEmbedding"
    cases = ("`RotaryEmbedding` of an odd head size",)

    def applies(self, subject: Call) -> bool:
        """See Result."""
        halved, heads = subject.rows[0].arguments
        if halved not in subject.named:
            return False
        shape = subject.shapes[halved]
        return bool((shape[-1] // max(subject.said(heads) or 1, 1) if len(shape) == 3 else shape[-1]) % 2)


class UnequalLetters(Lax):
    """One letter of an equation for several sizes; NumPy, which defines Einsum, and PyTorch broadcast it."""

    name = "one-letter-for-several-sizes"
    why, source = "one letter has one size; only an ellipsis broadcasts", "ONNX Einsum"
    cases = ("`Einsum` of one letter for several sizes", "`Einsum` of one letter for several sizes, behind an ellipsis")
    everywhere = True

    def applies(self, subject: Call) -> bool:
        """See Result."""
        if "Inputs" not in subject.arguments:
            return False
        shapes = [subject.framework.describe(operand)[0] for operand in subject.taken]
        return self._has_other_sizes(str(subject.said("equation")), shapes)

    @staticmethod
    def _has_other_sizes(equation: str, shapes: Sequence[Sequence[int]]) -> bool:
        sizes: dict[str, int] = {}
        for term, shape in zip(equation.replace(" ", "").partition("->")[0].split(","), shapes, strict=False):
            before, _, after = term.partition("...")
            pairs = [*zip(before, shape, strict=False), *zip(reversed(after), reversed(shape), strict=False)]
            if any(sizes.setdefault(letter, size) != size for letter, size in pairs):
                return True
        return False

"""Cases of the excuses of calls outside the specification, for the installed frameworks: an
unspecified call, and a specified call of the same API, which is compared and must not be rejected."""

from __future__ import annotations

import importlib.util
import unittest
from types import ModuleType
from typing import Any

if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("no numpy")

from rulefuzz import framework, sandbox
from rulefuzz.model import Json, Reader
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target

MODULES = {"torch": "torch", "tensorflow": "tensorflow", "onnx": "onnxruntime"}
Call = tuple[str, str, list[tuple[str, Any]], list[Json], Json]
"""Framework, API, arguments, inputs, output. An argument is an input's index, a constant's text or a value as in
models. An input may have `made`, the call that computes it."""


def tensor(shape: list[int], dtype: str, *span: int) -> Json:
    """A tensor as a model declares it, without its id."""
    return {"shape": shape, "dtype": dtype, **({"range": list(span)} if span else {})}


ROWS, WANTED = tensor([2, 40], "float32", -9, 9), tensor([2, 5], "float32", -9, 9)
EQUAL = tensor([2, 40], "float32", 3, 4)
IMAGES, BOXES = tensor([5, 2, 8, 8], "float64"), tensor([3, 4], "float64", 0, 4)


def search(owner: str, api: str, names: tuple[str, str], row: Json, out: str) -> Call:
    """A search for five values in each row."""
    return owner, api, [(names[0], 0), (names[1], 1)], [row, WANTED], tensor([2, 5], out)


def bucketize(row: Json) -> Call:
    """torch.bucketize, which takes the row second."""
    return ("torch", "torch.bucketize", [("input", 1), ("boundaries", 0)], [{**row, "shape": [40]}, WANTED],
            tensor([2, 5], "int64"))  # fmt: skip


def align(first: int, end: int) -> Call:
    """RoiAlign of boxes whose image indices are in [first, end)."""
    passed: list[tuple[str, Any]] = [("X", 0), ("rois", 1), ("batch_indices", 2), ("output_height", "2"), ("output_width", "2"),
                                      ("sampling_ratio", "2")]  # fmt: skip
    inputs = [IMAGES, BOXES, tensor([3], "int64", first, end)]
    return "onnx", "onnx.RoiAlign", passed, inputs, tensor([3, 2, 2, 2], "float64")


def align_sums(step: int, points: int) -> Call:
    """RoiAlign of boxes whose corners are sums of `step`, with `points` samples; with 0 samples, the box size decides
    the number."""
    call, axis = align(0, 5), {"elements": {"const": "1"}, "dtype": "int64"}
    made = {"api": "onnx.CumSum", "passed": [("x", 1), ("axis", axis)]}
    inputs = [IMAGES, tensor([3, 4], "float64", step, step + 1), tensor([3, 4], "float64"), call[3][2]]
    told = [("sampling_ratio", str(points)), ("spatial_scale", "0.7")]
    passed = [("X", 0), ("rois", 2), ("batch_indices", 3), *call[2][3:5], *told]
    return *call[:2], passed, [*inputs[:2], {**inputs[2], "made": made}, inputs[3]], call[4]


NLL, SOFTMAX = ("input", "target", "weight"), ("scores", "labels", "weights")


def loss(names: tuple[str, str, str], low: int, high: int, *ignored: tuple[str, Any], weights: int = 0) -> Call:
    """A loss of 5 classes with class indices in [low, high) and optional class weights."""
    api = "onnx.NegativeLogLikelihoodLoss" if names == NLL else "onnx.SoftmaxCrossEntropyLoss"
    inputs = [tensor([40, 5], "float32"), tensor([40], "int64", low, high)]
    inputs += [tensor([weights], "float32", 1, 4)] if weights else []
    return "onnx", api, [*((names[i], i) for i in range(len(inputs))), *ignored], inputs, tensor([], "float32")


def loss_of(classes: tuple[int, int]) -> Call:
    """A loss of two classes with literal class indices."""
    told = {"elements": [{"const": str(i)} for i in classes], "dtype": "int64"}
    return ("onnx", "onnx.NegativeLogLikelihoodLoss", [("input", 0), ("target", told)], [tensor([2, 2], "float32")],
            tensor([], "float32"))  # fmt: skip


def alignments(low: int, high: int) -> Call:
    """ctc_loss of 3 classes with targets in [low, high) and input lengths of 4 out of 5 steps."""
    inputs = [tensor([5, 2, 3], "float32"), tensor([2, 2], "int64", low, high)]
    lengths = [("input_lengths", "[4, 4]"), ("target_lengths", "[2, 2]"), ("blank", "0"), ("reduction", "'none'")]
    return "torch", "torch.nn.functional.ctc_loss", [("log_probs", 0), ("targets", 1), *lengths], inputs, tensor([2], "float32")


def quantize(low: int, high: int) -> Call:
    """QuantizeLinear with a scale in [low, high)."""
    inputs = [tensor([2, 5], "float32", -9, 9), tensor([], "float32", low, high), tensor([], "uint8", 0, 9)]
    passed: list[tuple[str, Any]] = [("x", 0), ("y_scale", 1), ("y_zero_point", 2)]
    return "onnx", "onnx.QuantizeLinear", passed, inputs, tensor([2, 5], "uint8")


def quantize_by(scale: str) -> Call:
    """QuantizeLinear with this literal scale."""
    told = {"elements": {"const": scale}, "dtype": "float32"}
    return "onnx", "onnx.QuantizeLinear", [("x", 0), ("y_scale", told)], [tensor([5], "float32", 1, 9)], tensor([5], "uint8")


def quantised_product(low: int, zeros: int = 1, scales: int = 1) -> Call:
    """QLinearMatMul whose second operand has this scale and these numbers of scales and zero points."""
    numbers, scale, zero = tensor([4, 4], "uint8", 0, 9), tensor([1], "float32", 1, 2), tensor([1], "uint8", 1, 2)
    second = [numbers, tensor([scales], "float32", low, low + 1), tensor([zeros], "uint8", 1, 2)]
    inputs = [numbers, scale, zero, *second, scale, zero]
    names = ("a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point")
    return "onnx", "onnx.QLinearMatMul", [(name, i) for i, name in enumerate(names)], inputs, tensor([4, 4], "uint8")


def quantize_by_what_there_is(low: int, high: int) -> Call:
    """DynamicQuantizeLinear of elements in [low, high)."""
    return "onnx", "onnx.DynamicQuantizeLinear", [("x", 0)], [tensor([2, 40], "float32", low, high)], tensor([2, 40], "uint8")


def norm_pool(p: int, *padding: tuple[str, str]) -> Call:
    """LpPool with this norm."""
    passed: list[tuple[str, Any]] = [("X", 0), ("kernel_shape", "[2]"), ("p", str(p)), *padding]
    return "onnx", "onnx.LpPool", passed, [tensor([1, 1, 8], "float32", 1, 4)], tensor([1, 1, 8 if padding else 7], "float32")


def attend(dtype: str) -> Call:
    """Attention with a mask of this dtype."""
    inputs = [*(tensor([1, 1, 2, 4], "float32") for _ in range(3)), tensor([2, 2], dtype, 0, 2)]
    passed: list[tuple[str, Any]] = [("Q", 0), ("K", 1), ("V", 2), ("attn_mask", 3)]
    return "onnx", "onnx.Attention", passed, inputs, tensor([1, 1, 2, 4], "float32")


PADDED = (("auto_pad", "'SAME_UPPER'"), ("ceil_mode", "1"), ("strides", "[1]"))


def group_normalise(shape: list[int]) -> Call:
    """GroupNormalization of one channel with scale and bias of this shape."""
    inputs = [tensor([2, 1, 4], "float32"), tensor(shape, "float32"), tensor(shape, "float32")]
    passed: list[tuple[str, Any]] = [("X", 0), ("scale", 1), ("bias", 2), ("num_groups", "1")]
    return "onnx", "onnx.GroupNormalization", passed, inputs, tensor([2, 1, 4], "float32")


def one_hot(dtype: str, *span: int) -> Call:
    """OneHot of indices of this dtype."""
    indices = tensor([9], dtype, *(span if dtype != "float32" else ()))
    depth = {"elements": {"const": "4"}, "dtype": "int64"}
    passed: list[tuple[str, Any]] = [("indices", 0), ("depth", depth), ("values", 1)]
    return "onnx", "onnx.OneHot", passed, [indices, tensor([2], "float32", 5, 9)], tensor([9, 4], "float32")


def symbolic(call: Call) -> Call:
    """The call with its integer constants as symbols of a signature."""
    numbers = [(name, {"symbol": int(v)} if isinstance(v, str) and v.isdigit() else v) for name, v in call[2]]
    return call[0], call[1], numbers, call[3], call[4]


def literal(count: int) -> Json:
    """A condition of this length that selects three elements."""
    return {"elements": [{"const": str(i < 3)} for i in range(count)], "dtype": "bool"}


def compress(told: int | Json, *axis: tuple[str, str]) -> Call:
    """Compress of a 2 x 4 matrix. `told` is the length of a condition input, or a literal condition."""
    condition = [tensor([told], "bool", 1, 2)] if isinstance(told, int) else []
    passed: list[tuple[str, Any]] = [("input", 0), ("condition", 1 if condition else told), *axis]
    out = tensor([2, 4] if axis else [3], "float32")
    return "onnx", "onnx.Compress", passed, [tensor([2, 4], "float32", 1, 9), *condition], out


def pool_gradient(*size: int) -> Call:
    """MaxPoolGrad with the result of a pool of this size as `orig_output`."""
    options = [("strides", "[1, 1, 1, 1]"), ("padding", "'SAME'")]
    images = pooled = tensor([1, 3, 3, 1], "float32")
    made = {"api": "tf.raw_ops.MaxPool", "passed": [("input", 0), ("ksize", str(list(size))), *options]}
    passed = [("orig_input", 0), ("orig_output", 1), ("grad", 2), ("ksize", "[1, 2, 2, 1]"), *options]
    return "tensorflow", "tf.raw_ops.MaxPoolGrad", passed, [images, {**pooled, "made": made}, images], pooled


def fake_quantize(api: str, shape: list[int], low: int, high: int) -> Call:
    """A fake quantization with this minimum and maximum."""
    ends = [tensor(shape, "float32", low, low + 1), tensor(shape, "float32", high, high + 1)]
    passed: list[tuple[str, Any]] = [("inputs", 0), ("min", 1), ("max", 2)]
    return "tensorflow", api, passed, [tensor([5], "float32"), *ends], tensor([5], "float32")


def zeta(low: int, high: int) -> Call:
    """Zeta with q in [low, high)."""
    inputs = [tensor([40], "float32", 2, 5), tensor([40], "float32", low, high)]
    return "tensorflow", "tf.raw_ops.Zeta", [("x", 0), ("q", 1)], inputs, tensor([40], "float32")


def clip(*ends: int) -> Call:
    """ClipByValue with these limits; without limits, of complex numbers."""
    dtype = "float32" if ends else "complex64"
    limits = [tensor([], dtype, i, i + 1) for i in ends] or [tensor([], dtype)] * 2
    passed: list[tuple[str, Any]] = [("t", 0), ("clip_value_min", 1), ("clip_value_max", 2)]
    return "tensorflow", "tf.raw_ops.ClipByValue", passed, [tensor([5], dtype), *limits], tensor([5], dtype)


def hue(colours: Json, delta: Json) -> Call:
    """AdjustHue of these colors by this delta."""
    passed: list[tuple[str, Any]] = [("images", 0), ("delta", 1)]
    return "tensorflow", "tf.raw_ops.AdjustHue", passed, [colours, delta], tensor([4, 4, 3], "float32")


def greatest(k: int) -> Call:
    """TopK with k of five elements."""
    told = {"elements": [{"const": str(k)}], "dtype": "int64"}
    return "onnx", "onnx.TopK", [("X", 0), ("K", told)], [tensor([5], "float32")], tensor([k], "float32")


def in_top(low: int, high: int, most: int = 5) -> Call:
    """InTopK of five classes with k below `most`."""
    inputs = [tensor([4, 5], "float32"), tensor([4], "int32", most - 5, most), tensor([], "int32", low, high)]
    passed: list[tuple[str, Any]] = [("predictions", 0), ("targets", 1), ("k", 2)]
    return "tensorflow", "tf.raw_ops.InTopKV2", passed, inputs, tensor([4], "bool")


def dim_map(low: int, high: int) -> Call:
    """DataFormatDimMap of indices in [low, high)."""
    passed: list[tuple[str, Any]] = [("x", 0), ("src_format", "'NHWC'"), ("dst_format", "'NCHW'")]
    return "tensorflow", "tf.raw_ops.DataFormatDimMap", passed, [tensor([5], "int32", low, high)], tensor([5], "int32")


def filtered(columns: int) -> Call:
    """A dilation by a filter with this number of columns."""
    passed: list[tuple[str, Any]] = [("input", 0), ("filter", 1), ("strides", "[1, 1, 1, 1]"), ("padding", "'SAME'")]
    given = [tensor([1, 2, 2, 3], "float32"), tensor([3, columns, 3, 1], "float32")]
    return "tensorflow", "tf.raw_ops.DepthwiseConv2dNative", passed, given, tensor([1, 2, 2, 3], "float32")


def gamma(api: str, names: tuple[str, str], low: int, high: int) -> Call:
    """An incomplete gamma function of numbers in [low, high)."""
    inputs = [tensor([5], "float32", low, high), tensor([5], "float32", low, high)]
    return "tensorflow", f"tf.raw_ops.{api}", [(name, i) for i, name in enumerate(names)], inputs, tensor([5], "float32")


def gather(rows: int, batch: int) -> Call:
    """GatherND with rows of empty indices, with or without a batch dimension."""
    passed: list[tuple[str, Any]] = [("data", 0), ("indices", 1), ("batch_dims", str(batch))]
    inputs = [tensor([2, 1, 3], "float32"), tensor([rows, 1], "int64", 0, 1)]
    return "onnx", "onnx.GatherND", passed, inputs, tensor([rows, *([] if batch else [1]), 3], "float32")


def mel(length: int) -> Call:
    """MelWeightMatrix for a DFT of this length."""
    numbers = [("num_mel_bins", 2, "int64"), ("dft_length", length, "int64"), ("sample_rate", 8, "int64"),
               ("lower_edge_hertz", 0.0, "float32"), ("upper_edge_hertz", 4.0, "float32")]  # fmt: skip
    passed: list[tuple[str, Any]] = [(name, {"elements": {"const": repr(n)}, "dtype": dtype}) for name, n, dtype in numbers]
    return "onnx", "onnx.MelWeightMatrix", passed, [], tensor([max(length // 2 + 1, 1), 2], "float32")


COLOURED = {**tensor([4, 4, 3], "float32"), "values": "unit"}
TORCH, RAW = ("sorted_sequence", "input"), ("sorted_inputs", "values")
CASES: dict[str, tuple[Call, Call]] = {
    "`torch.searchsorted` in unsorted rows": (
        search("torch", "torch.searchsorted", TORCH, ROWS, "int64"),
        search("torch", "torch.searchsorted", TORCH, EQUAL, "int64"),
    ),
    "`torch.bucketize` with unsorted boundaries": (bucketize(ROWS), bucketize(EQUAL)),
    "`LowerBound` in unsorted rows": (
        search("tensorflow", "tf.raw_ops.LowerBound", RAW, ROWS, "int32"),
        search("tensorflow", "tf.raw_ops.LowerBound", RAW, EQUAL, "int32"),
    ),
    "`UpperBound` in unsorted rows": (
        search("tensorflow", "tf.raw_ops.UpperBound", RAW, ROWS, "int32"),
        search("tensorflow", "tf.raw_ops.UpperBound", RAW, EQUAL, "int32"),
    ),
    "`QuantizeLinear` with scale 0": (quantize(0, 1), quantize(1, 3)),
    "`QuantizeLinear` with constant scale 0": (quantize_by("0.0"), quantize_by("0.5")),
    "`QuantizeLinear` with a scale below 2^-20": (quantize_by("3e-8"), quantize_by("3e-5")),
    "`QuantizeLinear` with a negative scale": (quantize_by("-2.0"), quantize_by("2.0")),
    "`QLinearMatMul` with scale 0": (quantised_product(0), quantised_product(1)),
    "`QLinearMatMul` with one scale and four zero points": (quantised_product(1, 4), quantised_product(1, 4, 4)),
    "`DynamicQuantizeLinear` of zeros": (quantize_by_what_there_is(0, 1), quantize_by_what_there_is(-5, 5)),
    "`RoiAlign` with an invalid batch index": (align(-3, 0), align(0, 5)),
    "`RoiAlign` with inverted boxes": (align_sums(-1, 0), align_sums(1, 0)),
    "`RoiAlign` with zero-size boxes": (align_sums(0, 0), align_sums(0, 2)),
    "`NegativeLogLikelihoodLoss` with an invalid class": (
        loss(NLL, -3, 0),
        loss(NLL, -1, 4, ("ignore_index", "-1")),
    ),
    "`NegativeLogLikelihoodLoss` with an invalid constant class": (loss_of((0, -1)), loss_of((0, 1))),
    "`SoftmaxCrossEntropyLoss` with an invalid class": (loss(SOFTMAX, -3, 0), loss(SOFTMAX, 0, 4)),
    "`SoftmaxCrossEntropyLoss` with too many weights": (loss(SOFTMAX, 0, 3, weights=6), loss(SOFTMAX, 0, 3, weights=5)),
    "`torch.nn.functional.ctc_loss` with an invalid class": (alignments(3, 5), alignments(1, 3)),
    "`LpPool` with p = 0": (norm_pool(0), norm_pool(2)),
    "`LpPool` with p = 0, unsupported by the evaluator": (norm_pool(0, *PADDED), norm_pool(2, *PADDED)),
    "`LpPool` with p = 0 as a symbol": (symbolic(norm_pool(0, *PADDED)), symbolic(norm_pool(2, *PADDED))),
    "`LpPool` with p < 0": (norm_pool(-1), norm_pool(1)),
    "`GroupNormalization` with one scale for all channels": (group_normalise([]), group_normalise([1])),
    "`Attention` with a mask of another float type": (attend("float16"), attend("float32")),
    "`Attention` with an integer mask": (attend("int64"), attend("bool")),
    "`OneHot` with fractional indices": (one_hot("float32", -2, 3), one_hot("int32", 0, 3)),
    "`Compress` with too many conditions": (compress(literal(9)), compress(literal(8))),
    "`Compress` with too many conditions along an axis": (compress(5, ("axis", "1")), compress(4, ("axis", "1"))),
    "`MaxPoolGrad` with the output of another pool": (pool_gradient(1, 3, 3, 1), pool_gradient(1, 2, 2, 1)),
    "`FakeQuantWithMinMaxVars` with an empty range": (
        fake_quantize("tf.raw_ops.FakeQuantWithMinMaxVars", [], 3, 3),
        fake_quantize("tf.raw_ops.FakeQuantWithMinMaxVars", [], -3, 3),
    ),
    "`FakeQuantWithMinMaxVarsPerChannel` with an empty range": (
        fake_quantize("tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel", [5], 3, 3),
        fake_quantize("tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel", [5], -3, 3),
    ),
    "`Zeta` at a pole": (zeta(-5, 0), zeta(1, 5)),
    "`ClipByValue` with min > max": (clip(3, 2), clip(2, 3)),
    "`ClipByValue` of complex numbers": (clip(), clip(2, 3)),
    "`AdjustHue` outside the color range": (
        hue(tensor([4, 4, 3], "float32", -5, 0), tensor([], "float32", 0, 1)),
        hue(COLOURED, tensor([], "float32", 0, 1)),
    ),
    "`AdjustHue` with delta above 1": (hue(COLOURED, tensor([], "float32", 2, 3)), hue(COLOURED, tensor([], "float32", -1, 0))),
    "`DataFormatDimMap` with an invalid dimension": (dim_map(4, 9), dim_map(-4, 4)),
    "`DepthwiseConv2dNative` with an empty filter": (filtered(0), filtered(1)),
    "`Igamma` outside its domain": (
        gamma("Igamma", ("a", "x"), -5, 1),
        gamma("Igamma", ("a", "x"), 1, 5),
    ),
    "`Igammac` outside its domain": (gamma("Igammac", ("a", "x"), -5, 1), gamma("Igammac", ("a", "x"), 1, 5)),
    "`IgammaGradA` outside its domain": (gamma("IgammaGradA", ("a", "x"), -5, 1), gamma("IgammaGradA", ("a", "x"), 1, 5)),
    "`RandomGammaGrad` outside its domain": (
        gamma("RandomGammaGrad", ("alpha", "sample"), -5, 1),
        gamma("RandomGammaGrad", ("alpha", "sample"), 1, 5),
    ),
    "`GatherND` with unequal batch dimensions": (gather(0, 1), gather(2, 1)),
    "`TopK` with k = 0": (greatest(0), greatest(2)),
    "`MelWeightMatrix` with dft_length < 1": (mel(-1), mel(2)),
    "`InTopKV2` with k < 0": (in_top(-3, 0), in_top(2, 3)),
    "`InTopKV2` with an invalid class": (in_top(2, 3, 10), in_top(2, 3, 5)),
}
"""For each row of the table: an unspecified call, and a specified one."""


def padded(*value: int) -> Call:
    """Pad with a value of this shape."""
    passed: list[tuple[str, Any]] = [("data", 0), ("pads", {"elements": [{"const": "1"}] * 2, "dtype": "int64"}),
                                      ("constant_value", 1)]  # fmt: skip
    return "onnx", "onnx.Pad", passed, [tensor([3], "float32"), tensor(list(value), "float32")], tensor([5], "float32")


def products(equation: str, one: list[int], other: list[int], out: list[int]) -> Call:
    """Einsum of two tensors with this equation."""
    passed: list[tuple[str, Any]] = [("Inputs", [{"ref": 0}, {"ref": 1}]), ("equation", repr(equation))]
    return "onnx", "onnx.Einsum", passed, [tensor(one, "float32"), tensor(other, "float32")], tensor(out, "float32")


def turned(shape: list[int], half: int, *passed: tuple[str, str]) -> Call:
    """RotaryEmbedding with `half` angles: half the elements of a head."""
    angles = tensor([1, 1, half], "float32")
    return ("onnx", "onnx.RotaryEmbedding", [("X", 0), ("cos_cache", 1), ("sin_cache", 2), *passed],
            [tensor(shape, "float32"), angles, angles], tensor(shape, "float32"))  # fmt: skip


def transform(bins: int, signals: int = 2) -> Call:
    """An inverse DFT to real signals along the second dimension."""
    axis = {"elements": {"const": "1"}, "dtype": "int64"}
    passed: list[tuple[str, Any]] = [("input", 0), ("dft_length", {"const": "None"}), ("axis", axis), ("inverse", "1"),
                                      ("onesided", "1")]  # fmt: skip
    return "onnx", "onnx.DFT", passed, [tensor([signals, bins, 2], "float32")], tensor([signals, 2 * bins - 2, 1], "float32")


def channels(scales: int) -> Call:
    """QLinearConv to two channels, with this number of weight scales."""
    scale, zero = tensor([], "float32", 1, 2), tensor([], "uint8", 1, 2)
    weights = [tensor([2, 1, 1, 1], "uint8", 2, 9), tensor([scales], "float32", 1, 2), tensor([scales], "uint8", 1, 2)]
    inputs = [tensor([1, 1, 3, 3], "uint8", 2, 9), scale, zero, *weights, scale, zero]
    names = ("x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point")
    return "onnx", "onnx.QLinearConv", [(name, i) for i, name in enumerate(names)], inputs, tensor([1, 2, 3, 3], "uint8")


LAX: dict[str, tuple[Call, Call]] = {
    "`QLinearConv` with one scale in a dimension for two channels": (channels(1), channels(2)),
    "`Pad` by one element in a dimension": (padded(1), padded()),
    "`Einsum` of one letter for several sizes": (products("i,i", [5], [1], []), products("i,i", [5], [5], [])),
    "`Einsum` of one letter for several sizes, behind an ellipsis": (
        products("...i,i->...i", [2, 5], [1], [2, 5]),
        products("...i,...i->...i", [2, 5], [1, 5], [2, 5]),
    ),
}
"""Calls that violate the specification but have a defined result, each with a specified call."""


def node(owner: str, api: str, passed: list[tuple[str, Any]], outputs: list[Json]) -> Json:
    """A call as a model holds it."""
    named = {name for name, value in passed if isinstance(value, str) or "symbol" in str(value)}
    args = [{"name": name, "pos": owner == "torch" or (owner == "onnx" and name not in named),
             "value": {"ref": value} if isinstance(value, int) else {"const": value} if isinstance(value, str) else
                      value.get("symbol", value) if isinstance(value, dict) else value}
            for name, value in passed]  # fmt: skip
    return {"api": api, "args": args, "outputs": outputs}


def model(call: Call) -> Json:
    """A model of this call and of the calls that compute its inputs."""
    owner, api, passed, inputs, out = call
    others = {"onnx.DynamicQuantizeLinear": [tensor([], "float32"), tensor([], "uint8")],
              "onnx.TopK": [tensor(out["shape"], "int64")]}  # fmt: skip
    more = others.get(api, [])
    nodes, fed = [], []
    for i, t in enumerate(inputs):
        plain = {"id": i, **{key: value for key, value in t.items() if key != "made"}}
        if "made" in t:
            nodes.append(node(owner, t["made"]["api"], t["made"]["passed"], [plain]))
        else:
            fed.append(plain)
    nodes.append(node(owner, api, passed, [{"id": len(inputs) + i, **t} for i, t in enumerate([out, *more])]))
    return {"values": 5, "inputs": fed, "nodes": nodes, "outputs": [len(inputs)]}


def verdict(call: Call, refuses: bool, **also: bool) -> str:
    """The verdict on a target that rejects the call or returns another result. `also` adds keys to the call."""
    adapter = framework.load(call[0])
    module = ModuleType("target")

    def compile_wrongly(subject: Any, example: Any, stage: Any) -> Any:
        stage("run")
        if refuses:
            raise ValueError("not so")
        made = adapter.seen(check.reference.values[len(call[3])])[3]
        wrong = made == 0 if call[4]["dtype"] == "bool" else -made - 1
        return lambda *inputs: [adapter.elements(wrong.tolist(), call[4]["dtype"])]

    module.compile = compile_wrongly  # type: ignore[attr-defined]
    adapter.enter()
    whole = model(call)
    whole["nodes"][-1].update(also)
    check = Check(adapter, Target("fake", module), Reader(adapter).model(whole), Clock(lambda stage: None))
    return str(check.run()["verdict"])


REJECTED = {"`SoftmaxCrossEntropyLoss` with too many weights"}
"""Calls that the newest reference, onnxruntime 1.32.0, rejects itself."""


class Undefined(unittest.TestCase):
    """Calls without a specified result."""

    def found(self, cases: dict[str, tuple[Call, Call]], *of: str) -> None:
        """Runs all in one child, since TensorFlow must not be called before a fork. `of` holds the verdicts on the
        first call: for another result and for a rejection."""
        here = {name: calls for name, calls in cases.items() if importlib.util.find_spec(MODULES[calls[0][0]])}

        def work() -> dict[str, list[str]]:
            both = (False, True)
            return {name: [verdict(call, refuses) for call in calls for refuses in both] for name, calls in here.items()}

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        for name in REJECTED & found.keys():
            if found[name][: len(of)] == ["rejected"] * len(of):
                found[name][: len(of)] = of
        self.assertEqual(found, {name: [*of, "inconsistency", "error"] for name in here})

    def test_calls(self) -> None:
        self.found(CASES, "unspecified", "unspecified")

    def test_lenient_calls_are_compared(self) -> None:
        self.found(LAX, "inconsistency", "unspecified")

    @unittest.skipIf(importlib.util.find_spec(MODULES["onnx"]) is None, "no onnxruntime")
    def test_error_beside_a_rejectable_call(self) -> None:
        """A target may reject a call outside the specification. If it also rejects the rest of the model, that is an error."""
        item = model(CASES["`QuantizeLinear` with scale 0"][0])
        passed = [{"name": "X", "pos": True, "value": {"ref": 0}}]
        item["nodes"].append({"api": "onnx.Neg", "args": passed, "outputs": [{"id": 9, **tensor([2, 5], "float32")}]})
        item["outputs"].append(9)
        adapter = framework.load("onnx")
        adapter.enter()
        for rejected, wanted in (({"QuantizeLinear"}, "unspecified"), ({"QuantizeLinear", "Neg"}, "error")):
            module = ModuleType("target")

            def compile_some(subject: Any, example: Any, stage: Any, rejected: set[str] = rejected) -> Any:
                if rejected & {node.op_type for node in subject.graph.node}:
                    raise ValueError("not so")
                return lambda *inputs: [-inputs[0]]

            module.compile = compile_some  # type: ignore[attr-defined]
            check = Check(adapter, Target("fake", module), Reader(adapter).model(item), Clock(lambda stage: None))
            self.assertEqual(check.run()["verdict"], wanted)

    @unittest.skipIf(importlib.util.find_spec(MODULES["onnx"]) is None, "no onnxruntime")
    def test_odd_rotary_dimension(self) -> None:
        """ "`RotaryEmbedding` of an odd head size": onnxruntime leaves elements uninitialized. It may be rejected even if
        this is not seen, because another call is random."""
        heads = ("num_heads", "2")
        calls = [turned([1, 1, 1, 5], 2), turned([1, 1, 10], 2, heads), turned([1, 1, 1, 4], 2), turned([1, 1, 8], 2, heads)]
        self.assertEqual([verdict(call, True, random=True) for call in calls], ["unspecified"] * 2 + ["error"] * 2)

    @unittest.skipIf(importlib.util.find_spec(MODULES["onnx"]) is None, "no onnxruntime")
    def test_empty_results_may_be_rejected(self) -> None:
        """ "`DFT` of an empty batch or from one sample": an inverse DFT to one element has an empty result and may be rejected.
        With no signals, every result is empty."""
        for signals in (2, 0):
            self.assertEqual([verdict(transform(bins, signals), True) for bins in (1, 2)], ["unspecified", "error"])


if __name__ == "__main__":
    unittest.main()

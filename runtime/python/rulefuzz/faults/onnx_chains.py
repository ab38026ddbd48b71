"""Faults of passes that fuse adjacent calls. Each changes a Graph and returns whether it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import helper

from rulefuzz.faults.onnx_graph import Graph, attribute, other

Pass = Callable[[Graph], bool]
ACTIVATIONS = "Relu|Sigmoid|Gelu|Tanh|LeakyRelu|HardSwish|Clip"


def _each(change: Callable[..., bool], *ops: str) -> Pass:
    """Applies a change to the first chain of these operators that allows it."""

    def run(g: Graph) -> bool:
        changed = False
        for _ in range(8):
            if not any(change(g, *nodes) for nodes in g.chains(*ops)):
                break
            changed = True
        return changed

    return run


def _drops(which: int, *ops: str) -> Pass:
    """Drops a call of a chain and passes its first operand on."""

    def change(g: Graph, *nodes: Any) -> bool:
        node = nodes[which]
        before = nodes[which - 1].output[0] if which else node.input[0]
        return node.op_type != "Identity" and _alike(g, node, before) and g.skip(node, before)

    return _each(change, *ops)


def _alike(g: Graph, node: Any, name: str) -> bool:
    """Whether a node's result has the shape of its replacement, as far as known."""
    return g.shape(name) is None or g.shape(node.output[0]) is None or g.shape(name) == g.shape(node.output[0])


def _bias_behind(g: Graph, conv: Any, activation: Any) -> bool:
    """Adds a convolution's bias after the activation."""
    shape = g.shape(conv.output[0])
    if len(conv.input) < 3 or shape is None:
        return False
    sides = g.constant(np.array([-1] + [1] * (len(shape) - 2), np.int64))
    bias = g.put(conv, "Reshape", [conv.input[2], sides])
    del conv.input[2:]
    made, activation.output[0] = activation.output[0], activation.output[0] + "_first"
    return _behind(g, activation, "Add", [activation.output[0], bias], made)


def _behind(g: Graph, node: Any, op: str, inputs: list[str], made: str) -> bool:
    place = next(i for i, n in enumerate(g.graph.node) if n.output == node.output)
    before = g.graph.node[place + 1] if place + 1 < len(g.graph.node) else None
    if before is None:
        g.graph.node.append(g.made(op, inputs, made))
    else:
        g.put(before, op, inputs, [made])
    return True


def _add_behind(g: Graph, first: Any, add: Any, activation: Any) -> bool:
    """Swaps activation and addition."""
    added, made = other(add, first.output[0]), activation.output[0]
    if not _alike(g, add, first.output[0]):
        return False
    g.drop(add)
    activation.input[0], activation.output[0] = first.output[0], made + "_first"
    return _behind(g, activation, "Add", [activation.output[0], added], made)


def _becomes(op: str, which: int, *ops: str) -> Pass:
    """Replaces a call of a chain by another of the same operands."""

    def change(g: Graph, *nodes: Any) -> bool:
        nodes[which].op_type = op
        return True

    return _each(change, *ops)


def _swapped(which: int, *ops: str) -> Pass:
    """Swaps operands of a call of a chain, once."""

    def run(g: Graph) -> bool:
        found = [nodes[which] for nodes in g.chains(*ops) if len(nodes[which].input) > 1]
        for node in found:
            node.input[:] = [*node.input[1::-1], *node.input[2:]]
        return bool(found)

    return run


def _swish(g: Graph) -> bool:
    """x * sigmoid(x), without the first operand."""
    changed = False
    for mul in list(g.nodes("Mul")):
        gate = next((g.maker(n) for n in mul.input if g.maker(n) is not None and g.maker(n).op_type == "Sigmoid"), None)
        if gate is not None and gate.input[0] in mul.input:
            changed = g.skip(mul, gate.output[0])
    return changed


def _rows(g: Graph, matmul: Any, add: Any) -> bool:
    """Takes the bias of a product for one of rows, not columns."""
    bias = other(add, matmul.output[0])
    x, shape = g.constants.get(bias), g.shape(matmul.output[0])
    if x is None or x.ndim != 1 or shape is None or len(shape) < 2 or x.size < 2:
        return False
    rows = np.resize(x, (shape[-2], 1))
    add.input[:] = [matmul.output[0], g.constant(rows)]
    return True


def _transposed_product(g: Graph, transpose: Any, matmul: Any) -> bool:
    """Takes any transposition before a product for one of the last two dimensions."""
    perm = attribute(transpose, "perm")
    last = [*range(len(perm or [0, 1]))]
    last[-2:] = last[:-3:-1]
    if perm is None or list(perm) == last:
        return False
    for a in transpose.attribute:
        a.ints[:] = last
    return True


def _commuted(g: Graph, product: Any, transpose: Any) -> bool:
    """Fuses a transposition into the product, without swapping its operands."""
    return transpose.input[0] == product.output[0] and g.skip(transpose, product.output[0])


def _untransposed(g: Graph, transpose: Any, reshape: Any) -> bool:
    """Takes a transposition before a reshape for a reshape."""
    if reshape.input[0] != transpose.output[0] or reshape.op_type == "Identity":
        return False
    reshape.input[0] = transpose.input[0]
    return True


def _requantised(g: Graph, quantize: Any, dequantize: Any) -> bool:
    """Drops a quantization followed by a dequantization."""
    return dequantize.input[0] == quantize.output[0] and g.skip(dequantize, quantize.input[0])


def _cast_twice(g: Graph, first: Any, second: Any) -> bool:
    """Merges two casts into one to the last type."""
    second.input[0] = first.input[0]
    return True


def _residual(g: Graph) -> bool:
    """Reads a sum's operand after a result computed from it has overwritten it."""
    changed = False
    for add in list(g.nodes("Add")):
        for i, name in enumerate(add.input):
            maker = g.maker(add.input[1 - i])
            if maker is None or name == add.input[1 - i] or g.shape(name) != g.shape(add.input[1 - i]):
                continue
            above = [m for m in map(g.maker, maker.input) if m is not None]
            if any(name in m.input for m in (maker, *above)):
                add.input[i] = add.input[1 - i]
                changed = True
                break
    return changed


def _fused_product(g: Graph, mul: Any, add: Any) -> bool:
    """Computes a * b + c as a * (b + c)."""
    plus = other(add, mul.output[0])
    if g.maker(plus) is not None or not _alike(g, add, mul.output[0]):
        return False
    mul.input[1] = g.put(mul, "Add", [mul.input[1], plus])
    return g.skip(add, mul.output[0])


def _reassociated(g: Graph, div: Any, mul: Any) -> bool:
    """Computes a / b * c as a / (b * c)."""
    factor = other(mul, div.output[0])
    if g.maker(factor) is not None or div.output[0] == factor:
        return False
    div.input[1] = g.put(div, "Mul", [div.input[1], factor])
    return _alike(g, mul, div.output[0]) and g.skip(mul, div.output[0])


def _without_zero_point(g: Graph, quantize: Any, product: Any) -> bool:
    """Does not pass on the zero point computed with the quantized operand."""
    zero = quantize.output[2] if len(quantize.output) > 2 else ""
    places = [i for i, name in enumerate(product.input) if name == zero and zero]
    for i in places:
        product.input[i] = ""
    return bool(places)


def _narrow(g: Graph, product: Any, cast: Any) -> bool:
    """Accumulates an integer product in 16 bits, then 8."""
    if product.output[0] != cast.input[0]:
        return False
    kind = 5 if product.op_type == "ConvInteger" else 3
    wide = g.put(cast, "Cast", [g.put(cast, "Cast", [product.output[0]], to=kind)], to=6)
    cast.input[0] = wide
    return True


def _paired_pads(g: Graph, pad: Any, conv: Any) -> bool:
    """Fuses padding into the convolution as pairs of begin and end instead of all begins, then all ends."""
    x = g.constants.get(pad.input[1]) if len(pad.input) > 1 else None
    if x is None or x.size % 2 or conv.input[0] != pad.output[0]:
        return False
    new = x.reshape(2, -1).T.reshape(-1)
    if (new == x).all():
        return False
    pad.input[1] = g.constant(new)
    return True


def _unscaled_bias(g: Graph, conv: Any, mul: Any) -> bool:
    """Multiplies a factor after a convolution into the weights but not the bias."""
    factor = other(mul, conv.output[0])
    shape = g.shape(conv.output[0])
    if len(conv.input) < 3 or shape is None or factor == conv.output[0] or g.maker(factor) is not None:
        return False
    sides = g.constant(np.array([-1] + [1] * (len(shape) - 2), np.int64))
    bias, made = g.put(conv, "Reshape", [conv.input[2], sides]), mul.output[0]
    del conv.input[2:]
    mul.output[0] = made + "_first"
    return _behind(g, mul, "Add", [mul.output[0], bias], made)


def _former_alone(g: Graph, first: Any, second: Any) -> bool:
    """Applies only the first of two transpositions."""
    return second.input[0] == first.output[0] and g.skip(second, first.output[0])


def _first_operand(g: Graph, add: Any, norm: Any) -> bool:
    """Drops the skip connection before a normalization."""
    return norm.input[0] == add.output[0] and _alike(g, add, add.input[0]) and g.skip(add, add.input[0])


def _last_axis(g: Graph, before: Any, softmax: Any) -> bool:
    """Computes a fused softmax over the second last dimension."""
    if softmax.input[0] != before.output[0] or g.rank(before.output[0]) < 2:
        return False
    axes = [a for a in softmax.attribute if a.name == "axis"]
    if any(a.i == -2 for a in axes):
        return False
    for a in axes or [softmax.attribute.add(name="axis", type=2)]:
        a.i = -2
    return True


def _folded_norm(g: Graph, conv: Any, norm: Any) -> bool:
    """Fuses a batch normalization into the preceding convolution without its epsilon."""
    if attribute(norm, "epsilon") == 0:
        return False
    kept = [a for a in norm.attribute if a.name != "epsilon"]
    del norm.attribute[:]
    norm.attribute.extend([*kept, helper.make_attribute("epsilon", 0.0)])
    return True


def _uncentred(g: Graph, mean: Any, sub: Any) -> bool:
    """Does not subtract the mean."""
    return sub.input[1] == mean.output[0] and g.skip(sub, sub.input[0])


def _bare_rows(g: Graph, gather: Any, add: Any) -> bool:
    """Drops the addition to rows of a table."""
    return _alike(g, add, gather.output[0]) and g.skip(add, gather.output[0])


PASSES: dict[str, Pass] = {
    "activation-dropped": _drops(1, "Conv", ACTIVATIONS),
    "add-activation-dropped": _drops(1, "Add", ACTIVATIONS),
    "bias-behind-activation": _each(_bias_behind, "Conv", ACTIVATIONS),
    "add-behind-activation": _each(_add_behind, "Conv|MatMul|Gemm", "Add", ACTIVATIONS),
    "swish-is-sigmoid": _swish,
    "scale-inverted": _becomes("Mul", 1, "MatMul", "Div"),
    "bias-of-rows": _each(_rows, "MatMul", "Add"),
    "transpose-into-product": _each(_transposed_product, "Transpose", "MatMul"),
    "product-transposed": _each(_commuted, "QLinearMatMul|MatMul", "Transpose"),
    "transpose-is-reshape": _each(_untransposed, "Transpose", "Reshape"),
    "erf-unscaled": _drops(0, "Div", "Erf"),
    "gelu-without-one": _drops(1, "Erf", "Add"),
    "norm-without-epsilon": _drops(0, "Add", "Sqrt"),
    "norm-without-root": _drops(0, "Sqrt", "Div|Reciprocal"),
    "norm-without-mean": _each(_uncentred, "ReduceMean", "Sub"),
    "variance-without-square": _drops(1, "Sub", "Pow"),
    "skip-forgotten": _each(_first_operand, "Add", "LayerNormalization"),
    "mask-dropped": _drops(0, "Add", "Softmax"),
    "softmax-unscaled": _drops(0, "Mul|Div", "Softmax"),
    "softmax-axis": _each(_last_axis, "Add|Mul|Div|MatMul", "Softmax"),
    "qdq-dropped": _each(_requantised, "QuantizeLinear", "DequantizeLinear"),
    "casts-merged": _each(_cast_twice, "Cast", "Cast"),
    "residual-overwritten": _residual,
    "multiply-add-order": _each(_fused_product, "Mul", "Add"),
    "division-reassociated": _each(_reassociated, "Div", "Mul"),
    "zero-point-not-passed": _each(_without_zero_point, "DynamicQuantizeLinear", "ConvInteger|MatMulInteger"),
    "accumulator-narrow": _each(_narrow, "ConvInteger|MatMulInteger", "Cast"),
    "pads-paired": _each(_paired_pads, "Pad", "Conv"),
    "scale-misses-bias": _each(_unscaled_bias, "Conv", "Mul"),
    "concat-reversed": _swapped(1, "Slice|Conv|Transpose|Mul|Neg", "Concat"),
    "transposes-merged": _each(_former_alone, "Transpose", "Transpose"),
    "embedding-add-dropped": _each(_bare_rows, "Gather", "Add"),
    "batchnorm-into-conv": _each(_folded_norm, "Conv", "BatchNormalization"),
}

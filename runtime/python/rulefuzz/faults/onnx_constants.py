"""Faults of passes that fold, share, pack or match constants. Each changes a Graph and returns whether it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rulefuzz.faults.onnx_graph import Graph

Pass = Callable[[Graph], bool]
POINTWISE = ("Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu", "Where", "Sum", "Mean", "Mod", "And", "Or", "Xor", "BitwiseAnd",
             "BitwiseOr", "BitwiseXor", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")  # fmt: skip
COMPARISONS = ("Less", "Greater", "LessOrEqual", "GreaterOrEqual")
QUANTISED = {
    "DequantizeLinear": ((1, 2),), "QuantizeLinear": ((1, 2),), "QLinearMatMul": ((1, 2), (4, 5), (6, 7)),
    "QLinearConv": ((1, 2), (4, 5), (6, 7)), "MatMulInteger": ((-1, 2), (-1, 3)), "ConvInteger": ((-1, 2), (-1, 3)),
}  # fmt: skip
"""Indices of scales and zero points; -1: no scale."""


def _operands(change: Callable[[Any, int, Any], Any], *ops: str) -> Pass:
    """Replaces constant operands of these operators; None keeps one."""

    def run(g: Graph) -> bool:
        changed = False
        for node in g.nodes(*ops):
            for i, name in enumerate(node.input):
                new = change(node, i, g.constants[name]) if name in g.constants else None
                if new is not None:
                    node.input[i] = g.constant(new)
                    changed = True
        return changed

    return run


def _is_float(x: Any) -> bool:
    return bool(x.dtype.kind == "f" and x.size > 0)


def _first(x: Any) -> Any:
    return np.full_like(x, x.flat[0])


def _scalar(node: Any, i: int, x: Any) -> Any:
    return _first(x) if x.size > 1 and max(x.shape) == x.size else None


def _half(node: Any, i: int, x: Any) -> Any:
    return x.astype(np.float16).astype(x.dtype) if _is_float(x) and x.dtype.itemsize > 2 else None


def _whole(node: Any, i: int, x: Any) -> Any:
    return np.trunc(x) if _is_float(x) else None


def _unsigned(node: Any, i: int, x: Any) -> Any:
    return np.abs(x) if x.dtype.kind == "i" and x.dtype.itemsize < 8 else None


def _transposed(node: Any, i: int, x: Any) -> Any:
    return np.ascontiguousarray(x.T).reshape(x.shape) if x.ndim == 2 and i == 1 else None


def _kernel(change: Callable[[Any], Any]) -> Callable[[Any, int, Any], Any]:
    return lambda node, i, x: np.ascontiguousarray(change(x)).reshape(x.shape) if i == 1 and x.ndim > 3 else None


def _squeezed(node: Any, i: int, x: Any) -> Any:
    return x.squeeze() if x.ndim > 1 and 1 in x.shape else None


def _condition(node: Any, i: int, x: Any) -> Any:
    return _first(x) if i == 0 and x.size > 1 else None


def _slope(node: Any, i: int, x: Any) -> Any:
    return _first(x) if i == 1 and x.size > 1 else None


def _table(node: Any, i: int, x: Any) -> Any:
    return np.ascontiguousarray(x.swapaxes(0, 1)).reshape(x.shape) if i == 0 and x.ndim > 1 else None


def _scale(node: Any, i: int, x: Any) -> Any:
    return _first(x) if i in [scale for scale, _ in QUANTISED[node.op_type]] and x.size > 1 else None


def _zero_point(node: Any, i: int, x: Any) -> Any:
    return np.zeros_like(x) if i in [zero for _, zero in QUANTISED[node.op_type]] else None


def _shared(key: Callable[[Any], Any]) -> Pass:
    """Merges constants that agree in one property."""

    def run(g: Graph) -> bool:
        first: dict[Any, str] = {}
        one = {name: first.setdefault((x.dtype, key(x)), name) for name, x in g.constants.items() if x.dtype.kind in "fiub"}
        for node in g.nodes():
            node.input[:] = [one.get(name, name) for name in node.input]
        return any(name != known for name, known in one.items())

    return run


def _to_the_right(*ops: str) -> Pass:
    """Moves constants to the right, for any operation."""

    def run(g: Graph) -> bool:
        found = [node for node in g.nodes(*ops) if node.input[0] in g.constants and node.input[1] not in g.constants]
        for node in found:
            node.input[:] = [node.input[1], node.input[0]]
        return bool(found)

    return run


def _vanishes(ops: tuple[str, ...], applies: Callable[[Any], Any], keeps: int) -> Pass:
    """Replaces a call with a constant on the right by its left operand (keeps 0) or by the constant (1)."""

    def run(g: Graph) -> bool:
        found = [n for n in g.nodes(*ops) if n.input[1] in g.constants and n.input[0] not in g.constants]
        found = [n for n in found if g.constants[n.input[1]].size and applies(g.constants[n.input[1]])]
        for node in found:
            g.skip(node, node.input[keeps])
        return bool(found)

    return run


def _exponent(g: Graph) -> bool:
    found = [node for node in g.nodes("Pow") if node.input[1] in g.constants and g.constants[node.input[1]].size]
    for node in found:
        times = int(np.clip(g.constants[node.input[1]].flat[0], 1, 3)) - 1
        name = node.input[0]
        for _ in range(times):
            name = g.put(node, "Mul", [name, node.input[0]])
        g.skip(node, name)
    return bool(found)


def _division(g: Graph) -> bool:
    """Divides integers by shifts, which round down instead of towards zero."""
    found = [node for node in g.nodes("Div") if node.input[1] in g.constants and g.constants[node.input[1]].dtype.kind == "i"]
    for node in found:
        wide = [g.put(node, "Cast", [name], to=11) for name in node.input]
        down = g.put(node, "Floor", [g.put(node, "Div", wide)])
        kind = next(t.data_type for t in g.graph.initializer if t.name == node.input[1])
        g.skip(node, g.put(node, "Cast", [down], to=kind))
    return bool(found)


def _bounds(change: Callable[[str, str], list[str]]) -> Pass:
    """Changes the bounds of a clamp if both are constants."""

    def run(g: Graph) -> bool:
        found = [n for n in g.nodes("Clip") if len(n.input) == 3 and all(name in g.constants for name in n.input[1:])]
        for node in found:
            node.input[1:] = change(*node.input[1:])
        return bool(found)

    return run


def _padding(node: Any, i: int, x: Any) -> Any:
    return np.zeros_like(x) if i == 2 else None


def _forgets(op: str, place: int) -> Pass:
    """Drops a constant operand."""

    def run(g: Graph) -> bool:
        found = [n for n in g.nodes(op) if len(n.input) > place and n.input[place] in g.constants]
        for node in found:
            del node.input[place:]
        return bool(found)

    return run


def _untransposed(g: Graph) -> bool:
    """Packs a product's constant operand without the transposition that it needs."""
    changed = False
    for node in g.nodes("Gemm"):
        for a in node.attribute:
            x = g.constants.get(node.input[1])
            if a.name == "transB" and a.i and x is not None:
                node.input[1] = g.constant(np.ascontiguousarray(x).reshape(x.shape[::-1]))
                a.i, changed = 0, True
    return changed


def _constants_last(g: Graph) -> bool:
    """Appends constants to a concatenation, wherever they were."""
    changed = False
    for node in g.nodes("Concat"):
        moved = sorted(node.input, key=lambda name: name in g.constants)
        changed = changed or moved != list(node.input)
        node.input[:] = moved
    return changed


def _maximum(g: Graph) -> bool:
    found = [n for n in g.nodes("Max") if len(n.input) == 2 and n.input[1] in g.constants]
    found = [n for n in found if _is_float(g.constants[n.input[1]]) and g.constants[n.input[1]].flat[0] == 0]
    for node in found:
        g.skip(node, g.put(node, "Relu", [node.input[0]]))
    return bool(found)


def _leading(g: Graph) -> bool:
    """Aligns a constant of lower rank with the first dimensions if possible."""
    changed = False
    for node in g.nodes(*POINTWISE):
        for i, name in enumerate(node.input):
            shape, x = g.shape(node.input[1 - i]) if len(node.input) == 2 else None, g.constants.get(name)
            if shape is None or x is None or not 0 < x.ndim < len(shape) or max(x.shape) < 2:
                continue
            if all(size in (1, shape[k]) for k, size in enumerate(x.shape)):
                node.input[i] = g.constant(x.reshape(x.shape + (1,) * (len(shape) - x.ndim)))
                changed = True
    return changed


def _normalised(epsilon: bool, sign: int, variance: bool) -> Pass:
    """BatchNormalization with constants as one multiplication and one addition."""

    def run(g: Graph) -> bool:
        changed = False
        for node in g.nodes("BatchNormalization"):
            shape, known = g.shape(node.input[0]), [g.constants[n] for n in node.input[1:] if n in g.constants]
            if shape is None or len(node.output) > 1 or len(known) < 4 or any(x.dtype.kind != "f" for x in known):
                continue
            kind = known[0].dtype
            gamma, beta, mean, var = (x.astype(np.float64) for x in known)
            given = [a.f for a in node.attribute if a.name == "epsilon"]
            scale = gamma / (np.sqrt(var + ((given or [1e-5])[0] if epsilon else 0)) if variance else 1)
            sides = (len(scale),) + (1,) * (len(shape) - 2)
            times = g.constant(scale.astype(kind).reshape(sides))
            plus = g.constant((beta - sign * mean * scale).astype(kind).reshape(sides))
            changed = g.skip(node, g.put(node, "Add", [g.put(node, "Mul", [node.input[0], times]), plus]))
        return changed

    return run


def _fold(change: Callable[[Graph, Any, Any], Any]) -> Pass:
    """Folds constant calls into wrong constants."""

    def run(g: Graph) -> bool:
        changed = False
        for node in list(g.nodes()):
            made = g.folded(node)
            if made is None or len(made) != 1 or not isinstance(made[0], np.ndarray):
                continue
            new = change(g, node, made[0])
            if new is not None:
                changed = g.skip(node, g.constant(np.asarray(new, made[0].dtype)))
        return changed

    return run


def _cyclic(g: Graph, node: Any, x: Any) -> Any:
    """Repeats operands that are smaller than the result from their start."""
    how = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Max": np.maximum, "Min": np.minimum}.get(node.op_type)
    if how is None or len(node.input) != 2:
        return None
    one, other = (np.resize(g.constants[name], x.shape) for name in node.input)
    return how(one, other)


def _folded_half(g: Graph, node: Any, x: Any) -> Any:
    """Folds in 16 bits."""
    return x.astype(np.float16) if x.dtype.kind == "f" and x.dtype.itemsize > 2 else None


def _bias(g: Graph) -> bool:
    """Drops the bias when constant weights are packed."""
    found = [n for n in g.nodes("Conv", "Gemm", "ConvTranspose") if len(n.input) == 3 and n.input[1] in g.constants]
    for node in found:
        del node.input[2:]
    return bool(found)


PASSES: dict[str, Pass] = {
    "const-scalar": _operands(_scalar, *POINTWISE),
    "const-half": _operands(_half),
    "const-whole": _operands(_whole, *POINTWISE),
    "const-unsigned": _operands(_unsigned),
    "const-squeezed": _operands(_squeezed, *POINTWISE),
    "const-leading": _leading,
    "const-shared": _shared(lambda x: x.shape),
    "const-shared-ends": _shared(lambda x: (x.shape, *x.ravel()[:1].tolist(), *x.ravel()[-1:].tolist())),
    "const-shared-bytes": _shared(lambda x: x.tobytes()),
    "const-right": _to_the_right("Sub", "Div", "Pow", "Mod"),
    "compare-right": _to_the_right(*COMPARISONS),
    "weight-transposed": _operands(_transposed, "MatMul", "Gemm", "MatMulInteger"),
    "kernel-flipped": _operands(_kernel(lambda x: x[..., ::-1, ::-1]), "Conv", "ConvTranspose"),
    "kernel-swapped": _operands(_kernel(lambda x: x.swapaxes(0, 1)), "Conv", "ConvTranspose", "QLinearConv", "ConvInteger"),
    "bias-forgotten": _bias,
    "zero-keeps-shape": _vanishes(("Add", "Sub"), lambda x: not x.any(), 0),
    "zero-is-result": _vanishes(("Mul",), lambda x: not x.any(), 1),
    "one-by-first": _vanishes(("Mul", "Div"), lambda x: x.flat[0] == 1, 0),
    "maximum-is-relu": _maximum,
    "bounds-swapped": _bounds(lambda low, high: [high, low]),
    "lower-bound-lost": _bounds(lambda low, high: ["", high]),
    "padding-is-zero": _operands(_padding, "Pad"),
    "norm-bias-forgotten": _forgets("LayerNormalization", 2),
    "product-untransposed": _untransposed,
    "constants-joined-last": _constants_last,
    "power-by-first": _exponent,
    "division-shifts": _division,
    "where-by-first": _operands(_condition, "Where"),
    "slope-by-first": _operands(_slope, "PRelu"),
    "table-transposed": _operands(_table, "Gather", "GatherElements"),
    "scale-by-first": _operands(_scale, *QUANTISED),
    "zero-point-lost": _operands(_zero_point, *QUANTISED),
    "batchnorm-epsilon": _normalised(False, 1, True),
    "batchnorm-sign": _normalised(True, -1, True),
    "batchnorm-variance": _normalised(True, 1, False),
    "fold-half": _fold(_folded_half),
    "fold-cyclic": _fold(_cyclic),
    "fold-squeezed": _fold(lambda g, node, x: x.squeeze() if 1 in x.shape else None),
}

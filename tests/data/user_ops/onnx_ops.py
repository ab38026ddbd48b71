"""Operators of a domain of their own, for tests of `rulesmith learn`: a class with a function, one without, and a function."""

import numpy as np
import onnx
from onnx.reference.op_run import OpRun

DOMAIN = "rulesmith.test"


class Spread(OpRun):  # type: ignore[misc]
    """x [A, B] above y [C, B], each of whose rows stands `times` times: [A + C*times, B]."""

    op_domain = DOMAIN
    op_function = onnx.parser.parse_function(f"""
        <domain: "{DOMAIN}", opset_import: ["" : 21]>
        Spread <times: int = 2> (x, y) => (z) {{
            number = Constant <value_int: int = @times> ()
            first = Constant <value = int64[1] {{0}}> ()
            second = Constant <value = int64[1] {{1}}> ()
            here = Unsqueeze (number, first)
            tall = Unsqueeze (y, second)
            repeats = Concat <axis = 0> (second, here, second)
            tiled = Tile (tall, repeats)
            width = Shape <start = 1> (x)
            minus = Constant <value = int64[1] {{-1}}> ()
            flat = Concat <axis = 0> (minus, width)
            rows = Reshape (tiled, flat)
            z = Concat <axis = 0> (x, rows)
        }}""")

    def _run(self, x: np.ndarray, y: np.ndarray, times: int = 2) -> tuple[np.ndarray]:
        if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[1]:
            raise ValueError("rows of one length")
        if times < 1:
            raise ValueError("times is 1 and more")
        return (np.concatenate([x, np.repeat(y, times, axis=0)]),)


class Folded(OpRun):  # type: ignore[misc]
    """Groups of `by` rows become one row each: x [A, B], A a multiple of `by`, to [A/by, B*by]."""

    op_domain = DOMAIN

    def _run(self, x: np.ndarray, by: int = 2) -> tuple[np.ndarray]:
        if by < 1 or x.ndim != 2 or x.shape[0] % by:
            raise ValueError("no such groups")
        return (x.reshape(x.shape[0] // by, x.shape[1] * by),)


scores = onnx.parser.parse_function(f"""
    <domain: "{DOMAIN}", opset_import: ["" : 21]>
    Scores (query, key) => (scores) {{
        turned = Transpose <perm = [1, 0]> (key)
        product = MatMul (query, turned)
        scores = Relu (product)
    }}""")

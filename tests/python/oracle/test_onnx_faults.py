"""Faults planted in passes over ONNX models: each changes the result of its pattern, and nothing else."""

from __future__ import annotations

import unittest
from typing import Any

try:
    import numpy as np
    import onnx
    import onnx.parser

    from rulefuzz.faults import onnx as onnx_faults
    from rulefuzz.faults import onnx_bodies
    from rulefuzz.faults.onnx_graph import Graph, session
except ImportError:
    raise unittest.SkipTest("no onnx") from None

HEAD = '<ir_version: 10, opset_import: ["": 18]>\n'
ROW = "float[3] c = {1.5, -2.25, 3.1}"
W = "float[3, 2] w = {1, 2, 3, 4, 5, 6}"
KERNEL = "float[2, 2, 2, 2] k = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, float[2] b = {-9000, 5}"
IMAGE = "float[1, 2, 4, 4] x"
NORM = "float[2] g = {1, 2}, float[2] o = {3, 4}, float[2] m = {5, 6}, float[2] v = {0.1, 0.2}"
CUBE = "float[2, 3, 4] x"
FIRST = "int64 i = {0}, int64[1] a = {1}"
TAKE = "s = Shape(x) n = Gather(s, i)"
VECTOR = "t = Reshape(p, a) y = ConstantOfShape(t)"
CASES = {
    "const-scalar": ("float[2, 3] x", ROW, "y = Add(x, c)"),
    "const-half": ("float[2, 3] x", ROW, "y = Add(x, c)"),
    "const-whole": ("float[2, 3] x", ROW, "y = Add(x, c)"),
    "const-unsigned": ("int32[2] x", "int32[2] c = {-1, 2}", "y = Add(x, c)"),
    "const-squeezed": ("float[3, 3] x", "float[3, 1] c = {1, 2, 3}", "y = Add(x, c)"),
    "const-leading": ("float[3, 3] x", ROW, "y = Add(x, c)"),
    "const-shared": ("float[3] x", f"{ROW}, float[3] d = {{1, 2, 3}}", "z = Add(x, c) y = Mul(z, d)"),
    "const-shared-ends": ("float[3] x", f"{ROW}, float[3] d = {{1.5, 0, 3.1}}", "z = Add(x, c) y = Mul(z, d)"),
    "const-shared-bytes": ("float[2, 2] x", "float[2] c = {1, 2}, float[2, 1] d = {1, 2}", "z = Add(x, c) y = Mul(z, d)"),
    "const-right": ("float[3] x", ROW, "y = Sub(c, x)"),
    "compare-right": ("float[3] x", ROW, "z = Less(c, x) y = Cast<to = 1>(z)"),
    "weight-transposed": ("float[2, 3] x", W, "y = MatMul(x, w)"),
    "kernel-flipped": (IMAGE, KERNEL, "y = Conv(x, k)"),
    "kernel-swapped": (IMAGE, KERNEL, "y = Conv(x, k)"),
    "bias-forgotten": (IMAGE, KERNEL, "y = Conv(x, k, b)"),
    "zero-keeps-shape": ("float[1] x", "float[3] c = {0, 0, 0}", "y = Add(x, c)"),
    "zero-is-result": ("float[3] x", "float[1, 1] c = {0}", "y = Mul(x, c)"),
    "one-by-first": ("float[3] x", "float[3] c = {1, 2, 3}", "y = Mul(x, c)"),
    "maximum-is-relu": ("float[3] x", "float[3] c = {0, 20, 30}", "y = Max(x, c)"),
    "bounds-swapped": ("float[3] x", "float c = {1.5}, float d = {2}", "y = Clip(x, c, d)"),
    "lower-bound-lost": ("float[3] x", "float c = {1.5}, float d = {2}", "y = Clip(x, c, d)"),
    "padding-is-zero": ("float[3] x", "int64[2] p = {1, 1}, float c = {2}", "y = Pad(x, p, c)"),
    "norm-bias-forgotten": ("float[2, 3] x", ROW, "y = LayerNormalization(x, c, c)"),
    "product-untransposed": ("float[2, 3] x", "float[2, 3] w = {1, 2, 3, 4, 5, 6}", "y = Gemm<transB = 1>(x, w)"),
    "constants-joined-last": ("float[3] x", ROW, "y = Concat<axis = 0>(c, x)"),
    "power-by-first": ("float[3] x", "float[3] c = {2, 1, 2}", "y = Pow(x, c)"),
    "division-shifts": ("int32[3] x", "int32[1] c = {-2}", "y = Div(x, c)"),
    "where-by-first": ("float[3] x", f"{ROW}, bool[3] q = {{1, 0, 1}}", "y = Where(q, x, c)"),
    "slope-by-first": ("float[2, 3] x", ROW, "z = Neg(x) y = PRelu(z, c)"),
    "table-transposed": ("int64[2] x", W, "y = Gather(w, x)"),
    "scale-by-first": ("uint8[2, 2] x", "float[2] c = {1, 2}", "y = DequantizeLinear<axis = 0>(x, c)"),
    "zero-point-lost": ("uint8[2] x", "float c = {2}, uint8 d = {1}", "y = DequantizeLinear(x, c, d)"),
    "batchnorm-epsilon": (IMAGE, NORM, "y = BatchNormalization<epsilon = 0.5>(x, g, o, m, v)"),
    "batchnorm-sign": (IMAGE, NORM, "y = BatchNormalization(x, g, o, m, v)"),
    "batchnorm-variance": (IMAGE, NORM, "y = BatchNormalization(x, g, o, m, v)"),
    "fold-half": ("float[3] x", ROW, "z = Exp(c) y = Add(x, z)"),
    "fold-cyclic": ("float[2, 2] x", "float[2, 2] c = {1, 2, 3, 4}, float[2, 1] d = {1, 2}", "z = Add(c, d) y = Add(x, z)"),
    "fold-squeezed": ("float[2, 2] x", "float[2, 1] c = {1, 2}", "z = Neg(c) y = Add(x, z)"),
    "activation-dropped": (IMAGE, KERNEL, "z = Conv(x, k, b) y = Relu(z)"),
    "add-activation-dropped": ("float[3] x", ROW, "z = Add(x, c) t = Neg(z) u = Add(t, c) y = Relu(u)"),
    "bias-behind-activation": (IMAGE, KERNEL, "z = Conv(x, k, b) y = Relu(z)"),
    "add-behind-activation": ("float[2, 3] x", f"{W}, float[2] c = {{-900, 1}}", "z = MatMul(x, w) t = Add(z, c) y = Relu(t)"),
    "swish-is-sigmoid": ("float[3] x", "", "z = Sigmoid(x) y = Mul(x, z)"),
    "scale-inverted": ("float[2, 3] x", f"{W}, float c = {{8}}", "z = MatMul(x, w) y = Div(z, c)"),
    "bias-of-rows": ("float[2, 3] x", f"{W}, float[2] c = {{1, 2}}", "z = MatMul(x, w) y = Add(z, c)"),
    "transpose-into-product": ("float[3, 2, 3] x", W, "z = Transpose<perm = [1, 0, 2]>(x) y = MatMul(z, w)"),
    "product-transposed": ("float[2, 3] x", W, "z = MatMul(x, w) y = Transpose(z)"),
    "transpose-is-reshape": ("float[2, 3] x", "int64[1] c = {6}", "z = Transpose(x) y = Reshape(z, c)"),
    "erf-unscaled": ("float[3] x", "float c = {100}", "z = Div(x, c) y = Erf(z)"),
    "gelu-without-one": ("float[3] x", "float c = {1}", "z = Erf(x) y = Add(z, c)"),
    "norm-without-epsilon": ("float[3] x", "float c = {0.5}", "z = Add(x, c) y = Sqrt(z)"),
    "norm-without-root": ("float[3] x", "", "z = Sqrt(x) y = Div(x, z)"),
    "norm-without-mean": ("float[2, 3] x", "", "z = ReduceMean<keepdims = 1>(x) y = Sub(x, z)"),
    "variance-without-square": ("float[3] x", f"{ROW}, float d = {{2}}", "z = Sub(x, c) y = Pow(z, d)"),
    "skip-forgotten": ("float[2, 3] x", ROW, "z = Add(x, c) y = LayerNormalization(z, c)"),
    "mask-dropped": ("float[2, 3] x", ROW, "z = Add(x, c) y = Softmax(z)"),
    "softmax-unscaled": ("float[2, 3] x", "float c = {8}", "z = Div(x, c) y = Softmax(z)"),
    "softmax-axis": ("float[2, 3] x", "float c = {8}", "z = Div(x, c) y = Softmax(z)"),
    "qdq-dropped": ("float[3] x", "float c = {2}", "z = QuantizeLinear(x, c) y = DequantizeLinear(z, c)"),
    "casts-merged": ("float[3] x", "float c = {2}", "t = Div(x, c) z = Cast<to = 7>(t) y = Cast<to = 1>(z)"),
    "residual-overwritten": ("float[3] x", "", "t = Neg(x) z = Exp(t) y = Add(t, z)"),
    "multiply-add-order": ("float[3] x", f"{ROW}, float[3] d = {{2, 3, 4}}", "z = Mul(x, c) y = Add(z, d)"),
    "division-reassociated": ("float[3] x", f"{ROW}, float[3] d = {{2, 3, 4}}", "z = Div(x, c) y = Mul(z, d)"),
    "zero-point-not-passed": ("float[2, 2] x", "int8[2, 1] w = {1, 2}", "n = Neg(x) q, s, p = DynamicQuantizeLinear(n) "
                              "z = MatMulInteger(q, w, p) y = Cast<to = 1>(z)"),
    "accumulator-narrow": ("uint8[1, 2] x", "uint8[2, 1] w = {255, 255}", "z = MatMulInteger(x, w) y = Cast<to = 1>(z)"),
    "pads-paired": (IMAGE, f"{KERNEL}, int64[8] p = {{0, 0, 1, 0, 0, 0, 0, 1}}", "z = Pad(x, p) y = Conv(z, k)"),
    "scale-misses-bias": (IMAGE, f"{KERNEL}, float c = {{8}}", "z = Conv(x, k, b) y = Mul(z, c)"),
    "concat-reversed": ("float[3] x", "", "z = Neg(x) y = Concat<axis = 0>(x, z)"),
    "transposes-merged": ("float[3, 3] x", "", "z = Transpose(x) y = Transpose(z)"),
    "embedding-add-dropped": ("int64[3] x", ROW, "z = Gather(c, x) y = Add(z, c)"),
    "shape-start-lost": (CUBE, "", "t = Shape<start = 1, end = 3>(x) y = ConstantOfShape(t)"),
    "shape-slice-first": (CUBE, "int64[1] a = {1}, int64[1] b = {3}", "s = Shape(x) t = Slice(s, a, b) y = ConstantOfShape(t)"),
    "shape-next-dimension": (CUBE, "int64[1] a = {1}", "s = Shape(x) t = Gather(s, a) y = ConstantOfShape(t)"),
    "shape-concat-swapped": (CUBE, "int64[1] a = {7}", "s = Shape(x) t = Concat<axis = 0>(s, a) y = ConstantOfShape(t)"),
    "shape-size-first": (CUBE, "int64[1] a = {1}", "s = Size(x) t = Reshape(s, a) y = ConstantOfShape(t)"),
    "shape-product-first": (CUBE, "int64[1] a = {1}", f"s = Shape(x) p = ReduceProd<keepdims = 0>(s) {VECTOR}"),
    "shape-sub-swapped": (CUBE, f"{FIRST}, int64 b = {{1}}", f"{TAKE} p = Sub(n, b) {VECTOR}"),
    "shape-add-is-sub": (CUBE, f"{FIRST}, int64 b = {{1}}", f"{TAKE} p = Add(n, b) {VECTOR}"),
    "shape-mul-is-add": (CUBE, f"{FIRST}, int64 b = {{3}}", f"{TAKE} p = Mul(n, b) {VECTOR}"),
    "shape-div-dropped": (CUBE, f"{FIRST}, int64 b = {{2}}", f"{TAKE} p = Div(n, b) {VECTOR}"),
    "shape-min-dropped": (CUBE, f"{FIRST}, int64 b = {{1}}", f"{TAKE} p = Min(n, b) {VECTOR}"),
    "shape-max-dropped": (CUBE, f"{FIRST}, int64 b = {{9}}", f"{TAKE} p = Max(n, b) {VECTOR}"),
    "shape-rounded-other": (CUBE, f"{FIRST}, float b = {{1.5}}", f"{TAKE} c = Cast<to = 1>(n) f = Div(c, b) "
                            f"h = Ceil(f) p = Cast<to = 7>(h) {VECTOR}"),
    "shape-where-dropped": (CUBE, "int64[3] b = {9, 8, 7}, bool[3] q = {1, 0, 1}",
                            "s = Shape(x) t = Where(q, b, s) y = ConstantOfShape(t)"),
    "shape-shared": (CUBE, "", "z = Transpose(x) s = Shape(x) t = Shape(z) y = ConstantOfShape(t)"),
    "batchnorm-into-conv": (IMAGE, f"{KERNEL}, {NORM}", "z = Conv(x, k) y = BatchNormalization<epsilon = 0.5>(z, g, o, m, v)"),
}  # fmt: skip
"""A model in ONNX's text format: inputs, constants, calls."""


def parsed(fed: str, constants: str, calls: str) -> Any:
    """The model."""
    kind = "int32" if fed.startswith("int32") else "float"
    held = f"<{constants}>" if constants else ""
    model = onnx.parser.parse_model(f"{HEAD}g ({fed}) => ({kind} y)\n{held}\n{{ {calls} }}")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def results(model: Any) -> Any:
    """Its results for small integers."""
    (info,) = model.graph.input
    kind = info.type.tensor_type
    shape = [dim.dim_value for dim in kind.shape.dim]
    fed = (np.arange(np.prod(shape, dtype=int)) % 3 + (kind.elem_type != 7)).reshape(shape)
    return session(model).run(["y"], {info.name: fed.astype(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))})[0]


class Passes(unittest.TestCase):
    """The passes of faults/onnx_constants.py, onnx_chains.py and onnx_shapes.py."""

    def test_each_fault_changes_results(self) -> None:
        """On its pattern each pass changes a shape or elements, or makes the model fail."""
        self.assertEqual(set(CASES), set(onnx_faults.PASSES) - set(onnx_bodies.PASSES))  # those are in test_bodies
        for fault, case in CASES.items():
            with self.subTest(fault):
                model = parsed(*case)
                want, before = results(model), model.SerializeToString()
                wrong = onnx_faults.planted(model, fault)
                self.assertIsNot(wrong, model)
                self.assertEqual(before, model.SerializeToString())
                try:
                    got = results(wrong)
                except Exception:
                    continue
                same = got.shape == want.shape and np.allclose(got, want, rtol=1e-5, atol=1e-7, equal_nan=True)
                self.assertFalse(same, onnx.printer.to_text(wrong))

    def test_pattern_is_absent(self) -> None:
        """Without its pattern, a pass leaves the model unchanged."""
        model = parsed("float[2, 3] x", "", "z = Neg(x) y = Abs(z)")
        for fault in ("", *onnx_faults.PASSES):
            self.assertIs(model, onnx_faults.planted(model, fault), fault)

    def test_model_results_are_kept(self) -> None:
        """A chain is not fused if an inner tensor is a result of the model."""
        model = parsed(*CASES["erf-unscaled"])
        model.graph.output.append(onnx.ValueInfoProto(name="z"))
        self.assertIs(model, onnx_faults.planted(model, "erf-unscaled"))
        self.assertEqual([], list(Graph(model).chains("Div", "Erf")))


if __name__ == "__main__":
    unittest.main()

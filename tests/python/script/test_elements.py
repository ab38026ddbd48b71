"""Both generators make the same elements, and scripts those of the run. Constants and attributes of calls are
evaluated."""

from __future__ import annotations

import importlib.util
import math
import unittest
import unittest.mock
from typing import Any

try:
    import numpy as np

    from rulefuzz import elements
    from rulefuzz.framework import Rejected, Unanswered
    from rulefuzz.model import Tensor
    from rulefuzz.script import spell
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

Case = tuple[tuple[int, ...], str, int, str, "tuple[int, int] | None"]
DTYPES = ("float64", "float32", "bool", "int8", "uint8", "int16", "int32", "int64", "complex128", "complex64")
CASES: list[Case] = [
    ((3, 5), dtype, elements.seed_of(7, i), kind, None) for i, dtype in enumerate(DTYPES) for kind in elements.BOUNDS
]
CASES += [((40,), dtype, seed, "small", (-3, 4)) for dtype in ("float32", "int8", "int64") for seed in (0, (1 << 63) - 1)]
CASES += [((40,), "bool", 5, "small", (0, 2)), ((4,), "int64", 5, "small", (2, 2)), ((), "float32", 5, "small", None)]
CASES += [((0, 3), "complex64", 5, "small", None), ((3,), "int64", 5, "small", (-(1 << 61), 1 << 61))]


def _is_integer(made: Any) -> Any:
    return made % 1 == 0


def _is_end(made: Any) -> Any:
    return (abs(made) > 50) | (abs(made) < 1e-4)


class Made(unittest.TestCase):
    """elements.py alone."""

    def test_elements_match_their_class(self) -> None:
        for shape, dtype, seed, kind, span in CASES:
            with self.subTest(dtype=dtype, kind=kind, span=span):
                made = elements.elements(shape, dtype, seed, kind, span)
                self.assertEqual(made.shape, shape)
                if span is not None:
                    low, high = span[0], max(span[1] - 1, span[0])
                elif "int" in dtype:
                    low, high = elements.WHOLE[kind]
                    low, high = (max(low, 0), min(high, 255)) if dtype == "uint8" else (low, high)
                    low, high = (max(low, -128), min(high, 127)) if dtype == "int8" else (low, high)
                elif dtype == "bool":
                    low, high = int(kind in ("unit", "positive")), 1
                else:
                    low, high = elements.BOUNDS[kind]  # type: ignore[assignment]
                for part in (made.real, made.imag) if made.dtype.kind == "c" else (made,):
                    self.assertTrue(((part >= low) & (part <= high)).all())

    def test_fractions(self) -> None:
        """A third number divides, in the run and in every text of a script."""
        made = elements.elements((50,), "float32", 5, span=(3, 9, 16))
        self.assertEqual(set((made * 16).tolist()), {3.0, 4.0, 5.0, 6.0, 7.0, 8.0})
        scale = Tensor(0, (), "float32", span=(3, 4, 16))
        self.assertEqual(spell.filling(scale, 7, "ones").full, 0.1875)
        self.assertEqual(spell.filling(scale, 7, "exact").listed, 0.1875)
        large = Tensor(0, (spell.MOST + 1,), "float32", span=(3, 9, 16))
        text = spell.numpy_text(large, spell.filling(large, 7, "exact"))
        want = elements.elements(large.shape, "float32", elements.seed_of(7, 0), span=large.span)
        self.assertEqual(spell.evaluated(text, {}).tolist(), want.tolist())
        self.assertEqual(spell.filling(large, 7, "round").drawn, (0.1875, 0.5625))
        with self.assertRaises(spell.Unsayable):
            spell.filling(large, 7, "arange")

    def test_special_floats(self) -> None:
        """A quarter of the floats of class `any` is special, also in the text of a script."""
        for dtype in elements.ENDS:
            for kind, find in enumerate((np.isnan, np.isinf, _is_integer, _is_end)):
                made = elements.elements((400,), dtype, 8 + kind, "any")
                with np.errstate(invalid="ignore"):
                    self.assertTrue(60 < find(made).sum() < 140, (dtype, kind))
        self.assertGreater(abs(elements.elements((400,), "int64", 8, "any")).max(), 5)
        few = Tensor(0, (6,), "float64", "any")
        for values in range(8):
            said = spell.filling(few, values, "exact")
            want = elements.elements(few.shape, few.dtype, elements.seed_of(values, 0), "any")
            np.testing.assert_array_equal(spell.evaluated(spell.numpy_text(few, said), {}), want)
        with self.assertRaises(spell.Unsayable):
            spell.filling(Tensor(0, (spell.MOST + 1,), "float32", "any"), 7, "exact")
        with self.assertRaises(spell.Unsayable):
            spell.filling(Tensor(0, (spell.FEW + 1,), "float32", "any"), 7, "round")

    def test_dtypes_without_wider_range(self) -> None:
        self.assertLessEqual(abs(elements.elements((500,), "float8_e4m3fn", 1, "large")).max(), 200)
        self.assertLessEqual(abs(elements.elements((500,), "float4_e2m1fn", 1, "large")).max(), 6)
        self.assertEqual({len(text) for text in elements.elements((9,), "string", 1, "unit")}, {1})


@unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
class Torch(unittest.TestCase):
    """torch_elements.py, whose code scripts contain."""

    def test_scripts_have_the_run_s_elements(self) -> None:
        import torch

        from rulefuzz.frameworks.torch_elements import make_input

        for shape, dtype, seed, kind, span in CASES:
            with self.subTest(dtype=dtype, kind=kind, span=span, seed=seed):
                got = make_input(shape, dtype, seed, kind, span)
                want = torch.from_numpy(np.asarray(elements.elements(shape, dtype, seed, kind, span))).to(getattr(torch, dtype))
                self.assertEqual((got.shape, got.dtype), (want.shape, want.dtype))
                self.assertTrue(torch.equal(got, want))

    def test_narrow_floats(self) -> None:
        import torch

        from rulefuzz.frameworks.torch_elements import make_input

        for dtype in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
            for kind in elements.BOUNDS:
                with self.subTest(dtype=dtype, kind=kind):
                    want = torch.from_numpy(elements.elements((40,), dtype, 3, kind)).to(getattr(torch, dtype))
                    self.assertTrue(torch.equal(make_input((40,), dtype, 3, kind).double(), want.double()))


@unittest.skipUnless(importlib.util.find_spec("tensorflow"), "needs TensorFlow")
class TensorFlow(unittest.TestCase):
    """tensorflow_evaluate.py."""

    def test_constants(self) -> None:
        from rulefuzz.frameworks.tensorflow_evaluate import constant, tf

        self.assertIs(constant("tf.float16"), tf.float16)
        self.assertEqual([constant(text) for text in ("-inf", "'a'", "[1, (2, None)]")], [-math.inf, "a", [1, (2, None)]])
        self.assertTrue(math.isnan(constant("nan")))
        for text in ("open('x')", "tf.nothing", "os"):
            with self.subTest(text), self.assertRaises((ValueError, AttributeError)):
                constant(text)


@unittest.skipUnless(importlib.util.find_spec("onnx") and importlib.util.find_spec("onnxruntime"), "needs onnx")
class Onnx(unittest.TestCase):
    """onnx_evaluate.py."""

    def test_constants(self) -> None:
        from rulefuzz.frameworks.onnx_evaluate import constant

        self.assertEqual([constant(text) for text in ("-inf", "'a'", "[1, 2.5]")], [-math.inf, "a", [1, 2.5]])
        self.assertTrue(math.isnan(constant("nan")))
        with self.assertRaises(ValueError):
            constant("open('x')")

    def test_sets_beside_other_domains(self) -> None:
        """Gelu's body has an Erf, which is of set 9."""
        from rulefuzz.frameworks.onnx_evaluate import oldest_opset, schema_and_opset

        for name, want in (("Gelu", 9), ("FusedMatMul", 1)):
            schema, _ = schema_and_opset(f"onnx.com_microsoft.{name}", {})
            self.assertEqual(oldest_opset([schema], ["float16"], ["float16"]), want)

    def test_attributes(self) -> None:
        """Every attribute type of ONNX operators, and no other."""
        from onnx import defs, helper, numpy_helper

        from rulefuzz.frameworks.onnx_evaluate import attribute

        types = defs.OpSchema.AttrType
        for kind, value, want in (
            (types.INT, -3, -3),
            (types.FLOAT, 0.5, 0.5),
            (types.STRING, "é", "é".encode()),
            (types.INTS, [3, -1], [3, -1]),
            (types.FLOATS, [0.5], [0.5]),
            (types.STRINGS, ["a", "b"], [b"a", b"b"]),
        ):
            with self.subTest(kind.name):
                made = attribute("x", kind, value)
                self.assertEqual((made.name, helper.get_attribute_value(made)), ("x", want))
        made = attribute("x", types.TENSOR, ("float64", [2, 1], [1.0, 2.0]))
        array = numpy_helper.to_array(made.t)
        self.assertEqual((array.dtype.name, array.tolist()), ("float64", [[1.0], [2.0]]))
        with self.assertRaisesRegex(Rejected, "attribute x has type"):
            attribute("x", types.GRAPH, None)

    def test_out_of_memory_is_no_answer(self) -> None:
        from rulefuzz.frameworks import onnx_evaluate

        broken = self.model()
        broken.graph.node[0].op_type = "MatMul"
        with self.assertRaisesRegex(Rejected, "^onnx: "):
            onnx_evaluate.infer(broken.SerializeToString())
        self.assertEqual(onnx_evaluate.inferred_outputs(onnx_evaluate.infer(self.model().SerializeToString())),
                         [([2, 3], "float32")])  # fmt: skip
        for error in (MemoryError(), RuntimeError("x: Failed to allocate memory")):
            with (
                self.subTest(error=error),
                unittest.mock.patch("onnx.onnx_cpp2py_export.shape_inference.infer_shapes", side_effect=error),
                self.assertRaisesRegex(Unanswered, "out of memory"),
            ):
                onnx_evaluate.infer(b"")

    def test_errors_of_onnxruntime(self) -> None:
        from rulefuzz.frameworks.onnx_evaluate import NoKernel, refusal

        for error, kind in (
            (RuntimeError("NOT_IMPLEMENTED : Could not find an implementation for Add(14)"), NoKernel),
            (RuntimeError("type 17 can't be converted to MLDataType"), NoKernel),
            (MemoryError(), Unanswered),
            (RuntimeError("Failed to allocate 9 bytes"), Unanswered),
            (RuntimeError("axis out of bounds"), Rejected),
        ):
            with self.subTest(error=error):
                self.assertIs(type(refusal(error)), kind)

    @staticmethod
    def model() -> Any:
        """Neg of a 2 x 3 matrix."""
        from onnx import TensorProto, helper

        infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy"]
        graph = helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "g", infos[:1], infos[1:])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


if __name__ == "__main__":
    unittest.main()

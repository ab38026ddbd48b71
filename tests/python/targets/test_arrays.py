"""onnx_arrays and onnx_evaluate with other versions of onnx and onnxruntime, by taking functions away."""

from __future__ import annotations

import importlib.util
import unittest
from unittest import mock

try:
    import numpy as np
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

INSTALLED = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime", "ml_dtypes"))


@unittest.skipUnless(INSTALLED, "onnx is not installed")
class Arrays(unittest.TestCase):
    """Arrays of all element types."""

    def test_types(self) -> None:
        """Element types and dtypes are the same as onnx's, which needs no table since 1.19."""
        from onnx import TensorProto, helper

        from rulefuzz.frameworks.onnx_arrays import numpy_type, type_of

        for name in ("FLOAT", "DOUBLE", "BOOL", "STRING", "COMPLEX64", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E5M2FNUZ",
                     "FLOAT8E8M0", "FLOAT4E2M1", "INT4", "UINT4"):  # fmt: skip
            with self.subTest(name):
                kind = getattr(TensorProto, name)
                self.assertEqual(numpy_type(kind), np.dtype(helper.tensor_dtype_to_np_dtype(kind)))
                self.assertEqual(type_of(numpy_type(kind)), kind)
        with self.assertRaises(NotImplementedError):
            type_of(np.dtype("datetime64[s]"))

    def test_protos(self) -> None:
        """Tensors of files have the same bytes as onnx's, and give the same array again."""
        import ml_dtypes
        from onnx import numpy_helper

        from rulefuzz.frameworks.onnx_arrays import array_from, proto_of

        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4", "float4_e2m1fn"):
            with self.subTest(name):
                array = np.array([[1, 0, 3], [2, 5, 6]], np.float32)[:, :3].astype(getattr(ml_dtypes, name))
                for part in (array, array[:1]):  # an odd number of elements, too
                    self.assertEqual(proto_of(part, "x"), numpy_helper.from_array(part, "x"))
                    np.testing.assert_array_equal(array_from(proto_of(part, "x")).view(np.uint8), part.view(np.uint8))

    def test_values(self) -> None:
        """OrtValues of types that numpy lacks: as bits, and before onnxruntime 1.20 as a constant of a model."""
        import ml_dtypes
        import onnxruntime

        from rulefuzz.frameworks.onnx_arrays import array_of, type_of, value_of

        class Old:
            """OrtValue as it was."""

            ortvalue_from_numpy = onnxruntime.OrtValue.ortvalue_from_numpy

        for name in ("float32", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
            array = np.array([[1, -2, 3]], np.float32).astype(getattr(ml_dtypes, name, name))
            for kind in (onnxruntime.OrtValue, Old):
                with self.subTest(name, kind=kind), mock.patch.object(onnxruntime, "OrtValue", kind):
                    value = value_of(array, type_of(array.dtype))
                    self.assertEqual(value.element_type(), type_of(array.dtype))
                    np.testing.assert_array_equal(array_of(value), array)

    def test_four_bits(self) -> None:
        """OrtValues with two elements in a byte."""
        import ml_dtypes
        from onnx import TensorProto

        from rulefuzz.frameworks.onnx_arrays import array_of, value_of

        for name, numbers in (("int4", [-8, 7, -1]), ("uint4", [0, 15, 8])):
            for shape in ((3,), (1, 2), (), (1, 1, 1), (0, 2)):
                with self.subTest(name, shape=shape):
                    array = np.resize(np.array(numbers), shape).astype(getattr(ml_dtypes, name))
                    value = value_of(array, getattr(TensorProto, name.upper()))
                    self.assertEqual(value.data_type(), f"tensor({name})")
                    again = array_of(value)
                    self.assertEqual((again.dtype, again.shape), (array.dtype, shape))
                    np.testing.assert_array_equal(again.astype(np.int8), array.astype(np.int8))

    def test_newest(self) -> None:
        """The newest operator set and file version that both packages support."""
        import onnx

        from rulefuzz.frameworks import onnx_evaluate as evaluate

        def newest(opset: int, ir_version: int, known: int = 28) -> tuple[int, int]:
            with (
                mock.patch.object(evaluate, "_reads", lambda o, i: o <= opset and i <= ir_version),
                mock.patch.object(onnx.defs, "onnx_opset_version", lambda: known),
            ):
                return evaluate._newest()

        self.assertEqual(newest(28, 14), (26, 10))
        self.assertEqual(newest(20, 9), (20, 9))
        self.assertEqual(newest(21, 10, known=19), (19, 10))
        self.assertEqual(newest(0, 0), (evaluate.FIRST_OPSET, evaluate.FIRST_IR_VERSION))
        self.assertEqual(evaluate._newest(), (evaluate.OPSET, evaluate.IR_VERSION))


if __name__ == "__main__":
    unittest.main()

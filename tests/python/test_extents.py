"""How adapters handle unusual elements, constants and errors: empty, infinite or sparse tensors, strings, objects of
other frameworks. Each runs in the environment of its framework."""

from __future__ import annotations

import importlib.util
import sys
import unittest
import unittest.mock
from types import ModuleType
from typing import Any

try:
    import numpy as np

    from rulefuzz import arrays, framework, sandbox, targets
    from rulefuzz.model import BadModel, Tensor
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

INF, NAN = float("inf"), float("nan")
EXTENTS: tuple[tuple[list[float], str, tuple[bool, Any, Any]], ...] = (
    ([1.0, -2.0, 3.0], "float32", (True, -2.0, 3.0)),
    ([1.0, INF, -4.0], "float16", (False, -4.0, 1.0)),
    ([INF, NAN], "float64", (False, None, None)),
    ([], "float32", (True, None, None)),
    ([7, 2], "uint8", (True, 2.0, 7.0)),
)


class Arrays(unittest.TestCase):
    """arrays.py, for adapters with numpy tensors."""

    def test_extents(self) -> None:
        for items, dtype, want in (*EXTENTS, ([1 + 2j, -3j], "complex64", (True, -3.0, 2.0))):
            self.assertEqual(arrays.extent(np.array(items, dtype)), want)

    def test_shaking(self) -> None:
        """Integers stay the same, floats move by a few ulp. A lean moves all but zeros away from zero or towards it."""
        whole = np.arange(5)
        self.assertIs(arrays.shaker(1)(whole, "int64"), whole)
        floats = np.array([0.0, 1.0, -2.0, 3.0], np.float32)
        out, back = (arrays.shaker(1, lean)(floats, "float32") for lean in (1.0, -1.0))
        self.assertEqual(np.sign(abs(out) - abs(floats)).tolist(), [0, 1, 1, 1])
        self.assertEqual(np.sign(abs(back) - abs(floats)).tolist(), [0, -1, -1, -1])
        moved = arrays.shaker(1)(floats, "float32")
        self.assertTrue((moved != floats).any() and np.allclose(moved, floats, 1e-5, 0))
        turned = arrays.shaker(1)(np.array([-1 + 0j, 2], np.complex64), "complex64")
        self.assertTrue(turned.imag.all() and np.allclose(turned, [-1, 2], 1e-5, 0))
        empty = arrays.shaker(1, 1.0)(np.zeros((0, 2), np.float16), "float16")
        self.assertEqual((empty.shape, empty.dtype.name), ((0, 2), "float16"))


class Adapters(unittest.TestCase):
    """One framework."""

    name = ""
    constants: tuple[str, ...] = ()

    def setUp(self) -> None:
        self.adapter = framework.load(self.name)

    def inside(self, work: Any) -> Any:
        """The result of a function that runs in a child with the framework loaded."""

        def entered() -> Any:
            self.adapter.enter()
            return work()

        value, end = sandbox.call(entered, sandbox.Limits(wall=120), output="")
        self.assertEqual(end.how, "")
        return value

    def test_extents(self) -> None:
        def work() -> Any:
            made = [self.adapter.elements(items, dtype) for items, dtype, _ in EXTENTS]
            return [(self.adapter.extent(t), self.adapter.finite(t)) for t in made]

        self.assertEqual(self.inside(work), [(want, want[0]) for _, _, want in EXTENTS])

    def test_constants(self) -> None:
        """Literals and names of dtypes are constants; all other names are rejected."""
        module = {"torch": "torch", "tensorflow": "tf", "onnx": "onnx"}[self.name]
        for text in ("load", "os", "nothing", "float31", "float32.__class__", "io.read_file", "Tensor"):
            with self.subTest(text), self.assertRaises(BadModel):
                self.adapter.constant(f"{module}.{text}")
        self.assertEqual([self.adapter.constant(text).value for text in ("1.5", "'a'", "-inf", "None")], [1.5, "a", -INF, None])
        for text in self.constants:
            self.assertEqual(self.adapter.constant(text).text, text)

    def test_unknown_apis(self) -> None:
        for api in {"torch": ("torch.nothing", "torch.nn.functional.nothing", "torch.Tensor", "torch.fft", "torch.pi"),
                    "tensorflow": ("tf.raw_ops.Nothing", "tf.math.Add", "tf.Roll"),
                    "onnx": ("onnx.Nothing", "onnx.Add_99", "onnx", "onnx.Add-1")}[self.name]:  # fmt: skip
            with self.subTest(api), self.assertRaises(BadModel):
                self.adapter.resolve(api)

    def test_widening(self) -> None:
        """Constants that name a narrow float are widened, others are not."""

        def work() -> Any:
            return [str(self.adapter.widened_constant("dtype", self.adapter.constant(text)).text) for text in self.constants]

        self.assertEqual(self.inside(work), [text.replace("float16", "float64").replace("float32", "float64")
                                             for text in self.constants])  # fmt: skip

    def test_results_that_are_no_tensors(self) -> None:
        """A target may return any object: that is a different layout, not an exception."""
        self.assertEqual([self.adapter.seen(x)[0] for x in (None, 3, [1])], ["NoneType", "int", "list"])


class Torch(Adapters):
    """torch."""

    name, constants = "torch", ("torch.float32", "torch.float16", "torch.int8", "torch.bool")

    def test_sparse_tensors(self) -> None:
        """Sparse tensors have a different layout; they have no extent or places and are not moved."""
        import torch

        made = torch.eye(3).to_sparse()
        self.assertEqual((self.adapter.seen(made)[0], self.adapter.extent(made)), ("torch.sparse_coo", (True, None, None)))
        self.assertTrue(self.adapter.finite(made) and self.adapter.places(made) == set())
        self.assertIs(self.adapter.shaker(1)(made), made)
        copy = self.adapter.copy(made)
        self.assertTrue(copy is not made and torch.equal(copy.to_dense(), made.to_dense()))

    def test_data_dependent_sizes(self) -> None:
        """A compiler may assume that an unknown size is not 1, which is unsupported. An error about a known size is
        not."""
        for size, wanted in (("u0", True), ("3", False)):
            known = f"The size of tensor a (2) must match the size of tensor b ({size}) at non-singleton dimension 0"
            for said in (known, f"Attempting to broadcast a dimension of length {size} at -1!"):
                self.assertEqual(self.adapter.is_unsupported(RuntimeError(said)), wanted)

    def test_wrapped_errors(self) -> None:
        """The description is of the backend's exception, not of dynamo's wrapper. A wrapped NotImplementedError is
        unsupported."""
        outer = RuntimeError("backend failed")
        outer.inner_exception = NotImplementedError("x")  # type: ignore[attr-defined]
        self.assertEqual(self.adapter.described(outer)["type"], "NotImplementedError")
        self.assertTrue(self.adapter.is_unsupported(outer))
        outer.inner_exception = "no exception"  # type: ignore[attr-defined]
        self.assertEqual(self.adapter.described(outer)["type"], "RuntimeError")


class TensorFlow(Adapters):
    """TensorFlow."""

    name, constants = "tensorflow", ("tf.float32", "tf.float16", "tf.int8", "tf.string")

    def test_strings_and_quantized_dtypes(self) -> None:
        def work() -> Any:
            words = self.adapter.seeded(Tensor(0, (2,), "string", "small"), 3)
            quantized = self.adapter.seeded(Tensor(0, (20,), "qint8", "small"), 3)
            plain = self.adapter.seeded(Tensor(0, (20,), "int8", "small"), 3)
            return (self.adapter.extent(words), self.adapter.finite(words), self.adapter.extent(quantized)
                    == self.adapter.extent(plain), self.adapter.describe(quantized))  # fmt: skip

        self.assertEqual(self.inside(work), ((True, None, None), True, True, ((20,), "qint8")))

    def test_graph_construction_errors(self) -> None:
        """Targets report the operator that fails while the graph is built, without names that would make each message
        unique. The same error is not a fault of XLA or LiteRT, which also build graphs. LiteRT's interpreter is a
        stand-in here."""
        from rulefuzz.frameworks.tensorflow_evaluate import tf

        def refuses(x: Any) -> Any:
            return [tf.raw_ops.MatMul(a=x, b=x)]

        def runs(x: Any) -> Any:
            return [tf.raw_ops.Neg(x=x)]

        def unknown(x: Any) -> Any:
            return [tf.raw_ops.Betainc(a=x, b=x, x=x)]

        def work() -> list[str]:
            said, stand_in = [], ModuleType("ai_edge_litert.interpreter")
            stand_in.Interpreter = lambda *a, **k: None  # type: ignore[attr-defined]
            package = {"ai_edge_litert": ModuleType("ai_edge_litert"), "ai_edge_litert.interpreter": stand_in}
            x = tf.constant([[1.0, 2.0, 3.0]])
            for name in ("tensorflow-graph", "tensorflow-xla", "litert"):
                for function in (refuses, runs, unknown):
                    with unittest.mock.patch.dict(sys.modules, package):
                        try:
                            got = targets.load(name).compile(function, [x], lambda stage: None)
                            said.append(str(got(x)[0].numpy().tolist()) if function is runs else "")
                        except Exception as error:
                            said.append(f"{type(error).__name__}: {error}"[:90])
            return said

        found = self.inside(work)
        rejected = "tf.function rejects MatMul"
        self.assertRegex(found[0], f"^ValueError: {rejected}: Dimensions must be equal, but are 3 and 1$")
        self.assertEqual(found[1:5], ["[[-1.0, -2.0, -3.0]]", "", f"NotImplementedError: {rejected}", "[[-1.0, -2.0, -3.0]]"])
        self.assertEqual(found[6], f"NotImplementedError: {rejected}")
        self.assertEqual(found[8], "NotImplementedError: LiteRT has no Betainc")


class Onnx(Adapters):
    """ONNX."""

    name = "onnx"

    def test_errors_of_onnxruntime(self) -> None:
        """Missing kernels, lack of memory and rejected calls."""
        from rulefuzz.framework import Rejected, Unanswered
        from rulefuzz.frameworks import onnx_evaluate as evaluate

        for error, kind in ((RuntimeError("Could not find an implementation for Abs(13)"), evaluate.NoKernel),
                            (RuntimeError("Failed to allocate memory"), Unanswered), (MemoryError(), Unanswered),
                            (RuntimeError("x can't be converted to MLDataType"), evaluate.NoKernel),
                            (RuntimeError("Invalid axis"), Rejected)):  # fmt: skip
            self.assertIs(type(evaluate.refusal(error)), kind)

    def test_contradicting_shape_inference(self) -> None:
        from rulefuzz.frameworks.onnx_evaluate import contradicts

        for dims, true, want in ((None, [2], False), ([None, 3], [2, 3], False), ([None, 3], [2, 4], True), ([2], [2, 1], True),
                                 ([], [], False)):  # fmt: skip
            self.assertEqual(contradicts(dims, true), want)

    def test_element_types_among_constants(self) -> None:
        """Constants that name a narrow float are widened in dtype attributes, and nowhere else."""
        from rulefuzz.model import Const

        wide = self.adapter.widened_constant
        self.assertEqual([wide(name, value) for name, value in (("to", 1), ("to", 10), ("dtype", 16), ("to", 7), ("axis", 1),
                                                                ("to", 9999), ("to", Const(1, "1")), ("to", "x"))],
                         [11, 11, 11, 7, 1, 9999, 11, "x"])  # fmt: skip


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """The tests of the installed frameworks."""
    suite = unittest.TestSuite([loader.loadTestsFromTestCase(Arrays)])
    for case in (Torch, TensorFlow, Onnx):
        if importlib.util.find_spec({"onnx": "onnxruntime"}.get(case.name, case.name)):
            suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

"""How each adapter handles names, tensors and the oracle's functions; run in the virtual environment of its
framework."""

from __future__ import annotations

import importlib
import importlib.util
import unittest
import unittest.mock
from types import ModuleType
from typing import Any

if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("no numpy")

import numpy as np

from rulefuzz import framework, sandbox, table, targets
from rulefuzz.framework import Seen
from rulefuzz.model import BadModel, Json, Reader, Tensor
from rulefuzz.oracle import compare
from rulefuzz.oracle.check import Check, Clock, Reference
from rulefuzz.oracle.rounding import Casts, wide_run

HOSTILE = {
    "torch": "torch.load torch.save torch.hub.load torch.from_file torch.ops.load_library torch.os.system torch.classes.x "
    "torch._C._jit_clear_class_registry torch.Tensor.__class__ torch.Tensor.__reduce_ex__ torch.Tensor.share_memory_ "
    "torch.utils.cpp_extension.load torch.serialization.os.system torch.compile torch.Tensor.numpy".split(),
    "tensorflow": "tf.raw_ops.WriteFile tf.raw_ops.ReadFile tf.raw_ops.PyFunc tf.io.read_file tf.raw_ops.__dict__".split(),
    "onnx": "onnx.Loop onnx.load onnx.helper onnx.Add_6666 onnx.__init__ onnx.checker.check_model".split(),
    "jax": "jax.numpy.save jax.numpy.load jax.debug.callback jax.pure_callback jax.numpy.ndarray".split(),
}
MODULES = {"torch": "torch", "tensorflow": "tensorflow", "onnx": "onnxruntime", "jax": "jax"}


class Adapter(unittest.TestCase):
    """One framework. Its calls run in a child, since TensorFlow must not be called before a fork."""

    name = ""

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

    def test_hostile_names(self) -> None:
        reader = Reader(self.adapter)
        for name in HOSTILE[self.name]:
            node = {"api": name, "args": [], "outputs": []}
            with self.subTest(name), self.assertRaises(BadModel):
                reader.model({"inputs": [], "nodes": [node], "outputs": []})

    def test_all_recorded_names(self) -> None:
        for api in sorted(table.apis(self.name)):
            self.assertIsNotNone(self.adapter.resolve(api), api)

    def test_dtypes(self) -> None:
        self.assertTrue(self.adapter.has_dtype("float32") and self.adapter.has_dtype("bfloat16"))
        for name in ("float31", "Tensor", "load", "", "__doc__", "os"):
            self.assertFalse(self.adapter.has_dtype(name), name)

    def test_elements_are_as_documented(self) -> None:
        """Tensors have the requested shape and dtype and are read in the widest dtype. Widening and narrowing
        restores them."""

        def work() -> list[Any]:
            found: list[Any] = []
            for i, dtype in enumerate(("float32", "bfloat16", "int8", "uint16", "bool", "complex64")):
                made = self.adapter.seeded(Tensor(i, (2, 3), dtype, "small"), 7)
                seen = self.adapter.seen(made)
                back = self.adapter.seen(self.adapter.narrowed(self.adapter.widened(made), dtype))
                copied = self.adapter.seen(self.adapter.copy(made))
                same = compare.same(seen, back) and compare.same(seen, copied)
                found.append((self.adapter.describe(made), seen[:3], str(seen[3].dtype).split(".")[-1], same))
            return found

        for found, dtype, wide in zip(self.inside(work), ("float32", "bfloat16", "int8", "uint16", "bool", "complex64"),
                                      ("float64", "float64", "int8", "uint16", "bool", "complex128"), strict=True):  # fmt: skip
            self.assertEqual(found, (((2, 3), dtype), ("", (2, 3), dtype), wide, True))

    def test_shaking_moves_by_less_than_the_tolerance(self) -> None:
        def work() -> tuple[bool, bool, str, bool]:
            made = self.adapter.seeded(Tensor(1, (40,), "float32", "small"), 7)
            whole = self.adapter.seeded(Tensor(2, (40,), "int32", "small"), 7)
            before = self.adapter.seen(made)
            shaken = self.adapter.seen(self.adapter.shaker(3)(self.adapter.copy(made)))
            same = compare.same(self.adapter.seen(whole), self.adapter.seen(self.adapter.shaker(3)(whole)))
            kept = compare.same(before, self.adapter.seen(made))
            return kept, compare.same(before, shaken), compare.difference(shaken, before, 1e-3, 1e-2), same

        self.assertEqual(self.inside(work), (True, False, "", True))

    def test_shaking_leaves_extreme_numbers(self) -> None:
        """They stand for infinity, so that they neither move nor decide how far others do."""

        def work() -> list[tuple[list[float], bool]]:
            found, extreme = [], float(np.finfo(np.float32).max)
            for lean in (1.0, -1.0, 0.0):
                made = self.adapter.elements([-extreme, 1.0, 2.0, extreme, float("inf")], "float32")
                moved = self.adapter.seen(self.adapter.shaker(3, lean)(made))[3].tolist()
                near = all(0 < abs(one - other) < 1e-5 for one, other in zip(moved[1:3], (1.0, 2.0), strict=True))
                found.append(([*moved[:1], *moved[3:]], near))
            return found

        extreme = float(np.finfo(np.float32).max)
        self.assertEqual(self.inside(work), [([-extreme, extreme, float("inf")], True)] * 3)

    def test_the_reference_runs_the_warm_up(self) -> None:
        def work() -> Json:
            reference = Reference(self.adapter, Reader(self.adapter).model(self.adapter.warm_up()))
            reference.run()
            outputs = [self.adapter.describe(t) for t in reference.wanted(reference.model.outputs)]
            return outputs, reference.differing(), [reference.settled(i) for i in reference.model.outputs]

        outputs, node, settled = self.inside(work)
        self.assertTrue(outputs and all(dtype == "float32" for _, dtype in outputs))
        self.assertEqual((node, set(settled)), (None, {True}))

    def test_constants_belong_to_the_target(self) -> None:
        """A subject takes the inputs, contains the constants, and returns the reference's results; with other
        constants it differs."""
        module = importlib.import_module(f"rulefuzz.frameworks.{self.name}")

        def work() -> list[tuple[int, bool]]:
            found = []
            for other in (0, 1):
                item = self.adapter.warm_up()
                shape, dtype = item["inputs"][0]["shape"], item["inputs"][0]["dtype"]
                fed = len(item["inputs"]) - 1 or 1
                item["inputs"] += [] if len(item["inputs"]) > 1 else [{"id": 9, "shape": shape, "dtype": dtype}]
                item["inputs"][-1]["constant"] = True
                refs = [arg["value"] for arg in item["nodes"][0]["args"]]
                refs[-1]["ref"] = item["inputs"][-1]["id"]
                reference = Reference(self.adapter, Reader(self.adapter).model(item))
                reference.run()
                item["values"] = other
                model = Reader(self.adapter).model(item)
                taken = self.adapter.arguments(model, reference.inputs)
                returned = module.reference(self.adapter.subject(model, reference.results, model.outputs), taken)
                wanted = reference.wanted(model.outputs)
                same = [compare.same(*map(self.adapter.seen, pair)) for pair in zip(returned, wanted, strict=False)]
                found.append((len(taken) - fed, all(same)))
            return found

        self.assertEqual(self.inside(work), [(0, True), (0, False)])

    def test_errors(self) -> None:
        self.assertTrue(self.adapter.is_unsupported(NotImplementedError("x")))
        self.assertTrue(self.adapter.is_memory(RuntimeError("std::bad_alloc")))
        self.assertFalse(self.adapter.is_unsupported(ValueError("wrong")) or self.adapter.is_memory(ValueError("wrong")))


class Torch(Adapter):
    """torch."""

    name = "torch"

    def test_comparison_is_that_of_numpy(self) -> None:
        """The function runs on torch tensors, as in a script, and on numpy arrays, as in the worker's unit tests."""
        import torch

        one = np.random.default_rng(1).standard_normal((5, 7)) * np.array([1, 1e-4, 1e4, np.inf, np.nan, 0, 1])
        other = one * (1 + np.random.default_rng(2).standard_normal((5, 7)) / 50)
        with np.errstate(all="ignore"):
            want = compare.difference(("", (5, 7), "float32", one), ("", (5, 7), "float32", other), 1e-3, 1e-2)
        ours: list[Seen] = [("", (5, 7), "float32", torch.from_numpy(array)) for array in (one, other)]
        got = compare.difference(ours[0], ours[1], 1e-3, 1e-2)
        self.assertRegex(want, r"^\d+ of 35 elements")
        self.assertEqual(got, want)
        close = torch.isclose(torch.from_numpy(one), torch.from_numpy(other), rtol=1e-2, atol=1e-3, equal_nan=True)
        self.assertEqual(
            compare.differing(torch.from_numpy(one), torch.from_numpy(other), 1e-3, 1e-2).tolist(), (~close).tolist()
        )


class TensorFlow(Adapter):
    """TensorFlow."""

    name = "tensorflow"

    def test_raw_operators_only(self) -> None:
        for api in ("tf.io.read_file", "tf.nn.relu", "tf.raw_ops.None", "tf.raw_ops.io.x"):
            with self.subTest(api), self.assertRaises(BadModel):
                self.adapter.resolve(api)


class Jax(Adapter):
    """JAX."""

    name = "jax"

    def test_float64_on_request(self) -> None:
        """JAX truncates float64 by default: only the float64 run enables it, from its inputs to its outputs."""

        def work() -> list[str]:
            model = Reader(self.adapter).model(self.adapter.warm_up())
            inputs = self.adapter.inputs(model)
            narrow = inputs | {1: self.adapter.call(model.nodes[0], inputs)}
            runs = [wide_run(self.adapter, model, inputs, Casts(self.adapter, None), narrow), narrow]
            return [self.adapter.describe(values[i])[1] for values in runs for i in sorted(values)]

        self.assertEqual(self.inside(work), ["float64"] * 3 + ["float32"] * 2)

    def test_whole_model_under_jit(self) -> None:
        """The whole model under jax.jit agrees with the reference, unless one of its calls is changed."""

        def work() -> list[str]:
            right, wrong = targets.load("jax-jit"), ModuleType("target")

            def compile_wrongly(function: Any, example: Any, stage: Any) -> Any:
                with unittest.mock.patch("jax.numpy.add", importlib.import_module("jax").numpy.subtract):
                    return right.compile(function, example, stage)

            wrong.compile = compile_wrongly  # type: ignore[attr-defined]
            item = self.adapter.warm_up()
            item["outputs"] = [1, 2]
            model = Reader(self.adapter).model(item)
            both = right, targets.Target("wrong", wrong)
            return [Check(self.adapter, target, model, Clock(lambda stage: None)).run()["verdict"] for target in both]

        self.assertEqual(self.inside(work), ["ok", "inconsistency"])


class Onnx(Adapter):
    """ONNX."""

    name = "onnx"

    def test_scalars_of_exotic_dtypes_stay_scalars(self) -> None:
        def work() -> Json:
            tensor = {"id": 0, "shape": [], "dtype": "bfloat16"}
            args = [{"name": "input", "pos": True, "value": {"ref": 0}}, {"name": "to", "pos": False, "value": {"const": "1"}}]
            node = {"api": "onnx.Cast", "args": args, "outputs": [{"id": 1, "shape": [], "dtype": "float32"}]}
            item = {"inputs": [tensor], "nodes": [node], "outputs": [1]}
            reference = Reference(self.adapter, Reader(self.adapter).model(item))
            reference.run()
            return [self.adapter.describe(t) for t in reference.values.values()]

        self.assertEqual(self.inside(work), [((), "bfloat16"), ((), "float32")])

    def test_sessions_are_reused(self) -> None:
        """One session per call, shape and dtype, whatever the elements; sessions of random calls are not kept."""

        def node(api: str, *named: tuple[str, str], out: int = 1) -> Json:
            args = [{"name": "X", "pos": True, "value": {"ref": 0}}]
            args += [{"name": name, "pos": False, "value": {"const": value}} for name, value in named]
            return {"api": api, "args": args, "outputs": [{"id": out, "shape": [3], "dtype": "float32"}]}

        def work() -> Json:
            nodes = [node("onnx.LeakyRelu", ("alpha", "0.5")), node("onnx.LeakyRelu", ("alpha", "0.25"), out=2),
                     node("onnx.RandomUniformLike_1", ("seed", "3.0"), out=3)]  # fmt: skip
            item = {"inputs": [{"id": 0, "shape": [3], "dtype": "float32"}], "nodes": nodes, "outputs": [1, 2, 3]}
            half, quarter, random = Reader(self.adapter).model(item).nodes

            def run(call: Any, array: Any) -> Any:
                return array_of(self.adapter.run_again(call, {0: array})[0]).tolist()

            once = np.array([-4, 0, 2], np.float32)
            run(half, once)
            (first,) = [call.session for call in self.adapter._kept.values()]  # type: ignore[attr-defined]
            found = [run(half, once), run(half, once * 2), run(quarter, once), run(half, once[:2]),
                     run(half, once.astype(np.float64))]  # fmt: skip
            sessions = [call.session for call in self.adapter._kept.values()]  # type: ignore[attr-defined]
            return found, len(sessions), sessions[0] is first, run(random, once) == run(random, once)

        from rulefuzz.frameworks.onnx_arrays import array_of

        wanted = [[-2, 0, 2], [-4, 0, 4], [-1, 0, 2], [-2, 0], [-2, 0, 2]]
        self.assertEqual(self.inside(work), (wanted, 4, True, True))


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """The tests of the installed frameworks."""
    suite = unittest.TestSuite()
    for case in (Torch, TensorFlow, Onnx, Jax):
        if importlib.util.find_spec(MODULES[case.name]):
            suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

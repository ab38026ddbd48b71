"""With JAX: calls are lowered, judged and run. Skipped if jax cannot be imported."""

import importlib.util
import math
import unittest
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulefuzz.framework import Unanswered
from traces.collect.call.arglist import ranges
from traces.collect.call.spec import TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import NotTensors
from traces.collect.judge.verdict import FAIL, PASS, judge

HAVE_JAX = importlib.util.find_spec("jax") is not None


def floats(*dims: int) -> TensorSpec:
    """An array of floats."""
    return TensorSpec(dims, "float32")


@unittest.skipUnless(HAVE_JAX, "jax is not installed here")
class Jax(unittest.TestCase):
    """frameworks.jax."""

    adapter: Any

    @classmethod
    def setUpClass(cls) -> None:
        """One adapter for all."""
        from traces.collect.frameworks.jax.adapter import JaxAdapter

        cls.adapter = JaxAdapter()

    def verdict(self, api: str, arguments: Sequence[tuple[str, bool, object]], values: Values | None = None) -> str:
        """The verdict on a call, with its own or with other values."""
        call = symbolise(api, arguments)
        compiled = self.adapter.compile(api, call.args)
        return judge(self.adapter, compiled, values or call.values, None, ranges(call.args)).kind

    def test_verdicts(self) -> None:
        """A broadcast, mismatches, a shape given as an argument."""
        pair = [("x", True, floats(2, 3)), ("y", True, floats(2, 3))]
        self.assertEqual(self.verdict("jax.numpy.add", pair, (2, 3, 1, 3)), PASS)
        self.assertEqual(self.verdict("jax.numpy.add", pair, (2, 3, 2, 2)), FAIL)
        self.assertEqual(self.verdict("jax.numpy.matmul", pair, (2, 3, 3, 9)), PASS)
        self.assertEqual(self.verdict("jax.numpy.matmul", pair, (2, 3, 1, 3)), FAIL)
        shaped = [("operand", True, floats(2, 6)), ("new_sizes", True, [3, 4])]
        call = symbolise("jax.lax.reshape", shaped)
        compiled = self.adapter.compile(call.api, call.args)
        kinds = [judge(self.adapter, compiled, (2, 6, 12, size), None, ranges(call.args)).kind for size in (1, 2)]
        self.assertEqual(kinds, [PASS, FAIL])  # tracing accepts both

    def test_lowered_as_run(self) -> None:
        """Lowering gives the shapes that a run returns; a call that cannot be traced is run."""
        call = symbolise("jax.lax.top_k", [("operand", True, floats(3, 6)), ("k", True, 2)])
        compiled = self.adapter.compile(call.api, call.args)
        self.assertEqual(self.adapter.run(compiled, call.values, "normal"), (((3, 2), "float32"), ((3, 2), "int32")))
        ran = self.adapter.ran(compiled, call.values, "normal")
        self.assertEqual([(array.shape, array.dtype.name) for array in ran], [((3, 2), "float32"), ((3, 2), "int32")])
        self.assertTrue(self.adapter.deterministic(compiled, call.values))
        found = symbolise("jax.numpy.nonzero", [("a", True, floats(4))])
        compiled = self.adapter.compile(found.api, found.args)
        self.assertEqual(self.adapter.run(compiled, found.values, "zeros"), (((0,), "int32"),))
        self.assertEqual(self.adapter.run(compiled, found.values, "ones"), (((4,), "int32"),))

    def test_dtypes_that_are_not(self) -> None:
        """64-bit dtypes become 32-bit ones here: no verdict."""
        call = symbolise("jax.numpy.exp", [("x", True, TensorSpec((2,), "float64"))])
        with self.assertRaises(Unanswered):
            self.adapter.run(self.adapter.compile(call.api, call.args), call.values, "normal")

    def test_lists_are_tuples(self) -> None:
        """Lists of numbers are hashed by some functions; lists of arrays stay lists."""
        normed = [("x", True, floats(2, 3)), ("axis", False, [0, 1])]
        self.assertEqual(self.verdict("jax.numpy.linalg.norm", normed), PASS)
        self.assertEqual(self.verdict("jax.numpy.block", [("arrays", True, [floats(2), floats(3)])]), PASS)

    def test_weak_types(self) -> None:
        """A result whose dtype gives way to that of other arrays is none; a number beside an array gives way to it."""
        filled = symbolise("jax.numpy.full", [("shape", True, [2]), ("fill_value", True, 1.0)])
        with self.assertRaisesRegex(NotTensors, "weakly typed"):
            self.adapter.run(self.adapter.compile(filled.api, filled.args), filled.values, "normal")
        added = symbolise("jax.numpy.add", [("x", True, TensorSpec((2,), "bfloat16")), ("y", True, 2.0)])
        run = self.adapter.run(self.adapter.compile(added.api, added.args), added.values, "normal")
        self.assertEqual(run, (((2,), "bfloat16"),))

    def test_values(self) -> None:
        """Elements of a class, and what the outputs hold."""
        from traces.collect.frameworks.jax.values import Looking

        looking = Looking()
        call = symbolise("jax.numpy.log", [("x", True, floats(2, 3))])
        compiled = looking.compile(call.api, call.args)
        (seen,) = looking.run(compiled, call.values, "0h")
        self.assertEqual((seen.dims, seen.dtype, seen.finite), ((2, 3), "float32", True))
        self.assertAlmostEqual(seen.high, math.log(0.9), 5)
        self.assertFalse(looking.run(compiled, call.values, "2z")[0].finite)

    def test_public(self) -> None:
        """Hundreds of functions; those that take functions or return them have a reason."""
        from traces.collect.frameworks.jax import public

        found = public.functions()
        self.assertGreater(len(found), 800)
        self.assertIn("jax.scipy.stats.norm.pdf", found)
        self.assertEqual([p.name for p in public.parameters("jax.numpy.add")], ["x", "y"])
        self.assertEqual(public.obstacle("jax.lax.reduce"), "takes a function: computation")
        self.assertEqual(public.obstacle("jax.nn.initializers.zeros"), None)
        self.assertEqual(public.obstacle("jax.nn.initializers.he_normal"), "returns a function")

    def test_probe(self) -> None:
        """Calls made from annotations: keys, axes, texts of the documentation."""
        from traces.collect.frameworks.jax import probe

        for api, names in (("jax.random.normal", {"key", "shape"}), ("jax.numpy.argsort", {"a", "axis"})):
            calls = probe.probe(self.adapter, api, Counter())
            self.assertGreater(len(calls), 5)
            self.assertLessEqual(names, {arg["name"] for call in calls for arg in call.args})
        self.assertIn("nearest", probe.words("jax.image.resize", "str"))
        dropped: Counter[tuple[str, str]] = Counter()
        self.assertEqual(probe.probe(self.adapter, "jax.numpy.ndim", dropped), [])
        self.assertEqual(list(dropped), [("", "an output is weakly typed: calls on it promote as on a Python number")])

    def test_docs(self) -> None:
        """The calls of a docstring's examples."""
        from traces.collect.frameworks.jax import docs

        calls = docs.calls("jax.numpy.moveaxis")
        self.assertGreater(len(calls), 1)
        fixed = [arg["value"] for arg in calls[0].args if arg["name"] == "source"]
        self.assertIn("const", str(fixed))


if __name__ == "__main__":
    unittest.main()

"""With JAX: the targets jax-vmap and jax-grad, and what they find in functions with planted faults. Skipped if jax cannot be
imported."""

import importlib.util
import math
import unittest
from typing import Any

try:
    from rulefuzz.targets import jax_grad, jax_vmap
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

HAVE_JAX = importlib.util.find_spec("jax") is not None


class Slopes(unittest.TestCase):
    """jax_grad.slopes."""

    def test_kinks_have_none(self) -> None:
        """A smooth function has a slope; a kink, a jump and a pole have none."""
        found = jax_grad.slopes(lambda x: math.sin(x) + 2 * x)
        assert found is not None
        self.assertAlmostEqual(found[0], 3.0, places=4)
        self.assertLess(found[1], 0.01)
        self.assertIsNone(jax_grad.slopes(abs))
        self.assertIsNone(jax_grad.slopes(lambda x: float(x >= 0)))
        self.assertIsNone(jax_grad.slopes(lambda x: math.inf if x > 0 else 0.0))


@unittest.skipUnless(HAVE_JAX, "jax is not installed here")
class Jax(unittest.TestCase):
    """The targets."""

    def inputs(self) -> list[Any]:
        """Two arrays of floats."""
        import jax

        return [jax.numpy.array([[1.0, -2.0, 0.5], [0.25, 3.0, 4.0]]), jax.numpy.array([1.5, 2.0, -1.0])]

    def test_lists_in_scripts(self) -> None:
        """Lists of numbers are written as tuples, lists of arrays as lists."""
        from rulefuzz.frameworks.jax import DIALECT
        from rulefuzz.model import Ref
        from rulefuzz.script.source import _text

        self.assertEqual(_text([2, [3]], DIALECT), "(2, (3,))")
        self.assertEqual(_text([Ref(1), Ref(2)], DIALECT), "[v1, v2]")

    def test_right_gradient(self) -> None:
        """A gradient that is right, also beside integer results and at kinks."""
        import jax

        def model(x: Any, y: Any) -> Any:
            return jax.numpy.sin(x) * y, jax.numpy.argmax(x, 1), jax.nn.relu(x - x)

        run = jax_grad.compile(model, self.inputs(), lambda stage: None)
        self.assertEqual(run(*self.inputs())[1].tolist(), [0, 2])

    def test_wrong_gradient(self) -> None:
        """A custom gradient with a wrong factor."""
        import jax

        twice = jax.custom_vjp(lambda x: 2 * x)
        twice.defvjp(lambda x: (2 * x, None), lambda _, g: (3 * g,))
        run = jax_grad.compile(lambda x, y: (twice(x) + y,), self.inputs(), lambda stage: None)
        with self.assertRaisesRegex(ArithmeticError, "numeric difference"):
            run(*self.inputs())

    def test_batches(self) -> None:
        """The batched model gives the results of one; a batching rule that mixes the batch does not."""
        import jax

        def model(x: Any, y: Any) -> Any:
            return jax.numpy.cumsum(x, 1) + y, y.sum()

        results = jax_vmap.compile(model, self.inputs(), lambda stage: None)(*self.inputs())
        self.assertEqual([result.tolist() for result in results], [r.tolist() for r in model(*self.inputs())])

        shifted = jax.custom_batching.custom_vmap(lambda x: x)
        shifted.def_vmap(lambda size, batched, x: (jax.numpy.roll(x, 1, 0), True))
        results = jax_vmap.compile(lambda x, y: (shifted(x),), self.inputs(), lambda stage: None)(*self.inputs())
        self.assertNotEqual(results[0].tolist(), self.inputs()[0].tolist())


if __name__ == "__main__":
    unittest.main()

"""With PyTorch at hand: calls are rebuilt and judged as they are. Skipped where torch does not import."""

import importlib.util
import unittest
from collections.abc import Sequence
from typing import Any

from traces.collect.oracle import FAIL, MIXED, OTHER, PASS, judge
from traces.collect.symbolise import TensorSpec, Values, symbolise

HAVE_TORCH = importlib.util.find_spec("torch") is not None


@unittest.skipUnless(HAVE_TORCH, "torch is not installed here")
class Torch(unittest.TestCase):
    """torch_oracle and the naming of arguments in torch_names."""

    oracle: Any

    @classmethod
    def setUpClass(cls) -> None:
        """One oracle for all."""
        from traces.collect.torch_oracle import TorchOracle

        cls.oracle = TorchOracle()

    def verdict(self, api: str, arguments: Sequence[tuple[str, bool, object]], values: Values | None = None) -> str:
        """The verdict on a call, with its own or with other values."""
        call = symbolise(api, arguments)
        compiled = self.oracle.compile(api, call.args)
        outputs = self.oracle.run(compiled, call.values, "zeros")
        types = [(len(dims), dtype) for dims, dtype in outputs]
        return judge(self.oracle, compiled, values or call.values, types).kind

    def test_verdicts(self) -> None:
        """A broadcast, a mismatch, an index that depends on elements, a squeeze to another rank."""
        pair = [("input", True, TensorSpec((2, 3), "float32")), ("other", True, TensorSpec((2, 3), "float32"))]
        self.assertEqual(self.verdict("torch.add", pair, (2, 3, 1, 3)), PASS)
        self.assertEqual(self.verdict("torch.add", pair, (2, 3, 2, 2)), FAIL)
        take = [("input", True, TensorSpec((4,), "float32")), ("index", True, TensorSpec((2,), "int64"))]
        self.assertEqual(self.verdict("torch.take", take), MIXED)
        squeeze = [("input", True, TensorSpec((1, 3), "float32"))]
        self.assertEqual(self.verdict("torch.squeeze", squeeze, (2, 3)), OTHER)

    def test_methods_and_keywords(self) -> None:
        """torch.Tensor.NAME takes the tensor first."""
        call = symbolise("torch.Tensor.sum", [("self", True, TensorSpec((2, 3), "float32")), ("dim", False, 1)])
        compiled = self.oracle.compile(call.api, call.args)
        self.assertEqual(self.oracle.run(compiled, call.values, "normal"), (((2,), "float32"),))
        self.assertTrue(self.oracle.deterministic(compiled, call.values))

    def test_random_is_not_deterministic(self) -> None:
        """Nor does a fixed input help."""
        call = symbolise("torch.rand_like", [("input", True, TensorSpec((9,), "float32"))])
        self.assertFalse(self.oracle.deterministic(self.oracle.compile(call.api, call.args), call.values))

    def test_names(self) -> None:
        """From schemas for built-in functions, from signatures for Python ones."""
        import torch

        from traces.collect.torch_names import name_arguments

        x = torch.ones(2, 3)

        def names(api: str, function: object, *args: object) -> list[str]:
            return [name for name, _, _ in name_arguments(api, function, args, {})]

        self.assertEqual(names("torch.narrow", torch.narrow, x, 0, 0, 1), ["input", "dim", "start", "length"])
        self.assertEqual(names("torch.max", torch.max, x, x), ["input", "other"])
        self.assertEqual(names("torch.Tensor.view", torch.Tensor.view, x, 3, 2), ["self", "size"])
        softmin = torch.nn.functional.softmin
        self.assertEqual(names("torch.nn.functional.softmin", softmin, x, 1), ["input", "dim"])


if __name__ == "__main__":
    unittest.main()

"""Exporters from torch: models that torch.export rejects or that write to inputs, the round trip through a file, dtypes. Needs
torch; the tests of ONNX need the environment of torch-onnx."""

from __future__ import annotations

import importlib.util
import unittest
import unittest.mock
from typing import Any

try:
    import torch

    from rulefuzz import targets
    from rulefuzz.rewrite.torch import program, pure_program
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

X = torch.tensor([[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]])
ONNX = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime", "onnxscript"))


def model(x: Any, b: Any) -> Any:
    """Three dtypes of results."""
    return torch.relu(x * 2).amax(1), (x.to(torch.bfloat16) + b), x.argmax(1)


def results(name: str, function: Any, example: Any, inputs: Any, dims: Any = ()) -> list[Any]:
    """The results of a target compiled for the example, dynamically if dimensions have names."""
    target, stages = targets.load(name), list[str]()
    copies = [tensor.clone() for tensor in example]
    with torch.no_grad():
        if dims:
            return list(target.compile_dynamic(function, copies, stages.append, dims)(*inputs))
        return list(target.compile(function, copies, stages.append)(*inputs))


class Exported(unittest.TestCase):
    """rewrite/torch.py and its targets."""

    def test_rejections_are_those_of_torch_export(self) -> None:
        with self.assertRaisesRegex(NotImplementedError, "torch.export rejects the model: .*data-dependent"):
            program(lambda x: x[: int(x.sum())], [X])
        with self.assertRaisesRegex(NotImplementedError, "writes to an input"):
            pure_program(lambda x: x.t().add_(1), [X.clone()])
        for function in (torch.relu, lambda x: x.clone().relu_()):
            self.assertEqual(pure_program(function, [X]).module()(X).tolist(), torch.relu(X).tolist())
        self.assertEqual(program(torch.relu, [X]).module()(X).tolist(), torch.relu(X).tolist())

    def assert_agrees(self, name: str, function: Any) -> None:
        """The target agrees for one shape and for others."""
        half = torch.ones(3, dtype=torch.bfloat16)
        for dims, inputs in ((), (X, half)), ([["n", ""], [""]], (torch.cat([X, -X, X]), half)):
            for got, want in zip(results(name, function, (X, half), inputs, dims), function(*inputs), strict=True):
                self.assertEqual((got.dtype, got.tolist()), (want.dtype, want.tolist()))

    def test_saved(self) -> None:
        self.assert_agrees("torch-export-saved", model)

    def test_saved_is_what_was_loaded(self) -> None:
        other = torch.export.export(torch.nn.Identity(), (X,))
        with unittest.mock.patch("torch.export.load", return_value=other):
            self.assertEqual(results("torch-export-saved", torch.nn.ReLU(), [X], [X])[0].tolist(), X[0].tolist())

    def test_saved_writes_to_inputs(self) -> None:
        given = X.clone()
        results("torch-export-saved", lambda x: x.add_(1), [X], [given])
        self.assertEqual(given.tolist(), (X + 1).tolist())

    @unittest.skipUnless(ONNX, "no onnxscript")
    def test_onnx(self) -> None:
        for name in ("torch-onnx", "torch-onnx-18"):
            self.assert_agrees(name, lambda x, b: (torch.relu(x * 2).amax(1), b.reshape(3, 1), x.argmax(1), x > 0))

    @unittest.skipUnless(ONNX, "no onnxscript")
    def test_onnx_without_kernel(self) -> None:
        half = X.to(torch.bfloat16)
        with self.assertRaisesRegex(Exception, "Could not find an implementation") as caught:
            results("torch-onnx", torch.add, [half, half], [half, half])
        self.assertTrue(targets.load("torch-onnx").refuses(caught.exception))


if __name__ == "__main__":
    unittest.main()

"""Signatures as text: types, defaults, keyword-only and packed parameters; the table of the collector."""

import unittest
from collections.abc import Sequence

from traces.collect.upgrade import overloads, signatures
from traces.collect.upgrade.public import Signature


class Box:
    """Stands for a framework's tensor."""


def _typed(x: Box, size: list[int], bias: Box | None = None, *, flag: bool = False, mode: str = "a") -> None:
    """A function with annotations."""


def _bare(x, stride=1, mode="same", *, keep=True, axis=None) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """One without."""


def _packed(*args: Box, axis: int = 0) -> None:
    """One that packs its positional arguments."""


def _hidden(*args: Box, **kwargs: int) -> None:
    """One that hides its keywords."""


class Fake:
    """A framework with two APIs; one has two overloads."""

    def versions(self) -> dict[str, str]:
        return {}

    def apis(self) -> list[str]:
        return []

    def signature(self, api: str) -> Signature | None:
        return None

    def overloads(self, api: str) -> Sequence[str]:
        return {"f.b": ["Tensor x", "Tensor x, int dim"], "f.a": ["Tensor x"]}.get(api, [])


class Signatures(unittest.TestCase):
    """Tests."""

    def test_python_functions(self) -> None:
        text = overloads.of_python(_typed, (Box,), {})
        self.assertEqual(text, "Tensor x, int[] size, Tensor? bias=None, *, bool flag=False, str mode='a'")
        text = overloads.of_python(_bare, (Box,), {"x": "Tensor", "stride": "int[2]"})
        self.assertEqual(text, "Tensor x, int[2] stride=1, str mode='same', *, bool keep=True, any axis=None")
        self.assertEqual(overloads.of_python(_packed, (Box,), {}), "any... args, int axis=0")
        self.assertIsNone(overloads.of_python(_hidden, (Box,), {}))

    def test_defaults(self) -> None:
        for value, text in ((None, "None"), (True, "True"), (1e-5, "1e-05"), ([1, 2], "[1,2]"), ((), "[]"), (b"N", "'N'"),
                            (float("inf"), "inf"), (object(), "None")):  # fmt: skip
            self.assertEqual(overloads.default_text(value), text)

    def test_table(self) -> None:
        table = signatures.text(Fake(), ["f.b", "f.a", "f.none"])
        self.assertEqual(table, "api\tparameters\nf.a\tTensor x\nf.b\tTensor x\nf.b\tTensor x, int dim\n")


if __name__ == "__main__":
    unittest.main()

"""Planted faults of bench-sensitivity. Needs onnx."""

from __future__ import annotations

import unittest
import unittest.mock
from typing import Any

try:
    from rulefuzz import framework
    from rulefuzz.model import Reader
    from rulefuzz.oracle import check, excuses
    from rulefuzz.oracle.excuses.difference import Difference, Element
    from tests.bench.oracle import sensitivity
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None
try:
    ADAPTER = framework.load("onnx")
except framework.Unavailable as missing:
    raise unittest.SkipTest(str(missing)) from None


class Wide(Element):
    """Excuses all. It has no name outside its test, or all tests would find it."""

    def applies(self, subject: Difference) -> Any:
        """See Element."""
        return ~subject.none()


def faults(dtype: str) -> list[Any]:
    tensors = [{"id": i, "shape": [5], "dtype": dtype} for i in range(2)]
    args = [{"name": "X", "pos": True, "value": {"ref": 0}}]
    node = {"api": "onnx.Identity", "args": args, "outputs": tensors[1:]}
    item = {"values": 5, "inputs": tensors[:1], "nodes": [node], "outputs": [1]}
    return list(sensitivity.judged(ADAPTER, [Reader(ADAPTER).model(item)]))


class Sensitivity(unittest.TestCase):
    """Each fault of a copy is reported, and an excuse that hides them is named."""

    def test_faults(self) -> None:
        for dtype, count in (("float32", 10), ("int64", 9), ("bool", 7)):
            with self.subTest(dtype):
                found = faults(dtype)
                self.assertEqual(len(found), count)
                self.assertEqual(sensitivity.hidden_of("onnx.Identity", found), [])

    def test_hidden(self) -> None:
        excuses.every()
        named = unittest.mock.patch.object(Wide, "name", "too-wide")
        with named, unittest.mock.patch.object(check, "of_elements", lambda: ([], [Wide()])):
            found = faults("float32")
        self.assertEqual(len(sensitivity.hidden_of("onnx.Identity", found)), len(found))
        self.assertEqual({name for *_, names in found for name in names}, {"too-wide"})
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(sensitivity.report({"onnx.Identity": found}), 100.0)


if __name__ == "__main__":
    unittest.main()

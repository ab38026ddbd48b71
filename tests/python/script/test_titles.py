"""Titles of findings: real values and real messages, without the frameworks' wrappers."""

from __future__ import annotations

import json
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz.model import Json, Node, Reader
from rulefuzz.oracle import titles
from tests.python.fake import Fake
from tests.python.oracle.test_check import add, chain, raises, second, verdict

MESSAGES = [
    (row["framework"], row["message"], row["bare"])
    for row in map(json.loads, Path("tests/data/titles/messages.jsonl").read_text(encoding="utf-8").splitlines())
]


def node(*args: Json, api: str = "fake.copy") -> Node:
    """A difference in one call on the first tensor."""
    item = chain(api)
    item["nodes"][0]["args"] = [{"name": "x", "pos": True, "value": {"ref": 0}}, *args]
    return Reader(Fake()).model(item).nodes[0]


class Messages(unittest.TestCase):
    """Messages without their wrappers."""

    def test_wrappers(self) -> None:
        for framework, message, wanted in MESSAGES:
            with self.subTest(message[:60]):
                self.assertEqual(titles.bare(framework, message), wanted)

    def test_each_wrapper_is_needed(self) -> None:
        """Without any one pattern, a message keeps its wrapper."""
        for framework in ("torch", "onnx", "tensorflow", "jax"):
            patterns = titles.wrappers(framework)
            self.assertTrue(patterns)
            for at, (pattern, _) in enumerate(patterns):
                fewer = patterns[:at] + patterns[at + 1 :]
                with self.subTest(pattern), unittest.mock.patch.object(titles, "wrappers", lambda _, fewer=fewer: fewer):
                    self.assertTrue(any(titles.bare(*given) != wanted for *given, wanted in MESSAGES))

    def test_cut(self) -> None:
        """A title is cut between words only."""
        text = "word " * 60
        cut = titles.cut(text)
        self.assertTrue(cut.endswith("word …") and len(cut) <= titles.LONGEST + 2, cut)
        self.assertEqual(titles.cut("two\n  lines"), "two lines")


class Calls(unittest.TestCase):
    """A call with its operands."""

    def spelled(self, items: Any, *args: Json, dtype: str = "float32") -> str:
        """A call on a tensor with these elements."""
        return titles.call(Fake(), node(*args), {0: np.array(items, dtype)})

    def test_operands(self) -> None:
        self.assertEqual(self.spelled(np.nan), "copy(NaN)")
        self.assertEqual(self.spelled([[np.nan] * 3] * 2), "copy(NaN)")
        self.assertEqual(self.spelled([1.5, -np.inf]), "copy([1.5, -inf])")
        self.assertEqual(self.spelled(0.1), "copy(0.1)")
        self.assertEqual(self.spelled([3], dtype="int64"), "copy([3])")
        axis = {"name": "axis", "pos": False, "value": 1}
        self.assertEqual(self.spelled([3, 4], axis, dtype="int64"), "copy([3, 4], axis=1)")

    def test_long_operands_are_omitted(self) -> None:
        for items in ([[1, 2], [3, 4]], range(9), []):
            self.assertEqual(self.spelled(items), "copy")

    def test_names(self) -> None:
        self.assertEqual(titles.name("onnx.Add_7"), "Add-7")
        self.assertEqual(titles.name("torch.nn.functional.conv2d"), "conv2d")
        self.assertEqual(titles.name("torch.special.bessel_j1"), "bessel_j1")
        self.assertEqual(titles.names(["a.b", "a.c", "a.b", "a.d", "a.e"]), "b + c + 2 more")


class Titles(unittest.TestCase):
    """Titles of answers."""

    def test_differences(self) -> None:
        self.assertRegex(verdict(chain("fake.five"), add(0, 9.0))["title"], r"^five.* returns 14\.?0? instead of 5\.?0?$")
        again = verdict(chain("fake.copy"), second(add(0, 9.0)))["title"]
        self.assertRegex(again, "^copy returns .* instead of .* in its second run$")
        narrow = lambda outputs: [outputs[0].astype(np.float16)]  # noqa: E731
        self.assertEqual(verdict(chain("fake.five"), narrow)["title"], "five returns dtype float16 instead of float32")

    def test_repeated_names(self) -> None:
        """The title names the operator once."""
        error = {"type": "RuntimeError", "message": "lshift: Got torch.bool"}
        self.assertEqual(titles.of_error(Fake(), ["torch.Tensor.__lshift__"], error), "__lshift__ fails: Got torch.bool")
        error["message"] = "lshifted: x"
        self.assertEqual(titles.of_error(Fake(), ["torch.Tensor.__lshift__"], error), "__lshift__ fails: lshifted: x")

    def test_errors(self) -> None:
        self.assertEqual(verdict(chain("fake.copy"), raises(RuntimeError("a\nb")))["title"], "copy fails: a b")
        self.assertEqual(verdict(chain("fake.copy"), raises(NameError("copy: x")))["title"], "copy raises NameError: x")
        self.assertEqual(verdict(chain("fake.copy"), raises(ValueError("lacks a kernel")))["title"],
                         "copy is not supported: lacks a kernel")  # fmt: skip


if __name__ == "__main__":
    unittest.main()

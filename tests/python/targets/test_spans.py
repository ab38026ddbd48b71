"""The calls that the reference runs in one session. Needs onnx."""

from __future__ import annotations

import unittest
from typing import Any

try:
    from rulefuzz import framework
    from rulefuzz.model import Json, Reader
except ImportError as missing:  # numpy
    raise unittest.SkipTest(str(missing)) from None

try:
    ONNX: Any = framework.load("onnx")
except framework.Unavailable as missing:
    raise unittest.SkipTest(str(missing)) from None


def call(api: str, made: int, taken: int) -> Json:
    args = [{"name": "x", "pos": True, "value": {"ref": taken}}]
    return {"api": api, "args": args, "outputs": [{"id": made, "shape": [16, 1], "dtype": "float32"}]}


class Spans(unittest.TestCase):
    def spans(self, *apis: str) -> int:
        """The number of calls in the first session."""
        nodes = [call(api, i + 1, i) for i, api in enumerate(apis)]
        inputs = [{"id": 0, "shape": [16, 1], "dtype": "float32"}]
        model = Reader(ONNX).model({"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [len(nodes)]})
        return int(ONNX.span(model.nodes, 0, dict.fromkeys(range(len(nodes) + 1), "float32")))

    def test_types_are_unknown_behind_another_domain(self) -> None:
        """onnx infers no type behind a call of com.microsoft, and its inference of EyeLike crashes without one."""
        self.assertEqual(self.spans("onnx.Cos", "onnx.com_microsoft.Gelu", "onnx.EyeLike"), 2)
        self.assertEqual(self.spans("onnx.Cos", "onnx.Sin", "onnx.EyeLike"), 3)


if __name__ == "__main__":
    unittest.main()

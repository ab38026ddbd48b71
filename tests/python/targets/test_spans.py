"""The calls that the reference runs in one session. Needs onnx."""

from __future__ import annotations

import unittest
import unittest.mock
from typing import Any

try:
    from rulefuzz import framework
    from rulefuzz.model import Json, Reader
except ImportError as missing:  # numpy
    raise unittest.SkipTest(str(missing)) from None

try:
    import onnxruntime

    ONNX: Any = framework.load("onnx")
except (ImportError, framework.Unavailable) as missing:
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

    def test_sessions_are_kept(self) -> None:
        """A second run of the same calls makes no session, unless the calls draw random numbers."""
        for last, sessions in (("onnx.Sin", 1), ("onnx.RandomNormalLike_1", 2)):
            nodes = [call("onnx.Cos", 1, 0), call(last, 2, 1)]
            inputs = [{"id": 0, "shape": [16, 1], "dtype": "float32"}]
            model = Reader(ONNX).model({"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [2]})
            made = unittest.mock.Mock(wraps=onnxruntime.InferenceSession)
            ONNX.enter()
            with unittest.mock.patch.object(onnxruntime, "InferenceSession", made), self.subTest(last):
                for _ in range(2):
                    ONNX.run(model.nodes, ONNX.inputs(model))
                self.assertEqual(made.call_count, sessions)


if __name__ == "__main__":
    unittest.main()

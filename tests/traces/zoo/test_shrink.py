"""Lines without some of their calls."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from traces.collect.zoo import shrink

ONNX = Path(__file__).resolve().parents[3] / "traces" / "onnx"


def tensor(number: int, dtype: str = "float32", **more: Any) -> Any:
    """A tensor of a line."""
    return {"id": number, "shape": [2], "dtype": dtype, **more}


def call(api: str, taken: list[int], *made: Any) -> Any:
    """A call of a line."""
    return {"op": api, "api": api, "args": [{"name": "x", "value": [{"ref": i} for i in taken]}], "outputs": list(made)}


LINE: Any = {
    "count": 3,
    "inputs": [tensor(0), tensor(1, constant=True)],
    "nodes": [
        call("a", [0], tensor(2)),
        call("b", [2, 1], tensor(3)),
        call("c", [3], tensor(4, "int64")),
        call("d", [4, 3], tensor(5)),
    ],
    "outputs": [5],
}


class Shrink(unittest.TestCase):
    """Parts of a line, and the smallest one that a pass changes."""

    def test_part(self) -> None:
        """Tensors count up from 0, inputs first; results of removed calls are inputs."""
        self.assertIsNone(shrink.part(LINE, {1, 3}))  # the elements of tensor 4 are not known
        made: Any = shrink.part(LINE, {1, 2})
        self.assertEqual([t["id"] for t in made["inputs"]], [0, 1])
        self.assertEqual([t.get("constant", False) for t in made["inputs"]], [True, False])
        self.assertEqual([shrink.taken(node) for node in made["nodes"]], [[1, 0], [2]])
        self.assertEqual(made["outputs"], [3])
        self.assertEqual(LINE["nodes"][1]["outputs"][0]["id"], 3)

    def test_whole(self) -> None:
        """All calls of a line are the line."""
        for path in ("CHAINS.models", "PAIRS.models"):
            for text in (ONNX / path).read_text(encoding="ascii").splitlines():
                line = json.loads(text)
                made: Any = shrink.part(line, set(range(len(line["nodes"]))))
                self.assertEqual(made["nodes"], line["nodes"])
                self.assertEqual(made["inputs"], line["inputs"])

    def test_shortened(self) -> None:
        """Only calls that the pass needs are kept."""

        def fired(_: str, line: Any) -> list[str]:
            return ["P"] if {"b", "c"} <= {node["api"] for node in line["nodes"]} else []

        with mock.patch.object(shrink, "fired", fired):
            made = shrink.shortened("", LINE, "P")
        self.assertEqual([node["api"] for node in made["nodes"]], ["b", "c"])
        self.assertEqual(made["passes"], ["P"])

    def test_passes_of_lines(self) -> None:
        """Every pass that a line names has lines that fit models of ten calls, normalizations among them."""
        shortest: dict[str, int] = {}
        for path in ("CHAINS.models", "PAIRS.models"):
            for text in (ONNX / path).read_text(encoding="ascii").splitlines():
                line = json.loads(text)
                for name in line.get("passes", []):
                    shortest[name] = min(shortest.get(name, 99), len(line["nodes"]))
        self.assertGreaterEqual(len(shortest), 36)
        self.assertLessEqual({"LayerNormFusionL1", "LayerNormFusionL2", "FastGeluFusion", "GeluFusionL2"}, shortest.keys())
        self.assertLessEqual(max(shortest.values()), 10)


if __name__ == "__main__":
    unittest.main()

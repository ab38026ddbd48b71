"""The recorded patterns in traces/onnx/CHAINS.models."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path
from typing import Any

ONNX = Path(__file__).resolve().parents[3] / "traces" / "onnx"
LONGEST, MOST_BYTES, LEAST_LINES = 20, 4_000_000, 600

PAIRS = (
    ("Pad", "MaxPool", 0), ("Pad", "Conv", 0), ("Pad", "AveragePool", 0), ("Relu", "Clip", 0), ("Conv", "Clip", 0),
    ("Clip", "Relu", 0), ("Shape", "Gather", 0), ("Concat", "Reshape", 1), ("Concat", "Expand", 1),
    ("DequantizeLinear", "Conv", 0), ("DequantizeLinear", "MatMul", 0), ("Conv", "QuantizeLinear", 0),
    ("QuantizeLinear", "DequantizeLinear", 0), ("DepthToSpace", "Mul", 0), ("Cast", "Cast", 0), ("Transpose", "LSTM", 0),
)  # fmt: skip
"""Producer, consumer, and the argument's place."""


def plain(api: str) -> str:
    """An operator without domain and version."""
    return re.sub(r"_\d+$", "", api.removeprefix("onnx."))


def edges(line: Any) -> set[tuple[str, str, int]]:
    """Producer, consumer, and the argument's place."""
    made = {out["id"]: plain(node["api"]) for node in line["nodes"] for out in node["outputs"]}
    given = ((node, at, arg["value"]) for node in line["nodes"] for at, arg in enumerate(node["args"]))
    return {
        (made[value["ref"]], plain(node["api"]), at)
        for node, at, value in given
        if isinstance(value, dict) and value.get("ref") in made
    }


class Chains(unittest.TestCase):
    """The file as a whole."""

    lines: list[Any]

    @classmethod
    def setUpClass(cls) -> None:
        """Reads it."""
        cls.lines = [json.loads(line) for line in (ONNX / "CHAINS.models").read_text(encoding="ascii").splitlines()]

    def test_size(self) -> None:
        """Enough patterns for a broad sample, and no more than a clone should carry."""
        self.assertGreaterEqual(len(self.lines), LEAST_LINES)
        self.assertLessEqual((ONNX / "CHAINS.models").stat().st_size, MOST_BYTES)
        self.assertEqual(set(range(2, 11)) - {len(line["nodes"]) for line in self.lines}, set())
        self.assertLessEqual(max(len(line["nodes"]) for line in self.lines), LONGEST)

    def test_rules(self) -> None:
        """Every call is of an API with records."""
        apis = {node["api"] for line in self.lines for node in line["nodes"]}
        self.assertEqual([api for api in sorted(apis) if not (ONNX / f"{api}.jsonl").exists()], [])

    def test_known_pairs(self) -> None:
        """Pairs of calls that public bugs are about."""
        found = {edge for line in self.lines for edge in edges(line)}
        for pair in PAIRS:
            with self.subTest(pair):
                self.assertIn(pair, found)

    def test_layer_norms(self) -> None:
        """Normalizations without an operator of their own, with the weight as either operand and in several operator sets."""
        forms = set()
        for line in self.lines:
            names = [node["api"] for node in line["nodes"]]
            if {"ReduceMean", "Sub", "Sqrt", "Div", "Mul", "Add"} <= set(map(plain, names)):
                sides = {at for a, b, at in edges(line) if (a, b) == ("Div", "Mul")}
                forms.add((tuple(sorted(sides)), next(name for name in names if plain(name) == "ReduceMean")))
        self.assertGreaterEqual(len({sides for sides, _ in forms}), 2)
        self.assertGreaterEqual(len({api for _, api in forms}), 3)

    def test_constants(self) -> None:
        """Per-channel scales, int32 bias and several dtypes come from real quantizers."""
        dtypes, ranks = set(), set()
        for line in self.lines:
            inputs = {t["id"]: (t["dtype"], len(t["shape"])) for t in line["inputs"]}
            for node in line["nodes"]:
                if plain(node["api"]) == "DequantizeLinear":
                    value = node["args"][0]["value"]
                    dtypes.add(value["dtype"] if "elements" in value else inputs.get(value["ref"], ("",))[0])
                    scale = node["args"][1]["value"]
                    ranks.add(isinstance(scale.get("elements"), list) or inputs.get(scale.get("ref"), ("", 0))[1] > 0)
        self.assertLessEqual({"int8", "uint8", "int16", "int32"}, dtypes)
        self.assertEqual(ranks, {True, False})


if __name__ == "__main__":
    unittest.main()

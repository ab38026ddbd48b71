"""Changes of an invalid model's last call."""

from __future__ import annotations

import copy
import unittest

from rulefuzz.invalid import change
from rulefuzz.invalid.change import BadChange, Json

MODEL: Json = {
    "near_miss": True,
    "inputs": [
        {"id": 0, "shape": [2, 3], "dtype": "float32", "values": "unit"},
        {"id": 1, "shape": [4], "dtype": "int64"},
    ],
    "nodes": [
        {
            "api": "a",
            "args": [{"name": "x", "pos": True, "value": {"ref": 0}}],
            "outputs": [{"id": 2, "shape": [2, 3], "dtype": "float32"}],
        },
        {
            "api": "b",
            "args": [
                {"name": "list", "pos": True, "value": [{"ref": 0}, {"ref": 2, "copy": True}]},
                {"name": "index", "pos": True, "value": {"ref": 1, "range": [0, 2]}},
                {"name": "alpha", "pos": False, "value": [{"const": "'mean'"}, {"const": "1.0"}, {"const": "2.0"}]},
            ],
            "outputs": [{"id": 3, "shape": [], "dtype": "float32"}],
        },
    ],
    "outputs": [3],
}


def changed(argument: str, kind: str, to: str, item: int = 0, **model: object) -> Json:
    """The model with a change."""
    return change.applied({**MODEL, **model, "change": {"argument": argument, "item": item, "kind": kind, "to": to}})


def value(made: Json, place: int) -> object:
    """An argument of the last call."""
    return made["nodes"][-1]["args"][place]["value"]


class Applied(unittest.TestCase):
    """What each kind does."""

    def test_number(self) -> None:
        """The item counts numbers only."""
        made = changed("alpha", "number", "nan", 1)
        self.assertEqual([{"const": "'mean'"}, {"const": "1.0"}, {"const": "nan"}], value(made, 2))
        self.assertEqual(MODEL["inputs"], made["inputs"])

    def test_tensor(self) -> None:
        """A changed tensor is a further input; other uses of it stay."""
        before = copy.deepcopy(MODEL)
        made = changed("list", "dtype", "int8", 1)
        self.assertEqual([{"ref": 0}, {"ref": 4, "copy": True}], value(made, 0))
        self.assertEqual({"id": 4, "shape": [2, 3], "dtype": "int8"}, made["inputs"][-1])
        self.assertEqual(MODEL["nodes"][0], made["nodes"][0])
        self.assertEqual(before, MODEL)

    def test_shapes(self) -> None:
        """Ranks change at the end."""
        shapes = [changed("list", "rank", to)["inputs"][-1] for to in ("more", "fewer", "scalar")]
        self.assertEqual([[2, 3, 2], [2], []], [t["shape"] for t in shapes])
        self.assertEqual({"unit"}, {t["values"] for t in shapes})

    def test_elements(self) -> None:
        """Integers have a range, floats halves of it. A dtype keeps the range of the call."""
        self.assertEqual([-9, -1], changed("index", "elements", "negative")["inputs"][-1]["range"])
        self.assertEqual([1000, 2000, 2], changed("list", "elements", "large")["inputs"][-1]["range"])
        made = changed("index", "dtype", "int32")
        self.assertEqual([0, 4], [t["id"] for t in made["inputs"]])  # the index has no other use
        self.assertEqual([0, 2], made["inputs"][-1]["range"])
        self.assertEqual({"ref": 4}, value(made, 1))

    def test_missing(self) -> None:
        """The argument becomes None."""
        self.assertEqual({"const": "None"}, value(changed("index", "missing", "None"), 1))

    def test_bad_changes(self) -> None:
        """Each is rejected."""
        for argument, kind, item in (("alpha", "number", 2), ("index", "number", 0), ("list", "dtype", 2), ("none", "rank", 0),
                                     ("list", "dtype", -1), ("list", "shape", 0)):  # fmt: skip
            with self.subTest(argument=argument, kind=kind), self.assertRaises(BadChange):
                changed(argument, kind, "int8", item)
        with self.assertRaises(BadChange):
            changed("list", "rank", "more", near_miss=False)
        with self.assertRaises(BadChange):
            changed("list", "elements", "large", inputs=[{**MODEL["inputs"][0], "dtype": "complex64"}, MODEL["inputs"][1]])
        with self.assertRaises(KeyError):
            changed("list", "rank", "less")


if __name__ == "__main__":
    unittest.main()

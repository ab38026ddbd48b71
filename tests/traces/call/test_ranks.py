"""Calls of other ranks: how the lists that correspond to dimensions change."""

import unittest
from typing import Any

from traces.collect.call.ranks import variants
from traces.collect.call.spec import Elements, Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise


def made(value: Any) -> list[tuple[Json, Values]]:
    """The list's notation and values in each variant of a call of x and the list, all of x's rank 2."""
    call = symbolise("toy.f", [("x", True, TensorSpec((4, 6), "float32")), ("list", True, value)])
    return [(new.args[1]["value"], new.values) for new in variants([call]) if len(new.args[0]["value"]["tensor"]) == 3]


class Lists(unittest.TestCase):
    """ranks.variants"""

    def test_rows(self) -> None:
        """A row of elements per dimension: a new dimension repeats the first row."""
        rows = made(Elements([[1, 2], [0, 3]], "int32"))
        self.assertIn(({"elements": [["s3", "s4"], ["s5", "s6"], ["s7", "s8"]], "dtype": "int32"},
                       (2, 4, 6, 1, 2, 1, 2, 0, 3)), rows)  # fmt: skip

    def test_items(self) -> None:
        """An item per dimension: a new one has the dimension's size, or repeats the first item."""
        told = {tuple(values[3:]) for value, values in made(Elements([1, 0], "int32")) if len(value["elements"]) == 3}
        self.assertEqual(told, {(2, 1, 0), (3, 1, 0), (1, 1, 0)})
        self.assertIn((["s3", "s4", "s5"], (2, 4, 6, 1, 1, 0)), made([1, 0]))

    def test_empty(self) -> None:
        """An empty list of elements stays empty."""
        self.assertTrue(all(value["elements"] == [] for value, _ in made(Elements([], "int32"))))


if __name__ == "__main__":
    unittest.main()

"""An operator with an index that most of its calls do not show: many elements, none, or one. A toy framework
answers."""

import json
import unittest
from collections.abc import Sequence

from rulefuzz.framework import Rejected
from tests.traces.told import Told
from traces.collect.call.spec import Call, Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings


def call(rows: int, count: int, dtype: str, extent: Values, given: object = None) -> Call:
    """x with this many rows, and an index with this many elements."""
    index = TensorSpec((count,), dtype, given, extent)
    return symbolise("toy.select", [("x", True, TensorSpec((rows, 3), "float32")), ("index", True, index)])


def select(x: list[int], index: list[int]) -> tuple[int, ...]:
    """Rows of x."""
    if len(x) != 2 or any(not 0 <= i < x[0] for i in index):
        raise Rejected("out of range")
    return (len(index), x[1])


class Indices(unittest.TestCase):
    """operators.collect_api."""

    def records(self, calls: Sequence[Call]) -> list[Json]:
        """The operators of these calls."""
        answer = collect_api(Told(select), "toy.select", calls, {}, Settings(1, Budget()))
        return [json.loads(line) for line in answer["lines"]]

    def test_many(self) -> None:
        """More elements than are recorded: the index is a range, which extends to the dimension."""
        empty = [call(rows, 0, "uint8", (0, 0), []) for rows in (5, 6)]
        for others in ([], empty, [call(1, 1, "int64", (0, 1), [0])]):
            (record,) = self.records([call(9, 30, "int64", (0, 9)), *others])
            self.assertEqual(record["args"][1]["value"]["range"], ["s3", "s4"])
            self.assertEqual(record["args"][1]["value"]["dtype"], "int64")
            self.assertTrue(record["pass"])
            for (rows, _, count, low, high), _ in record["pass"]:
                self.assertTrue(count == 0 or (0 <= low < rows and high <= rows), (rows, count, low, high))

    def test_none(self) -> None:
        """No record if no call has elements."""
        self.assertEqual(self.records([call(5, 0, "uint8", (0, 0), [])]), [])


if __name__ == "__main__":
    unittest.main()

"""Operators whose outcome depends on integers in tensors: the range or the elements become part of the record.
A toy framework answers.
"""

import json
import unittest
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.framework import Rejected
from tests.traces.told import Answer, Told
from tests.traces.told import sample as told_sample
from traces.collect.call.spec import Call, Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import Output, ranged_elements
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings


class Indexed:
    """A framework with one function f(x, index) of the dimension of x and the elements of index."""

    name, version = "indexed", "1"

    def __init__(self, answer: Callable[[int, list[int]], tuple[int, ...]]) -> None:
        self._answer = answer

    def compile(self, api: str, args: Sequence[Json]) -> Sequence[Json]:
        """The arguments as they are stated."""
        return args

    def run(self, call: Sequence[Json], values: Values, fill: str) -> tuple[Output, ...]:
        """Asks the function."""
        x, index = (arg["value"] for arg in call)
        if len(x["tensor"]) != 1 or len(index.get("tensor", "1")) != 1:
            raise Rejected("vectors only")
        size = values[int(x["tensor"][0][1:])]
        dims = self._answer(size, self._elements(index, values, fill))
        return ((dims, "float32"),)

    @staticmethod
    def _elements(index: Json, values: Values, fill: str) -> list[int]:
        if "elements" in index:
            if not isinstance(index["elements"], list):
                raise Rejected("vectors only")
            return [values[int(symbol[1:])] for symbol in index["elements"]]
        count = values[int(index["tensor"][0][1:])]
        if "range" in index:
            low, high = (values[int(symbol[1:])] for symbol in index["range"])
            return [int(element) for element in ranged_elements(count, low, high, fill, 1)]
        benign = {"zeros": 0, "ones": 1, "small": 1}
        return [benign.get(fill, (-1) ** i * (90 + i)) for i in range(count)]

    def deterministic(self, call: Any, values: Values) -> bool:
        """Always."""
        return True


def sample(size: int, elements: list[int]) -> Call:
    """A call with hints, as a source makes it."""
    extent = (min(elements), max(elements) + 1)
    index = TensorSpec((len(elements),), "int64", given=elements, extent=extent)
    return symbolise("toy.f", [("x", True, TensorSpec((size,), "float32")), ("index", True, index)])


def collect(answer: Callable[[int, list[int]], tuple[int, ...]], samples: Sequence[Call]) -> Json:
    """The first recorded operator."""
    lines = collect_api(Indexed(answer), "toy.f", samples, {}, Settings(1, Budget()))["lines"]
    return json.loads(lines[0]) if lines else None


class Domains(unittest.TestCase):
    """filter._restated and what follows it."""

    def test_range(self) -> None:
        """An index below the dimension: the range is recorded, with its end on both sides of the dimension."""

        def select(size: int, index: list[int]) -> tuple[int, ...]:
            if any(not 0 <= i < size for i in index):
                raise Rejected("out of range")
            return (len(index),)

        operator = collect(select, [sample(5, [0, 2, 4]), sample(3, [1, 0]), sample(4, [3, 1])])
        self.assertEqual(operator["args"][1]["value"]["range"], ["s2", "s3"])
        for (size, count, low, high), out in operator["pass"]:
            self.assertTrue(not count or (0 <= low < high <= size))
            self.assertEqual(out, [count])
        self.assertTrue(any(high == size for (size, _, _, high), _ in operator["pass"]))
        self.assertTrue(any(high == size + 1 for size, _, _, high in operator["fail"]))
        self.assertTrue(any(low == -1 for _, _, low, _ in operator["fail"]))

    def test_elements(self) -> None:
        """A shape given as a tensor: its elements are symbols."""

        def reshape(size: int, shape: list[int]) -> tuple[int, ...]:
            if any(dim < 0 for dim in shape) or shape[0] * shape[1] != size:
                raise Rejected("other size")
            return tuple(shape)

        operator = collect(reshape, [sample(6, [2, 3]), sample(8, [4, 2]), sample(5, [1, 5])])
        self.assertEqual(operator["args"][1]["value"], {"elements": ["s1", "s2"], "dtype": "int64"})
        self.assertTrue(all(size == a * b and out == [a, b] for (size, a, b), out in operator["pass"]))
        self.assertTrue(operator["fail"])

    def test_size_from_elements(self) -> None:
        """The largest element decides the output's dimension: elements are recorded, although a large x hides
        the effect for some ranges."""
        operator = collect(
            lambda size, index: (max([size, *(i + 1 for i in index)]),),
            [sample(2, [0, 4]), sample(1, [3, 1]), sample(2, [5, 2]), sample(9, [1, 2])],
        )
        self.assertEqual(operator["args"][1]["value"], {"elements": ["s1", "s2"], "dtype": "int64"})

    def test_plain(self) -> None:
        """Elements without effect are not recorded."""
        operator = collect(lambda size, index: (size,), [sample(5, [0, 2, 4]), sample(3, [1, 0])])
        self.assertEqual(operator["args"][1]["value"], {"tensor": ["s1"], "dtype": "int64"})

    def test_neither(self) -> None:
        """The number of distinct elements is no rule over a range, nor over the individual elements."""
        operator = collect(lambda size, index: (1,) * len(set(index)), [sample(5, [0, 2, 4]), sample(3, [1, 0])])
        self.assertTrue(operator is None or "range" not in operator["args"][1]["value"])


class Joint(unittest.TestCase):
    """Several tensors of integers, and structures with different known elements."""

    @staticmethod
    def collect(answer: Answer, *calls: Call) -> tuple[list[Json], list[str]]:
        """The arguments' values of each operator, and the reasons for dropped ones."""
        found = collect_api(Told(answer), "toy.f", calls, {}, Settings(1, Budget()))
        operators = [[arg["value"] for arg in json.loads(line)["args"]] for line in found["lines"]]
        return operators, [reason for _, reason, _ in found["dropped"]]

    @staticmethod
    def slice(x: list[int], begin: list[int], end: list[int]) -> tuple[int, ...]:
        """Ends beyond x are clamped, so that large elements of either sign mostly pass with one shape."""
        if len(begin) != len(x) or len(end) != len(x):
            raise Rejected("other lengths")
        return tuple(len(range(d)[b:e]) for d, b, e in zip(x, begin, end, strict=True))

    def test_all_by_elements(self) -> None:
        """Begin and end are recorded together, although one call of the structure does not give end."""
        silent = told_sample((5,), ["begin"], [1])
        silent.args.append({"name": "end", "pos": True, "value": {"tensor": ["s2"], "dtype": "int64"}})
        silent.values += (1,)
        operators, _ = self.collect(self.slice, silent, told_sample((5,), ["begin", "end"], [1], [4]))
        self.assertTrue(operators)
        for _, begin, end in operators:
            self.assertIn("elements", begin)
            self.assertIn("elements", end)

    def test_untold_structure(self) -> None:
        """A structure without the elements that decide shapes is dropped, with the reason."""
        known = told_sample((5,), ["begin", "end"], [1], [4])
        untold = told_sample((4, 4), ["begin", "end"], [1, 1], [4, 4], told=False)
        untold.args[1]["value"].pop("extent"), untold.args[2]["value"].pop("extent")
        operators, reasons = self.collect(self.slice, known, untold)
        self.assertTrue(all("elements" in end for *_, end in operators))
        self.assertIn("value-dependent: its elements decide, and are not told", reasons)

    def test_columns(self) -> None:
        """Coordinates of a square tensor: elements, since its columns would differ for another tensor."""

        def gather(x: list[int], rows: list[list[int]]) -> tuple[int, ...]:
            if any(not 0 <= i < bound for row in rows for bound, i in zip(x, row, strict=True)):
                raise Rejected("out of range")
            return (len(rows),)

        operators, _ = self.collect(gather, told_sample((3, 3), ["rows"], [[0, 1], [2, 2]]))
        self.assertEqual(operators[0][1], {"elements": [["s2", "s3"], ["s4", "s5"]], "dtype": "int64"})

    def test_empty_only(self) -> None:
        """An operator that accepts empty tensors only is dropped."""

        def never(x: list[int], items: list[int]) -> tuple[int, ...]:
            if 0 not in x:
                raise Rejected("not empty")
            return tuple(x)

        operators, reasons = self.collect(never, told_sample((0, 3), ["a"], [1]), told_sample((2, 0), ["a"], [1]))
        self.assertEqual(operators, [])
        self.assertIn("accepted with empty tensors only", reasons)


if __name__ == "__main__":
    unittest.main()

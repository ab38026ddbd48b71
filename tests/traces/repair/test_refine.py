"""Calls of models become queries, and wrong predictions become records. A fake oracle answers."""

import json
import tempfile
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from rulefuzz.model import BadModel
from traces.collect.call.spec import Json
from traces.collect.judge.oracle import Answer, Oracle, Question, answer
from traces.collect.judge.verdict import FAIL, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine, Recorded
from traces.collect.repair.refine import read_guesses, refine_operator
from traces.collect.repair.symbols import symbols

RECORD: Json = {
    "op": "t.take-0", "api": "t.take", "framework": "t",
    "args": [
        {"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": "float32"}},
        {"name": "shape", "pos": True, "value": {"elements": ["s2", {"const": "7"}], "dtype": "int64"}},
        {"name": "at", "pos": True, "value": {"tensor": ["s3"], "dtype": "int64", "range": ["s4", "s5"]}},
        {"name": "mode", "pos": False, "value": {"const": "'same'"}},
        {"name": "size", "pos": False, "value": ["s6"]},
    ],
    "outputs": [{"tensor": ["o0"], "dtype": "float32"}],
    "pass": [[[2, 3, 4, 5, 0, 2, 6], [5]]], "fail": [],
}  # fmt: skip


def model(span: list[int], length: int, out: int) -> str:
    """A model of one call, with this range of its index, and these dimensions of the index and of its output."""
    return json.dumps({
        "inputs": [{"id": 0, "shape": [2, 3], "dtype": "float32"},
                   {"id": 1, "shape": [length], "dtype": "int64", "range": span}],
        "nodes": [{"op": "t.take-0", "api": "t.take", "args": [
            {"name": "x", "pos": True, "value": {"ref": 0}},
            {"name": "shape", "pos": True, "value": {"elements": [4, {"const": "7"}], "dtype": "int64"}},
            {"name": "at", "pos": True, "value": {"ref": 1}},
            {"name": "mode", "pos": False, "value": {"const": "'same'"}},
            {"name": "size", "pos": False, "value": [6]},
        ], "outputs": [{"id": 2, "shape": [out], "dtype": "float32"}]}],
        "outputs": [2],
    })  # fmt: skip


class FakeOracle:
    """Rejects an index beyond 1; otherwise the output is as long as the index."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """See Oracle."""
        for _, values in questions:
            self.asked.append(values)
            yield answer(FAIL, message="no") if values[5] > 2 else answer(PASS, values[3:4])


class Refine(unittest.TestCase):
    """repair.refine."""

    def refined(self, *lines: str) -> tuple[FakeOracle, Json]:
        """The oracle with its queries, and the record afterwards."""
        oracle = FakeOracle()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "t.take.jsonl")
            path.write_text(json.dumps(RECORD) + "\n")
            records = RecordFiles(Path(folder))
            guesses = read_guesses(lines, frozenset({"t.take"}))["t.take"]["t.take-0"]
            refine_operator(cast(Oracle, oracle), records, "t.take-0", guesses)
            records.save()
            return oracle, json.loads(path.read_text())

    def test_a_range_is_part_of_the_question(self) -> None:
        """The symbols are in the record's order, the range's bounds after the tensor's dimensions."""
        oracle, _ = self.refined(model([0, 2], 9, 9))
        self.assertEqual(oracle.asked, [(2, 3, 4, 9, 0, 2, 6)])

    def test_what_the_records_answer_is_not_asked(self) -> None:
        """Duplicates have the same range; another range is another call."""
        oracle, _ = self.refined(model([0, 2], 5, 5), model([0, 1], 5, 5), model([0, 1], 5, 5))
        self.assertEqual(oracle.asked, [(2, 3, 4, 5, 0, 1, 6)])

    def test_what_was_wrong_is_a_record(self) -> None:
        """Rejected, or of another shape; not as predicted."""
        _, record = self.refined(model([0, 3], 9, 9), model([0, 2], 9, 8), model([1, 2], 9, 9))
        self.assertEqual(record["fail"], [[2, 3, 4, 9, 0, 3, 6]])
        self.assertEqual(record["pass"], [*RECORD["pass"], [[2, 3, 4, 9, 0, 2, 6], [9]]])

    def test_other_arguments(self) -> None:
        """Records that were recollected meanwhile."""
        other = json.loads(model([0, 2], 9, 9))
        other["nodes"][0]["args"].pop()
        with self.assertRaises(BadLine):
            self.refined(json.dumps(other))
        with self.assertRaises(BadModel):
            read_guesses([model([0, 2], 9, 9)], frozenset({"t.other"}))


class Symbols(unittest.TestCase):
    """repair.symbols."""

    def test_a_range_without_bounds_is_from_the_elements(self) -> None:
        """The minimum and the maximum; none for an empty tensor."""
        operator, given = Recorded.of(RECORD), (2, 9, 4, 5, 7)
        self.assertEqual(symbols(operator, given, [{}, {"min": 1.0, "max": 3.0}]), (2, 9, 4, 5, 1, 4, 7))
        self.assertEqual(symbols(operator, given, [{}, {"range": [0, 6], "min": 1.0, "max": 3.0}]), (2, 9, 4, 5, 0, 6, 7))
        self.assertEqual(symbols(operator, given, [{}, {}]), (2, 9, 4, 5, 0, 0, 7))


if __name__ == "__main__":
    unittest.main()

"""Trials of dtypes: which calls are tried, their outcomes as text, tables written and read."""

from __future__ import annotations

import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulefuzz.framework import Rejected
from traces.collect.call.spec import Json, Values
from traces.collect.dtypes import __main__ as command
from traces.collect.dtypes import letters, situations, trials
from traces.collect.judge.framework import Output
from traces.collect.judge.trying import Trying
from traces.collect.plain.parameters import parameters

TRYING = Trying(("bool", "int64", "float32"), prefix="fw.", numbers=True)


class Adder:
    """Adds two tensors, or a tensor and a number; rejects bool with bool, and flags."""

    name, version = "fw", "1"

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """The arguments."""
        return [arg["value"] for arg in args]

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """The dtype of the output."""
        kinds = [value.get("dtype", "") if isinstance(value, dict) else "number" for value in call]
        if kinds == ["bool", "bool"]:
            raise Rejected("bool")
        return (((2,), "float32" if "float32" in kinds else "int64"),)

    def deterministic(self, call: Any, values: Values) -> bool:
        """It is."""
        return True


def record(*values: Json, dtype: str = "float32") -> Json:
    """A record of fw.add."""
    args = [{"name": name, "pos": True, "value": value} for name, value in zip("xyz", values, strict=False)]
    return {"op": "fw.add-0", "api": "fw.add", "args": args, "outputs": [{"tensor": ["o0"], "dtype": dtype}],
            "dtypes": [], "pass": [[[2, 2], [2]]], "fail": []}  # fmt: skip


X = {"tensor": ["s0"], "dtype": "float32"}
Y = {"tensor": ["s1"], "dtype": "float32"}
SIGNATURES = [parameters("Tensor x, Tensor y, *, dtype kind=None, bool flag=False")]


class Situations(unittest.TestCase):
    def test_slots_are_tensors_numbers_and_dtypes(self) -> None:
        one = situations.situation(record(X, {"const": "1.5", "seen": ["1.5"]}, {"const": "fw.int64"}), SIGNATURES, TRYING)
        assert one is not None
        self.assertEqual((one.slots, one.word, one.others), (["x", "y", "z"], "n2k", {"x": "="}))
        self.assertEqual([arg["value"] for arg in one.args("k1n")],
                         [{"tensor": ["s0"], "dtype": "int64"}, {"const": "2"}, {"const": "fw.float32"}])  # fmt: skip
        self.assertEqual(one.args("N2k")[0]["value"], {"tensor": [], "dtype": "float32"})

    def test_ranks_compare_with_the_first_tensor(self) -> None:
        one = situations.situation(record(X, {"tensor": [], "dtype": "float32"}, {"const": "True"}), SIGNATURES, TRYING)
        assert one is not None
        self.assertEqual((one.word, one.others), ("nN", {"x": "=", "y": "<", "z": "True"}))

    def test_an_optional_dtype_is_given_and_left_out(self) -> None:
        plain = situations.possible([record(X, Y)], SIGNATURES, TRYING)
        self.assertEqual([one.slots for one in plain], [["x", "y"], ["x", "y", "kind"]])
        named = record(X, Y)
        named["args"].append({"name": "kind", "pos": False, "value": {"const": "fw.float32"}})
        self.assertEqual(
            [one.slots for one in situations.possible([named], SIGNATURES, TRYING)], [["x", "y", "kind"], ["x", "y"]]
        )

    def test_the_novel_ones_are_chosen(self) -> None:
        found = situations.possible([record(X, Y), record(X, Y), record(X)], [], TRYING)
        self.assertEqual([one.slots for one in situations.chosen(found)], [["x"], ["x", "y"]])
        self.assertEqual(len(situations.chosen(found, 1)), 1)


class Outcomes(unittest.TestCase):
    def found(self) -> dict[str, str | None]:
        """The outcomes of two tensors."""
        one = situations.situation(record(X, Y), SIGNATURES, TRYING)
        assert one is not None
        return trials.Trials(Adder(), one, TRYING.dtypes).run()

    def test_all_combinations_of_two_tensors_and_numbers_are_tried(self) -> None:
        found = self.found()
        self.assertEqual((found["nn"], found["nk"], found["kk"], found["aa"], found["n2"]), ("n", "n", "k", "-", "n"))
        self.assertEqual(set(map(len, found)), {2})
        self.assertGreaterEqual(len(found), 3 * 3)

    def test_as_text(self) -> None:
        outputs, rows = trials.text({"nk": "n", "nn": "n", "aa": "-", "ak": "k", "na": None})
        self.assertEqual(outputs, ["k", "n"])
        self.assertEqual(rows, ["a:-.........!", 'n:..........".."'])

    def test_letters_of_outcomes_are_printable_and_none_is_taken(self) -> None:
        many = {
            chr(ord("a") + a) + chr(ord("a") + b): chr(ord("a") + a) + chr(ord("a") + b) for a in range(18) for b in range(18)
        }
        outputs, rows = trials.text(many)
        self.assertEqual(len(outputs), trials.OUTPUTS)
        text = "".join(row.partition(":")[2] for row in rows)
        self.assertTrue(all(32 < ord(letter) < 127 for letter in text))
        self.assertNotIn(letters.REJECTED, text)

    def test_numbers_have_kinds(self) -> None:
        self.assertEqual([letters.number(text) for text in ("True", "3", "-1.5", "inf", "(1+2j)", "None", "fw.x")],
                         ["0", "1", "2", "2", "3", "", ""])  # fmt: skip


class Tables(unittest.TestCase):
    def test_written_tables_are_read(self) -> None:
        rows = [["f", "x", "{}", "k n", "a:!"], ["g", "x y", '{"x":"="}', "k n", "a:!"], ["g", "x", "{}", "n", "a:-"]]
        written = command.text(rows, {"1": "float32", "8": "odd"})
        self.assertEqual(written.splitlines()[0], "codes\t1=n")
        self.assertEqual(written.count("table\t"), 2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / command.TABLE
            self.assertEqual(command.read(path), {})
            path.write_text(written, encoding="ascii")
            self.assertEqual(command.read(path), {"f": rows[:1], "g": rows[1:]})


if __name__ == "__main__":
    unittest.main()

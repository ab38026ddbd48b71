"""causes, amend and rows, with fake answers."""

import json
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

from rulefuzz.framework import Rejected
from traces.collect.call.spec import Json
from traces.collect.cli import amend
from traces.collect.judge.framework import Output
from traces.collect.records.recorded import Recorded
from traces.collect.repair import causes, rows, uses
from traces.collect.values import classes
from traces.collect.values.classes import Seen

RECORD: Json = {
    "op": "t.pool-0", "api": "t.pool", "framework": "t",
    "args": [
        {"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": "float32"}},
        {"name": "shape", "pos": True, "value": {"elements": ["s2", {"const": "7"}], "dtype": "int64"}},
        {"name": "at", "pos": True, "value": {"tensor": ["s3"], "dtype": "int64", "range": ["s4", "s5"]}},
        {"name": "rate", "pos": False, "value": {"const": "0.5", "seen": ["0.5", "1.0"]}},
        {"name": "mode", "pos": False, "value": {"const": "'same'"}},
        {"name": "size", "pos": False, "value": "s6"},
    ],
    "outputs": [{"tensor": ["o0", "o1"], "dtype": "float32"}],
    "dtypes": [[["float32", "int64"], ["float32"]], [["float64", "int64"], ["float64"]]],
    "pass": [[[2, 3, 4, 5, 0, 6, 7], [2, 3]], [[2, 1, 4, 5, 0, 6, 7], [2, 1]]], "fail": [],
}  # fmt: skip
CALL: Json = {
    "op": "t.pool-0", "in": [2, 9, 4, 5, 7], "dtypes": ["float64", "int64"], "constants": ["1.0", "'same'"], "out": [2, 9],
    "inputs": [{"shape": [2, 9]}, {"shape": [5], "min": 1.0, "max": 3.0}], "error": "no",
}  # fmt: skip
FAILED, AS_SAID = {"outcome": "fail"}, {"outcome": "pass", "out": [2, 9]}


class CausesTest(unittest.TestCase):
    def test_four_questions(self) -> None:
        asked = [subject for subject, _ in causes.questions(Recorded.of(RECORD), CALL)]
        found = [(s.args[0]["value"]["dtype"], s.args[3]["value"]["const"], s.types[0][1]) for s in asked]
        self.assertEqual(found, [("float32", "0.5", "float32"), ("float32", "1.0", "float32"),
                                 ("float64", "0.5", "float64"), ("float64", "1.0", "float64")])  # fmt: skip
        self.assertEqual(asked[3].args[1]["value"]["elements"][1], {"const": "7"})

    def test_the_first_wrong_answer_tells_the_cause(self) -> None:
        other = {"outcome": "pass", "out": [2, 8]}
        for answers, wanted in (
            ([FAILED] * 4, "rule"), ([other] * 4, "rule"), ([AS_SAID, FAILED, AS_SAID, FAILED], "constants"),
            ([AS_SAID, AS_SAID, FAILED, FAILED], "dtypes"), ([AS_SAID] * 3 + [{"outcome": "other"}], "dtypes"),
            ([AS_SAID] * 4, "values"), ([{"outcome": "mixed"}] * 4, "values"), ([{"outcome": "lost"}] * 4, "lost"),
        ):  # fmt: skip
            self.assertEqual(causes.cause(answers, CALL["out"])[0], wanted)


class AmendTest(unittest.TestCase):
    def amended(self, cause: str, call: object) -> Json:
        with tempfile.TemporaryDirectory() as folder:
            records, lists = Path(folder, "records"), Path(folder, "lists")
            records.mkdir()
            lists.mkdir()
            (records / "t.pool.jsonl").write_text(json.dumps(RECORD) + "\n")
            (lists / f"{cause}.jsonl").write_text(json.dumps(call) + "\n")
            self.assertEqual(amend.main([str(records), str(lists)]), 0)
            return json.loads((records / "t.pool.jsonl").read_text())

    def test_a_refused_call_is_a_failing_record(self) -> None:
        self.assertEqual(self.amended("rule", {**CALL, "found": FAILED})["fail"], [[2, 9, 4, 5, 1, 4, 7]])

    def test_another_shape_is_a_passing_record(self) -> None:
        record = self.amended("rule", {**CALL, "found": {"outcome": "pass", "out": [2, 8]}})
        self.assertIn([[2, 9, 4, 5, 1, 4, 7], [2, 8]], record["pass"])

    def test_a_tuple_goes_but_not_the_own(self) -> None:
        self.assertEqual(self.amended("dtypes", CALL)["dtypes"], RECORD["dtypes"][:1])
        self.assertEqual(self.amended("dtypes", {**CALL, "dtypes": ["float32", "int64"]}), RECORD)

    def test_a_float_goes_but_not_the_own(self) -> None:
        self.assertEqual(self.amended("constants", CALL)["args"][3]["value"]["seen"], ["0.5"])
        self.assertEqual(self.amended("constants", {**CALL, "constants": ["0.5", "'same'"]}), RECORD)

    def test_inputs_are_copied(self) -> None:
        self.assertEqual(self.amended("layout", CALL)["writes"], [0, 1])

    def uses(self, call: Json, values: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            records, lists = Path(folder, "records"), Path(folder, "lists")
            records.mkdir()
            lists.mkdir()
            (records / "t.pool.jsonl").write_text(json.dumps(RECORD) + "\n")
            (records / "VALUES.tsv").write_text(f"op\taccepts\tgives\n{values}\n")
            (lists / "values.jsonl").write_text(json.dumps(call) + "\n")
            self.assertEqual(amend.main([str(records), str(lists)]), 0)
            runs = records / "RUNS.tsv"
            return runs.read_text() if runs.exists() else ""

    def test_who_was_given_what_it_does_not_take_is_not_to_blame(self) -> None:
        call = {**CALL, "inputs": [{"shape": [2, 9], "finite": False}, {"shape": [5], "finite": True}]}
        self.assertIn("t.pool-0\tdelicate", self.uses(call, "t.pool-0\tfa\tffffff"))
        zero = {**CALL, "inputs": [{"shape": [2, 9], "min": 0, "max": 3}, {"shape": [5]}]}
        self.assertIn("t.pool-0\tdelicate", self.uses(zero, "t.pool-0\tpa\tffffff"))
        self.assertIn("t.pool-0\tnever", self.uses(zero, "t.pool-0\tsa\tffffff"))
        self.assertIn("t.pool-0\tnever", self.uses(call, "t.pool-0\taa\tffffff"))
        self.assertIn("t.pool-0\tnever", self.uses(CALL, "t.pool-0\tfa\tffffff"))

    def test_who_makes_infinities_gives_anything(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "VALUES.tsv")
            lines = "t.a-0\tf\tffffff", "t.b-0\tl\tlllfff", "t.c-0\tl\tlllfff"
            table.write_text("\n".join(["op\taccepts\tgives", *lines]) + "\n")
            made = Path(folder, "nonfinite.tsv")
            made.write_text("op\tnonfinite\tcalls\nt.a-0\t3\t1000\nt.b-0\t3\t50\nt.d-0\t9\t9\n")
            self.assertEqual(amend.main([folder, str(made)]), 0)
            self.assertEqual(table.read_text().splitlines()[1:], [lines[0], "t.b-0\tl\taaaaaa", lines[2]])

    def test_who_is_right_again_is_used_by_its_rule(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "RUNS.tsv")
            loose = [f"t.{letter}-0\trecords\t{uses.LOOSE}" for letter in "abcd"]
            others = ["t.e-0\tnever\tit is singular", "t.f-0\trecords\t6 outputs instead of 5"]
            killed = "t.h-0\trecords\tkilled by SIGABRT"
            table.write_text("\n".join(["op\tuse\twhy", *loose, *others, killed]) + "\n")
            found = Path(folder, "by-op.tsv")
            rows_ = ["a-0 400 300 0 9 0", "b-0 400 299 0 9 0", "c-0 400 300 1 9 0", "e-0 400 400 0 9 0", "f-0 400 400 0 9 2"]
            rows_ += ["g-0 400 400 0 9 0", "h-0 400 400 0 9 0"]
            lines = ["t." + "\t".join(row.split()) for row in rows_]
            found.write_text("\n".join(["op\tinputs\taccepted\trefused\tonly_passed\tother_outputs", *lines]) + "\n")
            self.assertEqual(amend.main([folder, str(found)]), 0)
            self.assertEqual(table.read_text().splitlines()[1:], loose[1:] + others)


class Typed:
    """Rejects other dtypes than its own; returns its input."""

    name = "t"

    def __init__(self, accepted: str) -> None:
        self.accepted = accepted.split()

    def compile(self, api: str, args: Sequence[Json]) -> str:
        return str(args[0]["value"]["dtype"])

    def run(self, call: str, values: tuple[int, ...], fill: str) -> tuple[Output, ...]:
        if call not in self.accepted or (fill == "zeros" and call == "int32"):
            raise Rejected(call)
        return ((values[:2], call),)


class Choosy:
    """Rejects a rate of 1.0 on empty tensors, and any but 0.5 in int32."""

    name = "t"

    def compile(self, api: str, args: Sequence[Json]) -> tuple[str, str]:
        return args[0]["value"]["dtype"], args[3]["value"]["const"]

    def run(self, call: tuple[str, str], values: tuple[int, ...], fill: str) -> tuple[Output, ...]:
        if (call[1] == "1.0" and 0 in values[:2]) or (call[0] == "int32" and call[1] != "0.5"):
            raise Rejected("no")
        return ((values[:2], call[0]),)


class Dividing:
    """Divides two tensors, and dies if an integer is divided by 0."""

    name, version = "t", "1"

    def compile(self, api: str, args: Sequence[Json]) -> str:
        return str(args[0]["value"]["dtype"])

    def run(self, call: str, values: tuple[int, ...], fill: str) -> tuple[Seen, ...]:
        divisor = classes.elements(values[:1], call, classes.tokens(fill)[1], 2)
        if "int" in call and not divisor.all():
            raise Rejected("killed by SIGFPE")
        return (Seen(values[:1], call, True, 0.0, 1.0),)


class RowsTest(unittest.TestCase):
    def test_floats_and_tuples_that_do_not_go_with_the_rest_are_dropped(self) -> None:
        rate = {"const": "0.5", "seen": ["0.5", "1.0", "2.0"]}
        args = [{**arg, "value": rate} if arg["name"] == "rate" else arg for arg in RECORD["args"]]
        tuples = [[["float32", "int64"], ["float32"]], [["int32", "int64"], ["int32"]]]
        record = {**RECORD, "args": args, "dtypes": tuples}
        new = rows.dropped(Choosy(), record)  # type: ignore[arg-type]
        self.assertEqual((new["args"], new["dtypes"]), (args, tuples[:1]))  # no record is empty
        record["pass"] = [*RECORD["pass"], [[0, 3, 4, 5, 0, 6, 7], [0, 3]]]
        new = rows.dropped(Choosy(), record)  # type: ignore[arg-type]
        self.assertEqual(new["args"][3]["value"]["seen"], ["0.5", "2.0"])
        self.assertEqual(new["dtypes"], tuples[:1])
        rate["seen"] = ["0.5", "1.0"]
        self.assertEqual(rows.dropped(Choosy(), record)["dtypes"], tuples)  # type: ignore[arg-type]

    def test_all_that_run_stand(self) -> None:
        found = rows.table(Typed("float32 float16 int32"), RECORD)  # type: ignore[arg-type]
        self.assertEqual(found, [[[d, "int64"], [d]] for d in ("float16", "float32")])

    def test_elements_that_the_own_tuple_refuses_are_not_asked_for(self) -> None:
        record = {**RECORD, "args": [{"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": "int32"}}],
                  "dtypes": []}  # fmt: skip
        self.assertEqual([row[0] for row in rows.table(Typed("int32 int64"), record)], [["int32"], ["int64"]])  # type: ignore[arg-type]

    def test_elements_are_of_the_accepted_classes(self) -> None:
        """Integers are divided by anything but 0, which the record's floats accept."""
        tensor = {"tensor": ["s0"], "dtype": "float32"}
        args = [{"name": name, "pos": True, "value": tensor} for name in "AB"]
        outputs = [{"tensor": ["o0"], "dtype": "float32"}]
        record: Json = {**RECORD, "args": args, "dtypes": [], "pass": [[[2], [2]]], "outputs": outputs}
        by = Dividing()
        within = rows.Within(by, "lp")
        self.assertTrue(rows.Within.needed("lp") and not rows.Within.needed("la"))
        for inside, wanted in ((within, "int32"), (rows.Within(by, "ll"), "float32")):
            found = rows.table(by, record, inside)  # type: ignore[arg-type]
            self.assertEqual(sorted({row[0][0] for row in found} & {"int32", "float32"}), sorted({wanted, "float32"}))

    def test_a_record_whose_own_tuple_does_not_run(self) -> None:
        said: list[str] = []
        new = rows.renewed(RECORD, rows.table(Typed("float16 float64"), RECORD), said.append)  # type: ignore[arg-type]
        self.assertEqual(new["args"][0]["value"]["dtype"], "float16")
        self.assertEqual(new["outputs"][0]["dtype"], "float16")
        self.assertEqual(len(said), 1)
        self.assertEqual(rows.renewed(RECORD, [], said.append), RECORD)


if __name__ == "__main__":
    unittest.main()

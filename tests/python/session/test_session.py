"""Sessions as data and as text. Needs no framework."""

from __future__ import annotations

import ast
import re
import unittest
from pathlib import Path

from rulefuzz.session import changes, construct, program
from rulefuzz.session.construct import Item, Session

TREE = Path(__file__).parents[3]
BODY = program.Body([], ["v0", "v1"], ["v2"], ["v3 = v0 + v2", "(v4, v5) = f(v3)", "v6 = -v4"], ["v6"], ["v0"], ["v0"])


def text(constructs: str, changed: str) -> str:
    """The program of a session with these items."""
    return program.text(BODY, construct.read({"constructs": constructs.split(), "changes": changed.split()}))


class Rows(unittest.TestCase):
    def test_the_generator_knows_the_same_names(self) -> None:
        table = (TREE / "runtime/generate/session/changes.def").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r'^CHANGE\("(.*)", \d+\)', table, re.M)), set(changes.NAMES))

    def test_every_row_is_python(self) -> None:
        for name in construct.rows():
            for pick in range(len(construct.NUMBERS)):
                row = construct.filled(Item(name, pick), 3, "part3", "v0", "(v1,)")
                for part in (row.definitions, *row.changes, *row.state):
                    ast.parse(part)
                ast.parse("def f():\n" + "\n".join("    " + line for line in row.body.splitlines()))
                self.assertEqual(row.body.count("(v1,)"), 1, name)
                self.assertEqual((row.body + row.definitions).count("v0") > 0, True, name)


class Reading(unittest.TestCase):
    def test_a_session_is_read(self) -> None:
        found = construct.read({"constructs": ["closure:3"], "changes": ["values:0", "state:12"]})
        self.assertEqual(found, Session((Item("closure", 3),), (Item("values", 0), Item("state", 12))))
        self.assertEqual(found.label(), "closure; values, state")

    def test_others_are_rejected(self) -> None:
        rejected: list[tuple[list[str], list[str]]] = [(["no-such:1"], []), (["closure"], []), (["closure:x"], [])]
        for constructs, changed in [*rejected, ([], ["closure:1"]), (["closure:1"] * 9, [])]:
            with self.subTest(constructs), self.assertRaises(ValueError):
                construct.read({"constructs": constructs, "changes": changed})


class Calls(unittest.TestCase):
    def test_even_numbers_last_and_odd_ones_do_not(self) -> None:
        items = [Item("number", 0), Item("sizes", 1), Item("same", 0)]
        calls = changes.calls(items, [[], [], []])
        self.assertEqual([call.number for call in calls], ["2", "3", "3", "3"])
        self.assertEqual([call.shape[0] for call in calls], ["3, 4", "3, 4", "2, 4", "3, 4"])
        self.assertEqual([call.kind for call in calls], ["", "number", "sizes", "same"])

    def test_elements_change_with_the_model(self) -> None:
        session = construct.read({"constructs": [], "changes": ["values:1", "values:0", "same:0"]})
        self.assertEqual(program.values(session), [0, 1, 1, 1])


class Text(unittest.TestCase):
    def test_calls_are_divided_into_parts(self) -> None:
        found = text("closure:0 print:0 item:0", "state:0")
        self.assertIn("def part0(v0):\n    v2 = c2\n    v3 = v0 + v2\n    return (v3,)\n", found)
        self.assertIn("def part1(v3):\n    (v4, v5) = f(v3)\n    return (v4, v5)\n", found)
        self.assertIn("def part2(v4):\n    v6 = -v4\n    return (v6,)\n", found)
        self.assertIn("(v3,), e = run0(s, v0)", found)
        self.assertIn("    return (v6,), extras", found)

    def test_changes_are_statements(self) -> None:
        found = text("recursion:0", "state:0 default-dtype:0 strides:0 requires-grad:0")
        self.assertIn("def before_1():\n    global DEPTH0\n    DEPTH0 = 3\n", found)
        self.assertIn("with default_dtype(torch.float64):\n        return function(*given)", found)
        self.assertIn("v0 = relaid(v0, 0)", found)
        self.assertIn("v0.requires_grad_()", found)
        self.assertIn("(given_1, before_1, call_1),", found)
        self.assertIn('"recursion 0": [DEPTH0],', found)

    def test_names_that_a_statement_assigns_are_global(self) -> None:
        for statement, names in (("a = 1", "a"), ("a, b = b, a", "a, b"), ("del a", "a"), ("a += 1; b.c = 2", "a")):
            self.assertEqual(program._before(statement)[0], f"    global {names}", statement)
        self.assertEqual(program._before("a.b = 1"), ["    a.b = 1"])

    def test_every_program_compiles(self) -> None:
        for name in construct.rows():
            for change in changes.NAMES:
                ast.parse(text(f"{name}:1 {name}:2", f"{change}:4 {change}:7"))

    def test_without_constructs_the_model_is_as_it_is(self) -> None:
        self.assertIn("def model(v0, v1, s, t, n):\n    v2 = c2\n    v3 = v0 + v2\n", text("", "same:0"))


if __name__ == "__main__":
    unittest.main()

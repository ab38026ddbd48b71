"""Excuses as a whole: each has a name, a reason, a source, cases and faults that exist, and a row in the documentation."""

from __future__ import annotations

import ast
import importlib.util
import unittest
import unittest.mock
from pathlib import Path

if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("no numpy")

import numpy as np

from rulefuzz import table
from rulefuzz.oracle import excuses, tolerance
from rulefuzz.oracle.check import of_elements
from rulefuzz.oracle.compare import distance
from rulefuzz.oracle.excuses import outside, unspecified
from rulefuzz.oracle.excuses.call import Result
from rulefuzz.oracle.excuses.difference import Element
from rulefuzz.oracle.excuses.excuse import Counts, Excuse
from rulefuzz.oracle.excuses.verdicts import Rejection
from tests.python.excuses import cases_of, rows
from tests.python.excuses.page import GROUPS, page, sources

TREE = Path(__file__).parents[3]
NAMES = ["other-sign", "below-the-floor", "index-among-equal", "approximation"]
"""The excuses of insignificant differences, in order."""


def constants() -> list[str]:
    """All texts in the tests."""
    found = []
    for path in (TREE / "tests" / "python").rglob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return found


def tables(name: str) -> set[str]:
    """The keys of all dictionaries of this name in the oracle's tests."""
    found: set[str] = set()
    for path in (TREE / "tests" / "python" / "oracle").glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and ast.unparse(node.target) == name:
                found |= {key.value for key in node.value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return found


class Every(unittest.TestCase):
    """All excuses."""

    def test_are_complete(self) -> None:
        for excuse in excuses.every().values():
            with self.subTest(excuse.name):
                self.assertEqual((bool(excuse.__doc__), bool(cases_of(excuse.name))), (True, excuse.name in sources()))
        for name, (group, source) in sources().items():
            with self.subTest(name):
                self.assertTrue(name in excuses.every() and group in GROUPS and source)

    def test_cases_exist(self) -> None:
        texts = constants()
        for excuse, _, case in rows():
            with self.subTest(f"{excuse}: {case}"):
                self.assertIn(excuse, excuses.every())
                self.assertTrue(any(case == text or f'"{case}"' in text or case in text.split('"') for text in texts))

    def test_each_case_has_an_excuse(self) -> None:
        known = {case for name in excuses.every() for case in cases_of(name)}
        self.assertEqual({name for name in tables("CASES") - known if " " in name}, set())

    def test_one_name_each(self) -> None:
        excuses.every.cache_clear()

        class Twin(Excuse):
            """Another undefined result."""

            name = "undefined-result"

        with self.assertRaisesRegex(ValueError, "two excuses are named undefined-result"):
            excuses.every()
        Twin.name = ""
        excuses.every.cache_clear()

    def test_page(self) -> None:
        text = (TREE / "docs" / "reference" / "excuses.md").read_text(encoding="utf-8")
        self.assertEqual(text, page(), "run python -m tests.python.excuses.page > docs/reference/excuses.md")


class Rejections(unittest.TestCase):
    """Messages of a reference that rejects an invalid model."""

    def test_rejected_for_its_elements(self) -> None:
        """ "rejected for its elements"."""
        for message, wanted in (("index 7 is out of bounds", {"rejects-elements"}),
                                ("the matrix is singular", {"rejects-elements"}),
                                ("dimension out of range (expected -1)", set()), ("shapes do not match", set()),
                                ("size_ % 2 == 1 was false", {"rejects-by-its-own-limit"})):  # fmt: skip
            with self.subTest(message):
                found = {excuse.name for excuse in excuses.of_kind(Rejection) if excuse.applies(RuntimeError(message))}
                self.assertEqual(found, wanted)


class Table(unittest.TestCase):
    """unspecified.tsv"""

    def test_rows_have_a_user(self) -> None:
        """Each row is of an excuse, or of a trait that some module asks for by name."""
        folder = TREE / "runtime/python/rulefuzz"
        sources = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
        names = {row.excuse for row in unspecified._table()}
        self.assertEqual({name for name in names if f'"{name}"' not in sources}, set())

    def test_whole_names(self) -> None:
        names = ("gridsample", "cropandresizegrad", "grid", "scatternd", "scatterndadd")
        self.assertEqual([unspecified.has("unspecified-input", name) for name in names], [True, True, False, True, False])
        self.assertFalse(unspecified.has("undefined-result", "roll"))

    def test_results_without_a_row(self) -> None:
        """An excuse looks at calls with a row in the table, or at all calls."""
        for excuse in excuses.of_kind(Result):
            self.assertTrue(excuse.everywhere or unspecified.rows(excuse.name), excuse.name)


class Tolerances(unittest.TestCase):
    """tolerances.def, which C includes."""

    def test_every_row_is_read(self) -> None:
        lines = (TREE / "runtime/ort/tolerances.def").read_text(encoding="ascii").splitlines()
        self.assertEqual(len(table.tolerances()), sum(line[:1].isalpha() for line in lines))
        dtypes = {fields[1] for name, fields in table.tolerances() if name == "TOLERANCE"}
        rows = [fields[:2] for name, fields in table.tolerances() if name == "TOLERANCE"]
        self.assertEqual(sorted(rows), sorted((preset.upper(), dtype) for preset in tolerance.PRESETS for dtype in dtypes))

    def test_small_and_unknown_floats(self) -> None:
        self.assertEqual(tolerance.bounds("measured", "float8_e5m2"), (1e-5, 0.25))
        self.assertEqual(tolerance.bounds("neuri", "float4e2m1"), (1e-3, 1e-2))
        self.assertEqual(tolerance.bounds("measured", "tfloat32"), tolerance.bounds("measured", "float32"))


class Distances(unittest.TestCase):
    def test_unsigned_integers(self) -> None:
        """They neither wrap nor need a subtraction, which torch lacks for most of them."""
        for dtype in ("uint8", "uint16", "uint32", "uint64", "int64"):
            one, other = np.array([3], dtype), np.array([5], dtype)
            self.assertEqual(distance(one, other).tolist(), [2])
            if importlib.util.find_spec("torch"):
                import torch

                self.assertEqual(distance(torch.from_numpy(one), torch.from_numpy(other)).tolist(), [2])


class Counting(unittest.TestCase):
    """Counts."""

    def test_counts(self) -> None:
        counts, inside = Counts(), Counts()
        for about, name, number in ((1, "a", 2), (1, "b", 3), (2, "a", 4), (3, "c", 0)):
            counts.note(about, name, number)
        self.assertEqual(counts.total(), {"a": 6, "b": 3})
        counts.forget(1)
        inside.note(1, "d", 5)
        inside.note(2, "e", 6)
        counts.take(inside, [1])
        counts.forget(1)
        self.assertEqual(counts.total(), {"a": 4, "d": 5})


class Order(unittest.TestCase):
    """Masks do not depend on the order of excuses."""

    def test_any_order(self) -> None:
        class One(Element):
            """The first half."""

            def applies(self, subject: object) -> object:
                return np.array([True, True, False, False])

        class Other(Element):
            """The middle."""

            def applies(self, subject: object) -> object:
                return np.array([False, True, True, False])

        from rulefuzz.oracle.excuses.difference import Difference

        left = []
        for order in ([One(), Other()], [Other(), One()]):
            numbers = np.arange(4.0)
            difference = Difference(unittest.mock.Mock(), 0, ("", (4,), "float64", numbers + 1), ("", (4,), "float64", numbers))
            difference.excuse(order)
            left.append(difference.left.tolist())
        self.assertEqual(left, [[False, False, False, True]] * 2)

    def test_requirements(self) -> None:
        """Requirements of the table compute and compare; nothing else in a table is evaluated."""
        kinds = (outside.Undefined, outside.Violated, outside.Lax)
        found = [row for kind in kinds for row in unspecified.rows(kind.name)]
        self.assertGreater(len(found), 40)
        for row in found:
            outside.compiled(row.requirement)
        for text in ("x.__class__", "__import__('os')", "exit()", "[i for i in x]", "_argument", "(lambda: x)()", "len(x)(1)"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "is not allowed"):
                outside.compiled(text)

    def test_groups(self) -> None:
        """Elements that differ insignificantly are excused before anything is measured."""
        first, second = of_elements()
        self.assertEqual([excuse.name for excuse in first], NAMES)
        self.assertIn("as-close-to-64-bits", [excuse.name for excuse in second])


if __name__ == "__main__":
    unittest.main()

"""docs/findings: every page has a standalone script, and the index of README.md is up to date."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

FOLDER = Path(__file__).parents[3] / "docs" / "findings"
FRAMEWORKS = set("numpy onnx onnxruntime openvino tract MNN _tools tvm torch tensorflow ai_edge_litert".split())
FRAMEWORKS |= set("cv2 tinygrad iree onnxslim onnxsim onnxoptimizer onnxscript onnxconverter_common tf2onnx".split())
LONGEST = 25


def checker() -> ModuleType:
    """docs/findings/check.py, which belongs to no package."""
    spec = importlib.util.spec_from_file_location("findings_check", FOLDER / "check.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Findings(unittest.TestCase):
    """The committed pages and scripts pass the check."""

    def test_pages_and_scripts(self) -> None:
        pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
        scripts = {path.stem for path in FOLDER.glob("*.py")} - {"check"}
        self.assertEqual(pages, scripts)
        self.assertEqual(pages, set(checker().pages()))

    def test_scripts_stand_alone(self) -> None:
        for path in sorted(FOLDER.glob("*.py")):
            if path.stem == "check":
                continue
            with self.subTest(path.name):
                text = path.read_text()
                self.assertLessEqual(len(text.splitlines()), LONGEST)
                for node in ast.walk(ast.parse(text)):
                    names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                    for name in (name.split(".")[0] for name in names):
                        self.assertTrue(name in FRAMEWORKS or name in sys.stdlib_module_names, name)

    def test_index(self) -> None:
        module = checker()
        self.assertEqual((FOLDER / "README.md").read_text(), module.readme(), "python docs/findings/check.py --index")
        self.assertEqual((FOLDER / "index.tsv").read_text(), module.table(), "python docs/findings/check.py --index")

    def test_table(self) -> None:
        lines = checker().table().splitlines()
        self.assertEqual(len(lines), len(checker().pages()) + 1)
        self.assertEqual({line.count("\t") for line in lines}, {len(checker().COLUMNS) - 1})
        rows = {row[2]: dict(zip(lines[0].split("\t"), row, strict=True)) for row in (line.split("\t") for line in lines)}
        self.assertEqual(rows["mnn-abs-nan"]["actual"], "float32 (2,) [0.0, 1.0]")
        self.assertIn("eval() called on a Dummy op", rows["tract-rotaryembedding"]["quoted"])


class Fixed(unittest.TestCase):
    """Pages of bugs that a newer version does not have."""

    def test_fixed(self) -> None:
        """The page and the index say so, and the script's outcome is no surprise."""
        module, printed = checker(), io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(module, "FOLDER", Path(folder)),
            mock.patch.object(module, "python", lambda name: Path(sys.executable)),
            mock.patch.object(sys, "argv", ["check.py", "onnx"]),
            contextlib.redirect_stdout(printed),
        ):
            for name, more in (("onnx-old", "| fixed | onnx 9.9 |\n"), ("onnx-new", "")):
                rows = "".join(f"| {field} | x |\n" for field in ("versions", "operators", "found", "script"))
                rows += f"{more}| class | crash |\n| needs | module |\n| upstream | not found |\n"
                (Path(folder) / f"{name}.md").write_text(f"# onnx: {name}\n\n| target | onnx |\n{rows}")
                (Path(folder) / f"{name}.py").write_text("")
            self.assertEqual(module.pages()["onnx-old"]["fixed"], "onnx 9.9")
            self.assertIn("2 findings, 1 of them fixed in a newer version;", module.index())
            self.assertIn("| not found; fixed in onnx 9.9 |", module.index())
            self.assertEqual(module.main(), 0)
        self.assertEqual(printed.getvalue().split("\n")[:3], ["not-reproduced  onnx-new", "fixed           onnx-old",
                                                              "1 fixed, 1 not-reproduced"])  # fmt: skip


class Verdicts(unittest.TestCase):
    """The outcomes that check.py reports for a script."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.module = checker()
        self.folder = Path(folder.name)
        for name, value in (("FOLDER", self.folder), ("python", lambda name: Path(sys.executable)), ("TIMEOUT", 60)):
            setattr(self.module, name, value)

    def verdict(self, script: str) -> str:
        (self.folder / "onnx-x.py").write_text(script)
        return str(self.module.verdict("onnx-x"))

    def test_reproduces(self) -> None:
        self.assertEqual(self.verdict("print('actual: 1'); raise SystemExit(1)"), "reproduces")
        self.assertEqual(self.verdict("raise SystemExit('actual: an error')"), "reproduces")
        self.assertEqual(self.verdict("import os; os.abort()"), "reproduces")

    def test_not_reproduced(self) -> None:
        self.assertEqual(self.verdict("print('actual: 1')"), "not-reproduced")

    def test_failed(self) -> None:
        self.assertTrue(self.verdict("import nothing_of_that_name").startswith("failed: exit code 1"))
        self.assertTrue(self.verdict("raise SystemExit(2)").startswith("failed: exit code 2"))

    def test_clean_shell(self) -> None:
        script = "import os, sys; sys.exit(bool({*os.environ} - {'PATH', 'HOME', 'LC_CTYPE'}))"
        self.assertEqual(self.verdict(script), "not-reproduced")

    def test_debian(self) -> None:
        """A debian-* script runs with the system's Python if that imports torch 1.13."""
        module: Any = checker()
        for version, there in (("1.13.0a0", True), ("2.13.0", False)):
            interpreter = self.folder / f"python-{version}"
            interpreter.write_text(f'#!/bin/sh\nPYTHONPATH={self.folder}/{version} exec {sys.executable} "$@"\n')
            interpreter.chmod(0o755)
            (self.folder / version).mkdir()
            (self.folder / version / "torch.py").write_text(f"__version__ = {version!r}\n")
            module.DEBIAN = interpreter
            self.assertEqual(there, module.python("debian-x") == interpreter, version)
        self.assertFalse(module.has_old_torch(self.folder / "nothing"))

    def test_bad_page(self) -> None:
        (self.folder / "onnx-x.md").write_text("# A title\n")
        with self.assertRaisesRegex(SystemExit, r"onnx-x\.md:1: error: field target is missing"):
            self.module.pages()

    def test_unknown_word(self) -> None:
        """A class or a need outside of the vocabulary is an error with its line."""
        good = dict.fromkeys(self.module.FIELDS, "x") | {"target": "MNN", "class": "crash", "needs": "single call, constants"}
        for name, value, line in (("target", "NMN", 3), ("class", "surprise", 5), ("needs", "single call, luck", 7)):
            rows = "".join(f"| {k} | {v} |\n" for k, v in (good | {name: value}).items())
            (self.folder / "onnx-x.md").write_text(f"# {'NMN' if name == 'target' else 'MNN'}: A title\n\n{rows}")
            with self.assertRaisesRegex(SystemExit, rf"onnx-x\.md:{line}: error: {name}: unknown word"):
                self.module.pages()

    def test_bad_title(self) -> None:
        """A title names the target and is short enough for one line of the index."""
        fields = dict.fromkeys(self.module.FIELDS, "x") | {"target": "MNN", "class": "hang", "needs": "single call"}
        rows = "".join(f"| {k} | {v} |\n" for k, v in fields.items())
        for title, wrong in (("MNN: Abs(NaN) returns 0", False), ("Abs(NaN) returns 0", True), (f"MNN: {'x' * 76}", True)):
            (self.folder / "mnn-x.md").write_text(f"# {title}\n\n{rows}")
            if wrong:
                with self.assertRaisesRegex(SystemExit, r"mnn-x\.md:1: error: title: expected 'MNN: …'"):
                    self.module.pages()
            else:
                self.assertEqual(self.module.pages()["mnn-x"]["title"], title)

    def test_stale_index(self) -> None:
        """--check fails if the index is not that of the pages, and --index repairs it."""
        fields = dict.fromkeys(self.module.FIELDS, "x") | {"target": "MNN", "class": "hang", "needs": "single call"}
        rows = "".join(f"| {k} | {v} |\n" for k, v in fields.items())
        (self.folder / "mnn-x.md").write_text(f"# MNN: x\n\n{rows}")
        (self.folder / "README.md").write_text(f"head\n{self.module.BEGIN}\n{self.module.END}\ntail\n")
        kept = sys.argv[1:]
        self.addCleanup(lambda: sys.argv.__setitem__(slice(1, None), kept))
        for option, status in (("--check", 1), ("--index", 0), ("--check", 0)):
            sys.argv[1:] = [option]
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(self.module.main(), status, option)
        text = (self.folder / "README.md").read_text()
        self.assertIn("\n## MNN\n", text)
        self.assertIn("| [x](mnn-x.md) | x | hang | x |\n", text)
        self.assertTrue(text.startswith("head\n") and text.endswith("tail\n"))

    def test_bad_target(self) -> None:
        sys.argv[1:], kept = ["nowhere"], sys.argv[1:]
        self.addCleanup(lambda: sys.argv.__setitem__(slice(1, None), kept))
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(self.module.main(), 1)
        self.assertIn("error: unknown target nowhere", said.getvalue())

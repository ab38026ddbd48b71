"""The table of frameworks and the target files: C reads them as text and must see what Python does. Needs no
framework."""

from __future__ import annotations

import builtins
import dis
import importlib
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

try:
    from rulefuzz import table, targets
    from rulefuzz.framework import Unavailable
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

FOLDER = Path(targets.__path__[0])


class Table(unittest.TestCase):
    """frameworks.def."""

    def test_rows(self) -> None:
        rows = table.frameworks()
        self.assertEqual(list(rows)[:3], ["torch", "tensorflow", "onnx"])
        self.assertEqual((rows["tensorflow"].module, rows["tensorflow"].dialect), ("tf", "tensorflow"))
        self.assertRegex(rows["torch"].requirements[0], r"^torch==[0-9.]+$")

    def test_apis_begin_with_the_module(self) -> None:
        self.assertGreater(min(len(table.apis(name)) for name in ("torch", "tensorflow", "onnx")), 100)
        for row in table.frameworks().values():
            self.assertEqual([api for api in table.apis(row.name) if not api.startswith(f"{row.module}.")], [])


def requires_line(needs: tuple[str, ...]) -> str:
    """The required format: C and sh read these names from one line."""
    quoted = ", ".join(f'"{need}"' for need in needs)
    return f"REQUIRES = ({quoted}{',' if len(needs) == 1 else ''})"


def borrowed(function: Callable[..., Any]) -> set[str]:
    """The names that a function uses from its module."""
    codes: list[CodeType] = [function.__code__]
    for code in codes:
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
    names = {str(i.argval) for code in codes for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return names - set(vars(builtins))


class Targets(unittest.TestCase):
    """targets/*.py."""

    def test_code_copied_to_scripts_is_complete(self) -> None:
        """Each function lists the functions that it calls; scripts always import os."""
        for name in targets.names():
            target = targets.load(name)
            there = {"os", *(function.__name__ for function in target.needs)}
            for function in (target.module.compile, *target.needs):
                with self.subTest(name, function=function.__name__):
                    self.assertEqual(borrowed(function) - there, set())

    def test_required_names(self) -> None:
        self.assertGreaterEqual(len(targets.names()), 5)
        for name in targets.names():
            path = FOLDER / f"{name.replace('-', '_')}.py"
            module = importlib.import_module(f"rulefuzz.targets.{path.stem}")
            with self.subTest(name):
                lines = path.read_text(encoding="utf-8").splitlines()
                self.assertLessEqual(len(lines), 100)
                self.assertIn(module.FRAMEWORK, table.frameworks())
                self.assertEqual(lines.count(f'FRAMEWORK = "{module.FRAMEWORK}"'), 1)
                self.assertTrue(module.__doc__ and module.compile.__doc__ and isinstance(module.REQUIRES, tuple))
                self.assertEqual([line for line in lines if line.startswith("REQUIRES = ")], [requires_line(module.REQUIRES)])
                for texts in ("UNSUPPORTED", "IMPORTS", "ENVIRONMENT"):
                    self.assertIsInstance(getattr(module, texts, ()), tuple)

    def test_names(self) -> None:
        for name in ("", "nothing", "torch_eager", "../torch-eager", "__init__", "torch.eager"):
            with self.subTest(name), self.assertRaisesRegex(Unavailable, "there are .*onnxruntime, .*torch-broken"):
                targets.load(name)
        self.assertEqual(targets.load("onnxruntime").framework, "onnx")

    def test_requirements(self) -> None:
        target = targets.load("torch-eager")
        before = target.module.REQUIRES
        try:
            for needs, message, missing in (
                (("program:no-such-thing",), "torch-eager needs program:no-such-thing, which is not installed", []),
                (("no-such>=3", "nor-this==1"), "needs no-such, nor-this, which are not", ["no-such", "nor-this"]),
            ):
                target.module.REQUIRES = needs  # type: ignore[attr-defined]
                with self.assertRaisesRegex(Unavailable, message) as caught:
                    target.prepare()
                self.assertEqual(caught.exception.missing, missing)
            with unittest.mock.patch("importlib.metadata.version", return_value="2.13.0+cpu"):
                for need in ("torch==2.12.1", "torch==2.13.0"):  # the installed version is reported, and none is rejected
                    target.module.REQUIRES = (need,)  # type: ignore[attr-defined]
                    self.assertEqual(target.prepare(), {"torch": "2.13.0"})
            target.module.REQUIRES = ("program:sh",)  # type: ignore[attr-defined]
            self.assertEqual(target.prepare(), {})
        finally:
            target.module.REQUIRES = before  # type: ignore[attr-defined]

    def test_refuses(self) -> None:
        target = targets.load("torch-eager")
        self.assertFalse(target.refuses(RuntimeError("no kernel for conv")))
        target.module.UNSUPPORTED = ("no kernel for",)  # type: ignore[attr-defined]
        try:
            self.assertTrue(target.refuses(RuntimeError("no kernel for conv")))
            self.assertFalse(target.refuses(RuntimeError("kernel panic")))
        finally:
            del target.module.UNSUPPORTED


if __name__ == "__main__":
    unittest.main()

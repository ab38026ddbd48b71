"""A whole collection, from example calls to record files, of a framework that exists in these tests only."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from types import ModuleType
from unittest import mock

from rulefuzz.table import Row, frameworks
from tests.traces.fake import adapter
from traces.collect.call.spec import Json
from traces.collect.cli import collect
from traces.collect.frameworks import registry

TABLE = {**frameworks(), "fake": Row("fake", "fake", (), "")}


def fake_module(name: str, part: str) -> ModuleType:
    """In the place of registry._module."""
    del name
    return importlib.import_module(f"tests.traces.fake.{part}")


class FakeFolder(unittest.TestCase):
    """A test in a folder of its own, with the fake framework in the table."""

    def setUp(self) -> None:
        """A working folder of its own, and the framework in the table."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder.name)
        registry.load.cache_clear()
        for patch in (
            mock.patch.object(registry, "NAMES", tuple(TABLE)),
            mock.patch.object(registry, "_module", fake_module),
            mock.patch("rulefuzz.table.frameworks", lambda: TABLE),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(registry.load.cache_clear)

    def collect(self, *words: str) -> int:
        """Runs the command without its progress lines."""
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            return collect.main(["fake", "--out", "records", "--jobs", "2", *words])

    def records(self, api: str) -> list[Json]:
        """The lines of an API's file."""
        return [json.loads(line) for line in Path("records", f"{api}.jsonl").read_text(encoding="utf-8").splitlines()]


class FakeFramework(FakeFolder):
    """python -m traces.collect fake."""

    def test_records(self) -> None:
        """Each API has accepted and rejected calls, and each record is what the operator does."""
        self.assertEqual(self.collect(), 0)
        for api, function in adapter.FUNCTIONS.items():
            text = Path("records", f"{api}.jsonl").read_text(encoding="utf-8")
            self.assertIn(f'"{api}-0"', text)
            self.assertGreater(len(text.splitlines()), 0, function)
        operator = self.records("fake.matmul")[0]
        accepted, rejected = operator["pass"], operator["fail"]
        self.assertGreater(len(accepted), 5)
        self.assertGreater(len(rejected), 5)
        for values, out in accepted:
            self.assertEqual(values[1], values[2])
            self.assertEqual(out, [values[0], values[3]])
        for values in rejected:
            self.assertNotEqual(values[1], values[2])

    def test_same_bytes(self) -> None:
        """A second run from nothing writes the same files."""
        self.collect()
        first = {path.name: path.read_bytes() for path in Path("records").iterdir()}
        self.collect("--fresh", "--jobs", "1")
        self.assertEqual(first, {path.name: path.read_bytes() for path in Path("records").iterdir()})

    def test_one(self) -> None:
        """--only selects APIs."""
        self.assertEqual(self.collect("--only", "fake.nar*"), 0)
        self.assertEqual([path.name for path in Path("records").glob("*.jsonl")], ["fake.narrow.jsonl"])


if __name__ == "__main__":
    unittest.main()

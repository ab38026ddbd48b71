"""Cached results stay valid until something they depend on changes: a change is planted in each kind of file."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from traces.collect import cache
from traces.collect.cli.collect import calls_key, records_key
from traces.collect.records.settings import Budget, Settings

ROOT = Path(__file__).resolve().parents[2]
KEYS = """
import json, sys
from traces.collect import cache
from traces.collect.cli.collect import calls_key, records_key
from traces.collect.records.settings import Budget, Settings
settings = Settings(1, Budget())
print(json.dumps([calls_key("onnx"), records_key("onnx", settings), calls_key("torch"), records_key("torch", settings)]))
"""
ONNX_CALLS, ONNX_RECORDS, TORCH_CALLS, TORCH_RECORDS = range(4)


class Keys(unittest.TestCase):
    """The keys of the two caches of a collection, for two frameworks that need not be installed."""

    @classmethod
    def setUpClass(cls) -> None:
        """A copy of the sources to plant changes in."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        for part in ("traces/collect", "runtime/python/rulefuzz", "runtime/rules"):
            shutil.copytree(ROOT / part, cls.root / part, ignore=shutil.ignore_patterns("__pycache__"))
        cls.before = cls.keys()

    root: Path
    before: list[str]

    @classmethod
    def keys(cls) -> list[str]:
        """The four keys."""
        command = [sys.executable, "-c", KEYS]
        done = subprocess.run(command, cwd=cls.root, capture_output=True, text=True, check=True)
        found: list[str] = json.loads(done.stdout)
        return found

    def changed(self, path: str, old: str = "", new: str = "\n# planted\n") -> list[int]:
        """The keys that differ after the file changes."""
        file = self.root / path
        text = file.read_text()
        self.assertIn(old, text)
        file.write_text(text.replace(old, new) if old else text + new)
        try:
            return [which for which, (one, other) in enumerate(zip(self.before, self.keys(), strict=True)) if one != other]
        finally:
            file.write_text(text)

    def test_nothing_changed(self) -> None:
        """Two processes have the same keys."""
        self.assertEqual(self.keys(), self.before)

    def test_a_framework(self) -> None:
        """A framework's source with its imports; its adapter, which both caches depend on; no other framework's
        keys."""
        self.assertEqual(self.changed("traces/collect/frameworks/onnx/source.py"), [ONNX_CALLS])
        self.assertEqual(self.changed("traces/collect/frameworks/onnx/calls/forms.py"), [ONNX_CALLS])
        self.assertEqual(self.changed("traces/collect/frameworks/onnx/runners.py"), [ONNX_CALLS, ONNX_RECORDS])
        self.assertEqual(self.changed("traces/collect/frameworks/torch/names.py"), [TORCH_CALLS])

    def test_the_collector(self) -> None:
        """The definition of calls, their verdicts and their processing; not the commands or the repair of
        records."""
        every = [ONNX_CALLS, ONNX_RECORDS, TORCH_CALLS, TORCH_RECORDS]
        self.assertEqual(self.changed("traces/collect/call/symbolise.py"), every)
        self.assertEqual(self.changed("traces/collect/call/__init__.py"), every)
        for path in ("judge/verdict.py", "judge/guard.py", "records/augment.py", "records/select.py", "cli/work.py"):
            self.assertEqual(self.changed(f"traces/collect/{path}"), [ONNX_RECORDS, TORCH_RECORDS])
        for path in ("cli/ask.py", "repair/causes.py", "frameworks/onnx/disagree.py", "values/learn.py"):
            self.assertEqual(self.changed(f"traces/collect/{path}"), [])

    def test_the_package(self) -> None:
        """The sandbox that runs calls, and the code that runs ONNX's."""
        self.assertIn(ONNX_RECORDS, self.changed("runtime/python/rulefuzz/sandbox.py"))
        self.assertEqual(self.changed("runtime/python/rulefuzz/frameworks/onnx_evaluate.py"), [ONNX_CALLS, ONNX_RECORDS])
        self.assertEqual(self.changed("runtime/python/rulefuzz/validity.py"), [])

    def test_the_table_of_frameworks(self) -> None:
        """A framework's own row."""
        self.assertEqual(self.changed("runtime/rules/frameworks.def", "onnxruntime==1.", "onnxruntime==9."),
                         [ONNX_CALLS, ONNX_RECORDS])  # fmt: skip

    def test_what_was_asked_for_and_what_is_installed(self) -> None:
        """Settings and versions."""
        settings = Settings(1, Budget())
        before = records_key("onnx", settings), calls_key("onnx")
        self.assertNotEqual(records_key("onnx", Settings(2, Budget())), before[0])
        with mock.patch.object(cache, "installed", lambda: ["numpy 0"]):
            self.assertNotEqual(records_key("onnx", settings), before[0])
            self.assertNotEqual(calls_key("onnx"), before[1])
        self.assertEqual((records_key("onnx", settings), calls_key("onnx")), before)


if __name__ == "__main__":
    unittest.main()

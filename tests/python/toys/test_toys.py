"""Adds a toy of each kind of extension in Python to a copy of the tree. Each is one file; a framework is a row and a folder."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import onnxruntime  # noqa: F401
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

ROOT = Path(__file__).resolve().parents[3]
TOYS, PACKAGE = ROOT / "tests/data/toys", Path("runtime/python/rulefuzz")
FLOATS = {"shape": [2, 2], "dtype": "float32"}
ABS = {"op": "onnx.Abs-0", "api": "onnx.Abs", "args": [{"name": "X", "pos": True, "value": {"ref": 0}}],
       "outputs": [{"id": 1, **FLOATS}]}  # fmt: skip
MODEL = {"model": "0", "framework": "onnx", "seed": 0, "index": 0, "values": 5, "inputs": [{"id": 0, **FLOATS}],
         "nodes": [ABS], "outputs": [1]}  # fmt: skip

PATTERNS = """import pathlib, sys
from traces.collect.zoo import calls, recorder, store
zoo, names = recorder.Zoo({"onnx.Abs", "onnx.Neg"}), calls.Names()
for file in store.stored(pathlib.Path(sys.argv[1])):
    zoo.add(file, calls.read(file.load()[0]), names)
print(list(zoo.found))"""
"""Prints the patterns of a folder's files."""


class Toys(unittest.TestCase):
    """The copy of the tree."""

    def setUp(self) -> None:
        """Copies what the toys are added to."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        for part in ("runtime/python", "runtime/rules", "traces/collect"):
            shutil.copytree(ROOT / part, self.tree / part, ignore=shutil.ignore_patterns("__pycache__", "*.c", "*.h"))
        for part in ("runtime/ort", "traces/onnx"):
            (self.tree / part).symlink_to(ROOT / part)
        paths = os.pathsep.join(map(str, (self.tree / "runtime/python", self.tree)))
        self.environment = {**os.environ, "PYTHONPATH": paths, "RULEFUZZ_SCRATCH": str(self.tree)}

    def run_python(self, *words: str) -> str:
        """The output of a program in the copy."""
        command = [sys.executable, *words]
        run = subprocess.run(command, cwd=self.tree, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def judged(self, target: str) -> Any:
        """A worker's answer for the model."""
        ours, its = socket.socketpair()
        command = [sys.executable, "-m", "rulefuzz.worker", target]
        pipes: dict[str, Any] = {"stdin": its, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with ours, its, subprocess.Popen(command, **pipes, text=True, env=self.environment) as worker:
            its.close()
            assert worker.stdout
            self.assertIn("ready", worker.stdout.readline())
            ours.sendall(json.dumps({"id": 1, "do": "check", "model": MODEL}).encode() + b"\n")
            while "stage" in (answer := json.loads(worker.stdout.readline())):
                pass
            ours.close()
            worker.stdout.read()
        return answer

    def test_a_target_and_an_excuse(self) -> None:
        """A toy target differs; with the toy excuse, its differences are excused."""
        shutil.copy(TOYS / "target.py", self.tree / PACKAGE / "targets/toy.py")
        self.assertEqual(self.judged("toy")["verdict"], "inconsistency")
        shutil.copy(TOYS / "excuse.py", self.tree / PACKAGE / "oracle/excuses/toy.py")
        answer = self.judged("toy")
        self.assertEqual((answer["verdict"], answer["excuses"]), ("rounding", {"one-more": 4}))

    def test_a_framework(self) -> None:
        """A row and a folder make a framework whose calls are collected."""
        with (self.tree / "runtime/rules/frameworks.def").open("a", encoding="ascii") as table:
            table.write('FRAMEWORK(fake, "fake", "numpy", "")\n')
        folder = self.tree / "traces/collect/frameworks/fake"
        shutil.copytree(ROOT / "tests/traces/fake", folder)
        self.run_python("-m", "traces.collect", "fake", "--out", "records", "--jobs", "1")
        self.assertIn('"fake.matmul-0"', (self.tree / "records/fake.matmul.jsonl").read_text(encoding="utf-8"))

    def test_a_source_of_chains(self) -> None:
        """A program's files have patterns."""
        shutil.copy(TOYS / "source.py", self.tree / "traces/collect/zoo/sources/toy.py")
        folder = self.tree / "files"
        folder.mkdir()
        for command in (["-m", "traces.collect.zoo.sources.toy", str(folder)], ["-c", PATTERNS, str(folder)]):
            said = self.run_python(*command)
        self.assertRegex(said, "Abs.*Neg")


if __name__ == "__main__":
    unittest.main()

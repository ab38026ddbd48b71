"""The oracle as a process: its answers, kept records, written files, and crashes that it survives."""

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
FAKE = """
import dataclasses, os, sys
from traces.collect.cli import ask
from traces.collect.frameworks import registry
from traces.collect.judge.workers import LIMITS
from rulefuzz.framework import Rejected, Unanswered

class Fake:
    name, version = "fake", "1"
    def compile(self, api, args):
        return api
    def run(self, call, values, fill):
        size, what = values
        if what == 1 or (what == 5 and fill != "normal"):
            raise Rejected("rejected")
        if what == 2:
            os.kill(os.getpid(), 11)
        if what == 3:
            open("hanging", "w").close()
        while what == 3:
            pass
        if what == 4:
            try:
                bytes(2 * LIMITS.memory)
            except MemoryError:
                raise Unanswered("MemoryError") from None
        if what == 7:
            print("noise")
        return (((size,), "int64" if what == 6 else "float32"),)

registry.NAMES = ("fake",)
registry.load = lambda name: Fake()
registry.limits = lambda name: dataclasses.replace(LIMITS, cpu=0.3)
ask.BATCH = 24
sys.exit(ask.main(sys.argv[1:]))
"""
RECORD = {
    "op": "fake.f-0", "api": "fake.f", "framework": "fake", "version": "1",
    "args": [{"name": "input", "pos": True, "value": {"tensor": ["s0"], "dtype": "float32"}},
             {"name": "what", "pos": True, "value": "s1"}],
    "outputs": [{"tensor": ["o0"], "dtype": "float32"}],
    "dtypes": [[["float32"], ["float32"]]], "source": ["opinfo"],
    "pass": [[[3, 0], [3]]], "fail": [[3, 1]],
}  # fmt: skip


class Ask(unittest.TestCase):
    """python -m traces.collect.cli.ask, with a framework that misbehaves."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "fake.f.jsonl"
        self.file.write_text(json.dumps(RECORD, separators=(",", ":")) + "\n")

    def ask(self, *lines: Any, jobs: int = 1) -> list[Any]:
        """The answers to these lines."""
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        done = subprocess.run(
            [sys.executable, "-c", FAKE, "fake", "--traces", ".", "--jobs", str(jobs)],
            input=text, capture_output=True, text=True, cwd=self.folder, env={"PYTHONPATH": str(ROOT)}, timeout=120,
            check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def outcomes(self, *inputs: list[int], jobs: int = 1) -> list[str]:
        """The outcomes of these inputs."""
        return [answer["outcome"] for answer in self.ask(*({"op": "fake.f-0", "in": values} for values in inputs), jobs=jobs)]

    def test_outcomes(self) -> None:
        """Pass, fail, mixed and other, in order, more than a batch."""
        inputs = [[9, what] for what in (0, 1, 5, 6, 7, 0, 1, 0, 6)]
        wanted = ["pass", "fail", "mixed", "other", "pass", "pass", "fail", "pass", "other"]
        self.assertEqual(self.outcomes(*inputs), wanted)

    def test_keys(self) -> None:
        """The fields of an answer."""
        passed, failed = self.ask({"op": "fake.f-0", "in": [8, 0], "out": [9], "x": 1}, {"op": "fake.f-0", "in": [8, 1]})
        self.assertEqual(passed, {"op": "fake.f-0", "in": [8, 0], "x": 1, "predicted": [9], "outcome": "pass", "out": [8]})
        self.assertEqual(failed, {"op": "fake.f-0", "in": [8, 1], "outcome": "fail", "message": "rejected"})

    def test_records_answer(self) -> None:
        """Recorded calls are answered without running them."""
        answers = self.ask({"op": "fake.f-0", "in": [3, 0]}, {"op": "fake.f-0", "in": [3, 1]}, {"op": "fake.f-0", "in": [2, 1]})
        self.assertEqual([answer.get("seen") for answer in answers], [True, True, None])
        self.assertEqual(answers[0]["out"], [3])

    def test_crash_and_hang_cost_one_question_each(self) -> None:
        """The other calls are answered; each crash is a finding; after three hangs the operator is not queried
        again."""
        inputs = [[9, 0], [9, 2], [8, 0], [9, 3], [7, 2], [7, 0], [8, 3], [7, 3], [6, 3], [9, 1]]
        wanted = ["pass", "lost", "pass", "lost", "lost", "pass", "lost", "lost", "lost", "lost"]
        self.assertEqual(self.outcomes(*inputs), wanted)
        findings = (self.folder / "build/traces/fake/findings.jsonl").read_text().splitlines()
        found = [(finding["in"], finding["how"].split(":")[0]) for finding in map(json.loads, findings)]
        crash, hang = "killed by SIGSEGV", "hang"
        self.assertEqual(found, [([9, 2], crash), ([9, 3], hang), ([7, 2], crash), ([8, 3], hang), ([7, 3], hang)])

    def test_several_children_answer_as_one(self) -> None:
        """In the order of the queries, with the same findings. When the first child reaches its third hang, the
        second one has answered; later answers do not count."""
        inputs = [[9, 3], [9, 2], *([size, 0] for size in range(4, 16)), [8, 3], [7, 3], [7, 0], [9, 1], [8, 2], [6, 0]]
        told = []
        for jobs in (1, 2, 3):
            findings = self.folder / "build/traces/fake/findings.jsonl"
            findings.unlink(missing_ok=True)
            told.append((self.outcomes(*inputs, jobs=jobs), findings.read_text()))
        self.assertEqual(told[0][0], ["lost"] * 2 + ["pass"] * 12 + ["lost"] * 6)
        self.assertEqual(told[1:], [told[0]] * 2)

    def test_terminated(self) -> None:
        """A busy child process does not outlive it."""
        with subprocess.Popen(
            [sys.executable, "-c", FAKE.replace("cpu=0.3", "cpu=100"), "fake", "--traces", "."], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, cwd=self.folder, env={"PYTHONPATH": str(ROOT)},
        ) as process:  # fmt: skip
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write('{"op":"fake.f-0","in":[9,0]}\n{"op":"fake.f-0","in":[9,3]}\n')
            process.stdin.flush()
            until = time.monotonic() + 60
            while not (self.folder / "hanging").exists() and time.monotonic() < until:
                time.sleep(0.01)
            process.terminate()
            self.assertEqual(process.wait(20), 4)
            process.stdout.read()  # ends once the child has ended, too

    def test_memory(self) -> None:
        """A call that exceeds the memory limit is lost, and nothing else."""
        self.assertEqual(self.outcomes([9, 4], [9, 0]), ["lost", "pass"])
        finding = json.loads((self.folder / "build/traces/fake/findings.jsonl").read_text())
        self.assertEqual((finding["in"], finding["how"]), ([9, 4], "out of memory"))

    def test_no_call_needed(self) -> None:
        """Tensors that are too large or have a negative dimension."""
        self.assertEqual(self.outcomes([-1, 0], [4097, 0], [4096, 0]), ["fail", "lost", "pass"])

    def test_bad_lines(self) -> None:
        """Each bad line gets its error, and the next line is answered."""
        bad: list[Any] = [
            "x", [], {"op": "fake.g-0", "in": []}, {"op": "../fake.f-0", "in": [1, 0]}, {"op": 1, "in": [1, 0]},
            {"op": "fake.f-0"}, {"op": "fake.f-0", "in": [1]}, {"op": "fake.f-0", "in": [1, 0.5]},
            {"op": "fake.f-0", "in": [True, 0]}, {"keep": "fake.f-0", "pass": [[1, 0]], "fail": []},
            {"keep": "fake.f-0", "fail": [[1]]},
        ]  # fmt: skip
        answers = self.ask(*bad, {"op": "fake.f-0", "in": [1, 0]})
        self.assertEqual([list(answer) for answer in answers[:-1]], [["error"]] * len(bad))
        self.assertEqual(answers[-1]["outcome"], "pass")

    def test_keep_and_save(self) -> None:
        """Kept records are answered at once, and written on request, sorted and only once."""
        before = self.file.read_text()
        keep = {"keep": "fake.f-0", "pass": [[[2, 0], [2]], [[3, 0], [3]]], "fail": [[2, 1], [2, 1]]}
        answers = self.ask(keep, {"op": "fake.f-0", "in": [2, 1]}, keep, {"save": True}, {"save": True})
        self.assertEqual([answers[i] for i in (0, 2, 3, 4)], [{"kept": 2}, {"kept": 0}, {"saved": 1}, {"saved": 0}])
        self.assertTrue(answers[1]["seen"])
        record = dict(RECORD, source=["opinfo", "refine"], **{"pass": [[[2, 0], [2]], [[3, 0], [3]]], "fail": [[2, 1], [3, 1]]})
        self.assertEqual(self.file.read_text(), json.dumps(record, separators=(",", ":")) + "\n")
        self.file.write_text(before)
        self.ask(keep)
        self.assertEqual(self.file.read_text(), before)


if __name__ == "__main__":
    unittest.main()

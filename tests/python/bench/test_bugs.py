"""tests/bench/bugs: which findings count as which bugs, with a fake rulefuzz and fake versions."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import textwrap
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from tests.bench.bugs import cases as lists
from tests.bench.bugs import report
from tests.bench.bugs.__main__ import main
from tests.bench.bugs.cases import Case
from tests.bench.bugs.environments import Environment, Environments, Missing
from tests.bench.bugs.matching import Finding, Outcome, apis_of, compare, contains, fails

HEADER = "# script\tbackend\tversion that has it\tfirst version without it\tkind\tkey calls\tremark\n"
FOUND = "2099-01-01T10:00:00Z"
"""Later than any campaign of this test."""


def case(kind: str = "inconsistency", calls: tuple[str, ...] = ("Cast",), fixed: str = "", remark: str = "") -> Case:
    """A line of a list."""
    return Case("a.py", "onnxruntime", "1.0", fixed, kind, calls, remark)


def finding(number: int, *apis: str, kind: str = "inconsistency", after: float = 1.0) -> Finding:
    """A finding with calls of these APIs."""
    return Finding(number, kind, f"finding {number}", after, True, apis, Path(f"{number}.py"))


def accepted(also: tuple[str, ...]) -> Finding:
    """An accepted invalid call, and the APIs of its cause."""
    return Finding(1, "accepts-invalid", "finding", 1.0, True, ("torch.mm",), Path("1.py"), also)


def no_script(*_: Any) -> int:
    """Fails: no script must run."""
    raise AssertionError("a script runs")


class Lists(unittest.TestCase):
    """list.tsv."""

    def read(self, text: str) -> list[Case]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "list.tsv").write_text(HEADER + text)
            return lists.read(Path(folder))

    def test_columns(self) -> None:
        found = self.read("a.py\ttvm\t1.0\t-\taccepts\tCast, Cast\tby design: so\n\nb.py\ttvm\t1.0\t2.0\tcrash\t-\n")
        self.assertEqual(found[0], Case("a.py", "tvm", "1.0", "", "accepts-invalid", ("Cast", "Cast"), "by design: so"))
        self.assertEqual(found[1], Case("b.py", "tvm", "1.0", "2.0", "crash", (), ""))
        self.assertEqual([c.by_design for c in found], [True, False])
        self.assertFalse(case(remark="not by design").by_design)

    def test_malformed(self) -> None:
        for line, part in (("a.py\ttvm\t1.0\t-\terror", "list.tsv:2: error: expected at least 6 columns"),
                           ("a.py\ttvm\t1.0\t-\tslow\tCast", "expected a kind of"),
                           ("a.py\ttvm\t-\t-\terror\tCast", "version: expected a name, got '-'"),
                           ("a.py\t../x\t1\t-\terror\tCast", "backend: expected a name, got '../x'")):  # fmt: skip
            with self.subTest(line), self.assertRaisesRegex(lists.Malformed, part):
                self.read(line + "\n")

    def test_groups(self) -> None:
        lines = [f"{i}.py\t{name[0]}\t{name[1]}\t-\terror\tCast\n" for i, name in enumerate("a1 b1 a2 a1".split())]
        groups = lists.grouped(self.read("".join(lines)))
        self.assertEqual({name: [c.script for c in each] for name, each in groups.items()},
                         {"a@1": ["0.py", "3.py"], "b@1": ["1.py"], "a@2": ["2.py"]})  # fmt: skip


class Matching(unittest.TestCase):
    """Calls, kinds and versions."""

    def test_python_state(self) -> None:
        """A case without key calls: findings of sessions are for a person to compare."""
        session = {"constructs": ["bound-method:3"], "changes": ["state:2", "same:1"]}
        model = {"nodes": [{"api": "torch.add"}], "session": session}
        apis = tuple(apis_of(model))
        self.assertEqual(sorted(apis), ["session.bound-method", "session.same", "session.state", "torch.add"])
        findings = [finding(1, *apis), finding(2, "torch.add"), finding(3, *apis, kind="error")]
        found = compare(case(calls=()), findings, no_script)
        self.assertEqual((found.result, [c.finding.id for c in found.candidates]), ("missed", [1]))

    def test_python_features(self) -> None:
        """A case without key calls: all its marks are in a finding's script, or in a program of its strings."""
        exchanged = "M.m.__code__ = (lambda self, x: x).__code__\n"
        broken = "def f(t):\n    class H:\n        items = []\n    H.items.append(1)\n    torch._dynamo.graph_break()\n"
        for source, script, result in (
            (exchanged, "Worker0.run.__code__ = other.__code__\n", True),
            (exchanged, f"PROGRAM = {chr(10) + 'import torch' + chr(10) + exchanged!r}\n", True),
            (exchanged, f"PROGRAM = {chr(10) + 'import torch' + chr(10)!r}\n{exchanged}", False),
            (exchanged, "Worker0.run = other\n", False),
            (broken, broken, True),
            (broken, broken.replace("torch._dynamo.graph_break()", "torch._dynamo.reset()"), False),
            (broken, broken.replace("    class H:\n        items = []\n", ""), False),
            ("items.append(1)\n", "items.append(1)\n", False),
            ("", "", False),
            (exchanged, "no Python", False),
        ):
            with self.subTest(source=source, script=script), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "1.py")
                path.write_text(script, encoding="utf-8")
                found = replace(finding(1, "session.bound-method"), script=path)
                outcome = compare(case(calls=()), [found], no_script, source)
                self.assertEqual((bool(outcome.matches), bool(outcome.candidates)), (result, not result))

    def test_calls(self) -> None:
        for apis, calls, expected in (
            ("onnx.Cast", "Cast", True),
            ("onnx.CastLike", "Cast", False),
            ("onnx.DownCast", "Cast", False),
            ("onnx.Cast", "Cast,Cast", False),
            ("onnx.Cast onnx.Cast", "Cast,Cast", True),
            ("onnx.Cast onnx.Add onnx.Cast", "Cast,Cast", True),
            ("onnx.Pad", "Pad,AveragePool", False),
            ("onnx.AveragePool onnx.Pad", "Pad,AveragePool", True),
            ("torch.func.grad", "func.grad", True),
            ("torch.grad", "func.grad", False),
            ("torch.func.grad torch.grad", "grad,func.grad", True),
            ("torch.func.grad", "grad,func.grad", False),
            ("a.z.grad b.grad", "grad,z.grad", True),
            ("torch.Tensor.to torch.Tensor.to", "to,to", True),
            ("onnx.Cast", "", False),
        ):
            with self.subTest(apis=apis, calls=calls):
                self.assertEqual(contains(tuple(apis.split()), tuple(filter(None, calls.split(",")))), expected)

    def test_calls_of_bodies(self) -> None:
        model = {"nodes": [{"api": "onnx.If", "args": [{"value": {"nodes": [{"api": "onnx.Cast"}]}}]}, {"api": "onnx.Add"}]}
        self.assertEqual(sorted(apis_of(model)), ["onnx.Add", "onnx.Cast", "onnx.If"])

    def test_regions(self) -> None:
        model = {"nodes": [{"api": "torch.sin"}], "bodies": [{"kind": "ops.cond"}, {"kind": "func.grad"}]}
        self.assertTrue(contains(tuple(apis_of(model)), ("cond", "func.grad", "sin")))

    def test_kind(self) -> None:
        outcome = compare(case("error"), [finding(1, "onnx.Cast"), finding(2, "onnx.Cast", kind="error")], no_script)
        self.assertEqual([f.id for f in outcome.matches], [2])
        self.assertEqual([(c.finding.id, c.why) for c in outcome.candidates], [(1, "kind inconsistency instead of error")])

    def test_other_calls_are_no_candidates(self) -> None:
        outcome = compare(case(), [finding(1, "onnx.Add")], no_script)
        self.assertEqual((outcome.result, outcome.candidates), ("missed", []))

    def test_calls_of_one_cause(self) -> None:
        of_linear = case("accepts-invalid", ("linear",))
        found = [accepted(also) for also in (("torch.mm", "torch.nn.functional.linear"), ("torch.mm",))]
        self.assertEqual([compare(of_linear, [one], no_script).result for one in found], ["found", "missed"])
        fixed = compare(case("accepts-invalid", ("linear",), fixed="2.0"), found, no_script)
        self.assertEqual((fixed.result, len(fixed.candidates)), ("missed", 1))

    def test_versions(self) -> None:
        asked = []

        def run(which: Finding, backend: str, version: str) -> int | None:
            asked.append((which.id, backend, version))
            return codes[version]

        for codes, result in (
            ({"1.0": 1, "2.0": 0}, "found"),
            ({"1.0": -11, "2.0": 0}, "found"),
            ({"1.0": 139, "2.0": 0}, "found"),
            ({"1.0": 0, "2.0": 0}, "missed"),
            ({"1.0": 2, "2.0": 0}, "missed"),
            ({"1.0": None, "2.0": 0}, "missed"),
            ({"1.0": 1, "2.0": 1}, "missed"),
            ({"1.0": 1, "2.0": 2}, "missed"),
            ({"1.0": 1, "2.0": None}, "missed"),
        ):
            with self.subTest(codes):
                asked.clear()
                outcome = compare(case(fixed="2.0"), [finding(1, "onnx.Cast")], run)
                self.assertEqual((outcome.result, len(outcome.candidates)), (result, int(result == "missed")))
                self.assertEqual(asked, [(1, "onnxruntime", "1.0"), (1, "onnxruntime", "2.0")])
        self.assertEqual(outcome.candidates[0].why, "exit code 1 on 1.0, no answer on 2.0")

    def test_exit_codes(self) -> None:
        self.assertEqual([fails(code) for code in (0, 1, 2, -6, 134, None)], [False, True, False, True, True, False])

    def test_one_finding_may_be_several_bugs(self) -> None:
        both = finding(1, "onnx.Cast", "onnx.Add")
        results = [compare(case(calls=(name,)), [both], no_script).result for name in ("Cast", "Add")]
        self.assertEqual(results, ["found", "found"])

    def test_first(self) -> None:
        found = [finding(1, "onnx.Cast", after=9.0), finding(2, "onnx.Cast", after=3.0), finding(3, "onnx.Cast", after=5.0)]
        first = compare(case(), found, no_script).first
        self.assertEqual(first and first.id, 2)

    def test_by_design(self) -> None:
        silent = case(remark="by design: must stay silent")
        results = [compare(silent, each, no_script).result for each in ([], [finding(1, "onnx.Cast")])]
        self.assertEqual(results, ["silent", "reported"])


class Totals(unittest.TestCase):
    """Counts."""

    def test_totals(self) -> None:
        silent = case(remark="by design")
        outcomes = [Outcome(case(), [finding(1)]), Outcome(case()), Outcome(case(), failed="no")]
        outcomes += [Outcome(silent), Outcome(silent, [finding(1)])]
        row = {"bugs": 3, "found": 1, "by_design": 2, "silent": 1, "not_run": 1}
        self.assertEqual(report.totals(outcomes), {"onnxruntime": row, "all": row})


FAKE = """
    import json, os, sys
    from pathlib import Path
    planted = json.loads(Path(sys.argv[0] + ".json").read_text())
    arguments = sys.argv[1:]
    with open(sys.argv[0] + ".calls", "a") as calls:
        print(json.dumps(arguments), file=calls)
    where = Path(arguments[arguments.index("--db") + 1])
    if arguments[0] == "run":
        assert Path(arguments[arguments.index("--capabilities") + 1]) == where.with_name("capabilities")
        assert not where.exists() and not where.with_name("capabilities").exists()
        where.write_text("")
        where.with_name("capabilities").write_text("")
        print(json.dumps({"counts": {"models": 7}, "findings": {"waiting": planted["waiting"]}}))
        sys.exit(planted["exit"])
    elif arguments[0] == "list":
        print(json.dumps({"findings": planted["findings"]}))
    elif arguments[0] == "show":
        row = next(row for row in planted["findings"] if str(row["id"]) == arguments[1])
        model = {"nodes": [{"api": api} for api in row["apis"].split()]}
        print(row["script"] if "--script" in arguments else json.dumps(model))
"""


class Fakes(Environments):
    """Environments whose Python is a shell script: a repro script names the versions on which it fails."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder / "rulefuzz"))
        self._folder = folder

    def _make(self, backend: str, version: str) -> Environment:
        if version == "none":
            raise Missing("pip install failed")
        python = self._folder / f"python-{version}"
        lines = ("#!/bin/sh", f'echo "$1" >>{self._folder}/scripts', f'! grep -q "fails: .*{version};" "$1"', "")
        python.write_text("\n".join(lines))
        python.chmod(0o755)
        return Environment(f"{backend}@{version}", python)


def row(number: int, kind: str, apis: str, script: str = "", reduced: bool = True) -> dict[str, Any]:
    """A finding as `rulefuzz list` prints it, with what `show` prints."""
    return {"id": number, "kind": kind, "title": f"title {number}", "reduced": reduced, "found": FOUND, "apis": apis,
            "script": script}  # fmt: skip


class Whole(unittest.TestCase):
    """The command, with a fake rulefuzz."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rulefuzz = self.folder / "rulefuzz"
        self.rulefuzz.write_text(f"#!{sys.executable} -SE\n" + textwrap.dedent(FAKE))
        self.rulefuzz.chmod(0o755)
        casts = "onnx.Cast onnx.Cast"
        self.plant(row(1, "inconsistency", casts, "# fails: 1.0; 2.0;"), row(2, "inconsistency", casts, "# fails: 1.0;"),
                   row(3, "error", "onnx.Relu onnx.Clip", "# fails: 1.0;"))  # fmt: skip
        self.write_list("a.py\tonnxruntime\t1.0\t2.0\tinconsistency\tCast,Cast\t\n"
                  "b.py\tonnxruntime\t1.0\t-\terror\tRelu,Clip\t\n"
                  "c.py\tonnxruntime\t1.0\t-\terror\tCast\tby design\n")  # fmt: skip

    def plant(self, *findings: dict[str, Any], code: int = 3, waiting: int = 0) -> None:
        (self.folder / "rulefuzz.json").write_text(json.dumps({"findings": findings, "exit": code, "waiting": waiting}))

    def write_list(self, text: str) -> None:
        (self.folder / "list.tsv").write_text(HEADER + text)

    def bench(self, *options: str) -> tuple[int, str, dict[str, Any]]:
        out, said = self.folder / "out", io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            code = main([str(self.folder), "--rulefuzz", str(self.rulefuzz), "--out", str(out), *options], Fakes(self.folder))
        found: dict[str, Any] = json.loads((out / "results.json").read_text())
        return code, said.getvalue(), found

    def calls(self, command: str) -> list[list[str]]:
        lines = (self.folder / "rulefuzz.calls").read_text().splitlines()
        return [call for call in map(json.loads, lines) if call[0] == command]

    def test_found(self) -> None:
        code, said, found = self.bench()
        self.assertEqual(code, 0)
        self.assertEqual([line["result"] for line in found["lines"]], ["found", "found", "silent"])
        self.assertEqual([[m["id"] for m in line["matches"]] for line in found["lines"]], [[2], [3], []])
        candidates = [(c["id"], c["why"]) for c in found["lines"][0]["candidates"]]
        self.assertEqual(candidates, [(1, "exit code 1 on 1.0, exit code 1 on 2.0")])
        self.assertEqual([c["id"] for c in found["lines"][2]["candidates"]], [1, 2])
        self.assertGreater(found["lines"][0]["after"], 0)
        self.assertEqual(found["groups"], {"onnxruntime@1.0": {"models": 7, "findings": 3}})
        self.assertEqual(Path(found["lines"][1]["matches"][0]["script"]).read_text(), "# fails: 1.0;\n")
        self.assertRegex(said, r"\na\.py +onnxruntime@1\.0 +found +\S+ #2 title 2  \S+/findings/2\.py\n")
        self.assertRegex(said, r"\nall +2 +2  100 % +1 +1 +0\n")

    def test_run_from_nothing(self) -> None:
        self.bench("--budget", "90s", "--options=--opset auto")
        (run,) = self.calls("run")
        self.assertEqual(run[1:3], ["--backend", "onnxruntime@1.0"])
        self.assertNotIn("--python", run)  # a version's name and another Python exclude each other
        for option, value in (("--time", "90s"), ("--jobs", "2"), ("--seed", "1"), ("--opset", "auto")):
            self.assertEqual(run[run.index(option) + 1], value)

    def test_resumed(self) -> None:
        self.bench()
        scripts = (self.folder / "scripts").read_text()
        self.bench()
        self.assertEqual(len(self.calls("run")), 1)
        self.assertEqual((self.folder / "scripts").read_text(), scripts)
        self.bench("--again")
        self.assertEqual(len(self.calls("run")), 2)
        self.bench("--seed", "2")
        self.assertEqual(len(self.calls("run")), 3)

    def test_unfinished_is_run_again(self) -> None:
        self.bench()
        (self.folder / "out" / "onnxruntime@1.0" / "done.json").unlink()
        self.bench()
        self.assertEqual(len(self.calls("run")), 2)

    def test_reduced_first(self) -> None:
        self.bench()
        self.assertEqual(self.calls("reduce"), [])
        self.plant(row(1, "error", "onnx.Relu onnx.Clip", reduced=False))
        _, said, _ = self.bench("--again")
        self.assertEqual(len(self.calls("reduce")), 1)
        self.assertIn("(not fully reduced)", said)

    def test_triage_is_bounded(self) -> None:
        """Waiting failures are triaged after the budget; a stopped campaign is none."""
        self.plant(row(1, "error", "onnx.Relu onnx.Clip", "# fails: 1.0;"), code=4, waiting=2)
        code, _, found = self.bench()
        self.assertEqual((code, found["lines"][1]["result"]), (0, "found"))
        (run,), (triage,) = self.calls("run"), self.calls("triage")
        self.assertEqual((run[run.index("--triage-share") + 1], triage[triage.index("--time") + 1]), ("0.5", "5m"))
        self.plant(code=4)
        code, _, found = self.bench("--again")
        self.assertEqual((code, found["lines"][1]["result"]), (5, "not run"))

    def test_by_design_reported(self) -> None:
        self.plant(row(1, "error", "onnx.Cast"))
        code, _, found = self.bench()
        self.assertEqual((code, [line["result"] for line in found["lines"]]), (3, ["missed", "missed", "reported"]))

    def test_not_run(self) -> None:
        self.plant(code=5)
        code, _, found = self.bench()
        self.assertEqual((code, {line["result"] for line in found["lines"]}), (5, {"not run"}))
        self.assertIn("rulefuzz run ended with exit code 5", found["lines"][0]["failed"])
        self.plant(code=0)
        self.write_list("a.py\tonnxruntime\tnone\t-\terror\tCast\t\nb.py\tonnxruntime\t1.0\t-\terror\tCast\t\n")
        code, _, found = self.bench()
        self.assertEqual((code, [line["result"] for line in found["lines"]]), (5, ["not run", "missed"]))
        self.assertEqual(found["lines"][0]["failed"], "pip install failed")

    def test_selected(self) -> None:
        self.write_list("a.py\tonnxruntime\t1.0\t-\terror\tCast\t\nb.py\topenvino\t1.0\t-\terror\tCast\t\nc.py\topenvino\t1.0\t-\terror\tCast\t\n")
        _, _, found = self.bench("--groups", "openvino@*", "--only", "[ac].py")
        self.assertEqual([line["script"] for line in found["lines"]], ["c.py"])

    def test_malformed(self) -> None:
        self.write_list("a.py\n")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(main([str(self.folder)], Fakes(self.folder)), 1)
        self.assertIn("list.tsv:2: error:", said.getvalue())


class Versions(unittest.TestCase):
    """The environments that the real `rulefuzz backends` names, with a fake traces/backends.sh."""

    def test_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"RULESMITH_VENVS": folder}):
            script = Path(folder) / "backends.sh"
            fail = 'case $1 in *@0) echo "backends.sh: error: no 0" >&2; exit 5 ;; esac'
            script.write_text(f'echo "$1" >>{folder}/told\n{fail}\n')
            for name in ("onnx", "onnxruntime@1.17.1", "openvino@2025.0.0", "tvm", "tensorflow@2.15.1", "tvm@0"):
                (Path(folder) / name / "bin").mkdir(parents=True)
                (Path(folder) / name / "bin" / "python").touch()
            made = Environments(str(Path(os.environ.get("BUILD", "build")) / "rulefuzz"), script)
            for backend, version, named, place in (
                ("onnxruntime-basic", "1.17.1", "onnxruntime-basic@1.17.1", "onnxruntime@1.17.1"),
                ("openvino", "2025.0.0", "openvino@2025.0.0", "openvino@2025.0.0"),
                ("tensorflow-grappler", "2.15.1", "tensorflow-grappler@2.15.1", "tensorflow@2.15.1"),
                ("tvm", "0.27.0", "tvm", "tvm"),
            ):
                found = made.of(backend, version)
                self.assertEqual((found.backend, found.python), (named, Path(folder) / place / "bin" / "python"))
                made.of(backend, version)
            self.assertEqual(len((Path(folder) / "told").read_text().splitlines()), 4)
            for name, version, part in (("tvm", "0", "no 0"), ("tvm", "9", "made no"), ("nobody", "1", "unknown")):
                with self.assertRaisesRegex(Missing, part):
                    made.of(name, version)


if __name__ == "__main__":
    unittest.main()

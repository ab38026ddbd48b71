"""Settings of targets: their tables, and that they reach the target, the oracle and the scripts."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    from rulefuzz import framework, settings, targets
    from rulefuzz.assignments import read
    from rulefuzz.model import SETTING, BadModel, Json, Model, Reader
    from rulefuzz.oracle.check import Check, Clock, Reference
    from rulefuzz.oracle.symbolic import Symbolic
    from rulefuzz.script import repro, short
    from rulefuzz.script import symbolic as symbolic_script
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

FOLDER = Path(settings.__path__[0])
NAMES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
FAST = (("mode", "fast"),)


def configure(given: Sequence[tuple[str, str]], options: Any, model: Any, example: Sequence[Any]) -> None:
    """A fault: with this setting the model's first call is another one."""
    if ("mode", "fast") in given:
        model.graph.node[0].op_type = "Neg"


def planted() -> ModuleType:
    """Settings with the fault."""
    module = ModuleType("rulefuzz.settings.faulty")
    plain = "\nimport onnxruntime as ort\nmodel.graph.node[0].op_type = 'Neg'\n"
    plain += "actual = ort.InferenceSession(model.SerializeToString()).run(None, inputs)[0]\n"
    module.__dict__.update(SETTINGS={"mode": ("plain", "fast"), "other": ("0", "1")}, ONE_SHAPE=("other",), configure=configure,
                           plain=lambda given, dynamic: (plain,))  # fmt: skip
    return module


class Tables(unittest.TestCase):
    """rulefuzz/settings/*.py, which C reads as text."""

    def test_tables(self) -> None:
        self.assertEqual(NAMES, ["onnxruntime", "openvino", "torch_inductor"])
        for name in NAMES:
            table = targets.load(name.replace("_", "-")).configuration
            assert table
            with self.subTest(name):
                lines = (FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()
                start = lines.index("SETTINGS = {") + 1
                rows = {key: values for line in lines[start : lines.index("}", start)] for key, values in [self.row(line)]}
                self.assertEqual(rows, table.SETTINGS)
                self.assertLessEqual(len(rows), 32)
                for key, values in rows.items():
                    self.assertIn(len(set(values)), range(2, 9))
                    self.assertTrue(all(SETTING.fullmatch(text) for text in (key, *values)))
                self.assertLessEqual(set(getattr(table, "ONE_SHAPE", ())), set(rows))
                for key, values in getattr(table, "LOOSE", {}).items():
                    self.assertLess(set(values), set(rows[key]))
                share = [line for line in lines if line.startswith("SHARE")]
                self.assertEqual(share, [f"SHARE = {table.SHARE}"] if hasattr(table, "SHARE") else [])

    @staticmethod
    def row(line: str) -> tuple[str, tuple[str, ...]]:
        """A row as C reads it: quoted texts, the name first."""
        name, *values = line.split('"')[1::2]
        return name, tuple(values)

    def test_targets_know_only_their_own(self) -> None:
        target = targets.load("onnxruntime")
        self.assertEqual(target.given([("execution_mode", "ORT_PARALLEL"), ("NUM_STREAMS", "2")]).settings,
                         (("execution_mode", "ORT_PARALLEL"),))  # fmt: skip
        self.assertEqual(target.given([("execution_mode", "ORT_BOTH")]).settings, ())
        self.assertEqual(targets.load("onnxruntime-basic").given([("execution_mode", "ORT_PARALLEL")]).settings, ())
        self.assertTrue(target.given([("free_dimensions", "fixed")]).one_shape)
        self.assertFalse(target.given([("intra_op_num_threads", "2")]).one_shape)


def model_of(changes: Json, sizes: Sequence[int] = (2, 3)) -> Json:
    """Abs of an input."""
    call = {"op": "onnx.Abs", "api": "onnx.Abs", "args": [{"name": "X", "pos": True, "value": {"ref": 0}}],
            "outputs": [{"id": 1, "shape": [*sizes], "dtype": "float32"}]}  # fmt: skip
    inputs = [{"id": 0, "shape": [*sizes], "dtype": "float32"}]
    return {"values": 5, "inputs": inputs, "nodes": [call], "outputs": [1], **changes}


class Onnx(unittest.TestCase):
    """With onnxruntime."""

    def setUp(self) -> None:
        try:
            self.framework = framework.load("onnx")
            self.target = targets.load("onnxruntime")
            self.target.prepare()
        except framework.Unavailable as why:
            self.skipTest(str(why))
        self.framework.enter()
        self.reader = Reader(self.framework)

    def model(self, **changes: Any) -> Model:
        return self.reader.model(model_of(changes))

    def several(self, **changes: Any) -> Model:
        item = model_of({"dims": {"n": [2, 5]}, **changes})
        item["inputs"][0]["dims"] = ["n", None]
        item["nodes"][0]["outputs"][0]["also"] = [[5, 3]]
        return read(item, self.reader.model(item))

    def check(self, target: targets.Target, model: Model) -> Json:
        kind = Symbolic if model.assignments > 1 else Check
        return kind(self.framework, target, model, Clock(lambda stage: None)).run()

    def test_bad_settings(self) -> None:
        bad: Sequence[Any] = ({"a b": "1"}, {"a": 1}, {"a": ""}, {"a": "'"}, [], {f"n{i}": "1" for i in range(9)})
        for given in bad:
            with self.subTest(given), self.assertRaises(BadModel):
                self.model(settings=given)

    def test_every_setting_runs(self) -> None:
        assert self.target.configuration
        for name, values in self.target.configuration.SETTINGS.items():
            for value in values:
                with self.subTest(name, value=value):
                    model = self.model(settings={name: value})
                    self.assertEqual(self.check(self.target, model)["verdict"], "ok")
                    for dynamic in (False, True):
                        self.run_plain(self.target.given(model.settings), model, dynamic)

    def run_plain(self, target: targets.Target, model: Model, dynamic: bool) -> None:
        """Runs the lines of a short script."""
        subject = self.framework.subject(model, [], model.outputs)
        inputs = dict(zip(("t0",), self.framework.arguments(model, self.framework.inputs(model)), strict=True))
        for text in target.plain(dynamic):
            space: dict[str, Any] = {"model": subject, "inputs": inputs, "first": inputs}
            exec(text, space)
            self.assertEqual(space["actual"].tolist(), abs(inputs["t0"]).tolist())

    def test_options_are_set(self) -> None:
        """Each setting of a table changes the options that onnxruntime gets, or its own words."""
        import onnxruntime

        configuration = self.target.configuration
        assert configuration
        for name, values in configuration.SETTINGS.items():
            for value in values[1:] if name != "free_dimensions" else ():
                with self.subTest(name, value=value):
                    options = onnxruntime.SessionOptions()
                    configuration.configure(((name, value),), options, None, [])
                    found = options.get_session_config_entry(name) if "." in name else getattr(options, name)
                    self.assertEqual(getattr(found, "name", str(found)), value)
                    self.assertIn(f'"{value}"' if "." in name else value, configuration.plain(((name, value),), False)[0])

    def test_fixed_dimensions(self) -> None:
        self.assertEqual(self.check(self.target, self.several())["assignments"]["run"], 2)
        answer = self.check(self.target, self.several(settings={"free_dimensions": "fixed"}))
        self.assertEqual((answer["verdict"], answer["assignments"]), ("ok", {"run": 1, "recompiled": 0, "rejected": 0}))
        self.assertIn("add_free_dimension_override_by_name", self.target.given([("free_dimensions", "fixed")]).plain(True)[0])

    def faulty(self) -> targets.Target:
        patch = unittest.mock.patch.dict(sys.modules, {"rulefuzz.settings.faulty": planted()})
        patch.start()
        self.addCleanup(patch.stop)
        return targets.Target("faulty", self.target.module)

    def test_a_bug_of_one_setting(self) -> None:
        target = self.faulty()
        for given, verdict in (({}, "ok"), ({"other": "1"}, "ok"), ({"mode": "fast"}, "inconsistency"),
                               ({"other": "1", "mode": "fast"}, "inconsistency")):  # fmt: skip
            for model in (self.model(settings=given), self.several(settings=given)):
                with self.subTest(given, shapes=model.assignments):
                    self.assertEqual(self.check(target, model)["verdict"], verdict)
        check = Check(self.framework, self.target, self.model(settings=dict(FAST)), Clock(lambda stage: None))
        self.assertEqual(check.run()["verdict"], "ok")
        self.assertEqual(check.by(target).judged()["verdict"], "inconsistency")

    def test_scripts_name_it(self) -> None:
        target = self.faulty()
        for model in (self.model(settings=dict(FAST)), self.several(settings=dict(FAST))):
            several = model.assignments > 1
            write = symbolic_script.script if several else repro.script
            long = write(self.framework, target, model, "title", verdict="inconsistency")
            with self.subTest(shapes=model.assignments):
                self.assertIn("configure((('mode', 'fast'),)", long)
                self.assertEqual(self.exit_code(long), 1, long)
                self.assertEqual(self.exit_code(long.replace("'fast'),)", "'plain'),)")), 0)
                writer = symbolic_script.SymbolicWriter if several else short.Writer
                text = writer(self.framework, target, model, "title").text("inconsistency")
                self.assertIn("op_type = 'Neg'", text)
        for given, inputs in (({}, 2), ({"mode": "fast"}, 2), ({"mode": "fast", "other": "1"}, 1)):
            long = symbolic_script.script(self.framework, target, self.several(settings=given), "title")
            self.assertEqual(long.count("],  # v0"), inputs)
        plain = repro.script(self.framework, target, self.model(), "title")
        self.assertNotIn("def configure", plain)

    def test_scripts_of_the_reference_have_none(self) -> None:
        """A nondeterministic reference is run twice, by a function that has no settings; here it agrees."""
        with unittest.mock.patch.object(Reference, "differing", lambda self: (0, 1, "differs")):
            long = repro.script(self.framework, self.faulty(), self.model(settings=dict(FAST)), "title")
        self.assertFalse("configure" in long)
        self.assertEqual(self.exit_code(long), 0)

    @staticmethod
    def exit_code(text: str) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "repro.py"
            path.write_text(text)
            return subprocess.run([sys.executable, str(path)], capture_output=True, check=False).returncode


if __name__ == "__main__":
    unittest.main()

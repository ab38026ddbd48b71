"""Short scripts: how they write elements, and which of them are kept. Needs no framework unless a class says so."""

from __future__ import annotations

import tempfile
import time
import types
import unittest
from pathlib import Path
from typing import Any

try:
    import numpy as np

    from rulefuzz import framework, targets
    from rulefuzz.model import Reader, Tensor
    from rulefuzz.script import short, spell
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None


def said(tensor: Tensor, how: str) -> str:
    """The elements as a numpy expression."""
    return spell.numpy_text(tensor, spell.filling(tensor, 7, how))


class Spell(unittest.TestCase):
    """spell.py."""

    def test_expressions_match_the_tensor(self) -> None:
        for dtype in ("float32", "float16", "float64", "int64", "uint8", "int8", "bool"):
            for span in (None, (0, 1), (2, 5)):
                tensor = Tensor(3, (2, 3), dtype, "", None if dtype == "bool" else span)
                for how in spell.HOWS:
                    with self.subTest(tensor=tensor, how=how):
                        if how == "arange" and dtype == "bool":
                            self.assertRaises(spell.Unsayable, said, tensor, how)
                            continue
                        array = eval(said(tensor, how), {"np": np})
                        self.assertEqual((array.shape, array.dtype.name), ((2, 3), dtype))
                        if tensor.span:
                            self.assertTrue((array >= tensor.span[0]).all() and (array < tensor.span[1]).all())

    def test_readable_expressions(self) -> None:
        tensor = Tensor(0, (2, 3), "float32")
        self.assertEqual(said(tensor, "ones"), "np.ones((2, 3), np.float32)")
        self.assertEqual(said(tensor, "arange"), "np.arange(6, dtype=np.float32).reshape((2, 3))")
        self.assertRegex(said(tensor, "round"), r"^np\.array\(\[\[-?\d\.\d, ")
        self.assertIn("default_rng(0).uniform(-5.0, 5.0, (9, 9))", said(Tensor(0, (9, 9), "float32"), "round"))
        self.assertEqual(said(Tensor(0, (0, 9), "float32"), "exact"), "np.ones((0, 9), np.float32)")

    def test_no_expression(self) -> None:
        for tensor, how in ((Tensor(0, (9, 9), "complex64"), "exact"), (Tensor(0, (2,), "bfloat16"), "ones"),
                            (Tensor(0, (99, 9), "float32"), "arange")):  # fmt: skip
            with self.subTest(tensor=tensor, how=how):
                self.assertRaises(spell.Unsayable, said, tensor, how)


EXPECTED = 'print("expected:", 1, flush=True)\nexpected = 1\n'
ACTUAL = 'actual = 2\nprint("actual:", actual)\n'


class Shows(unittest.TestCase):
    """A script is kept only if it shows the fault, not if it ends with 1 for another reason."""

    def shows(self, text: str, fault: short.Fault) -> bool:
        return short.shows(text, fault, time.monotonic() + 20)

    def test_inconsistency(self) -> None:
        fault = short.Fault("inconsistency")
        self.assertTrue(self.shows(EXPECTED + ACTUAL + "assert actual == expected", fault))
        for text in ("raise SystemExit(1)", "assert False", EXPECTED + ACTUAL, EXPECTED + ACTUAL + "raise ValueError",
                     EXPECTED + ACTUAL + "assert False", EXPECTED + "assert False"):  # fmt: skip
            with self.subTest(text):
                self.assertFalse(self.shows(text, fault))

    def test_error(self) -> None:
        fault = short.Fault("error", error="KeyError")
        self.assertTrue(self.shows(EXPECTED + "raise KeyError(1)", fault))
        for text in (EXPECTED + "raise IndexError(1)", "raise KeyError(1)", EXPECTED + ACTUAL + "raise KeyError(1)"):
            with self.subTest(text):
                self.assertFalse(self.shows(text, fault))

    def test_crash(self) -> None:
        fault, fall = short.Fault("crash", 6), "import os\nos.abort()"
        self.assertTrue(self.shows(EXPECTED + fall, fault))
        self.assertFalse(self.shows(EXPECTED + fall, short.Fault("crash", 11)))
        self.assertFalse(self.shows(fall, fault))

    def test_hang(self) -> None:
        before, short.HANG = short.HANG, 0.3
        self.addCleanup(setattr, short, "HANG", before)
        self.assertTrue(self.shows(EXPECTED + "while True: pass", short.Fault("hang")))
        self.assertFalse(self.shows(EXPECTED + ACTUAL, short.Fault("hang")))

    def test_children_of_a_hanging_script_are_killed(self) -> None:
        before, short.HANG = short.HANG, 0.3
        self.addCleanup(setattr, short, "HANG", before)
        with tempfile.NamedTemporaryFile("r") as file:
            start = 'import subprocess\nchild = subprocess.Popen(["sleep", "600"])\n'
            start += f"open({file.name!r}, 'w').write(str(child.pid))\n"
            self.assertTrue(self.shows(start + EXPECTED + "while True: pass", short.Fault("hang")))
            command = Path(f"/proc/{file.read()}/cmdline")
            for _ in range(200):  # a zombie of the script may remain until it is reaped
                if not (command.exists() and command.read_bytes()):
                    break
                time.sleep(0.05)
            self.assertFalse(command.exists() and command.read_bytes())

    def test_long_script(self) -> None:
        """A script that ends without the fault, or whose reference fails, does not show it."""
        ends = {"raise SystemExit(0)": False, "raise SystemExit(2)": False, "raise SystemExit(1)": True,
                "import os\nos.abort()": True, "while True: pass": True}  # fmt: skip
        for text, shown in ends.items():
            with self.subTest(text):
                self.assertEqual(short.shows_long(text, {"verdict": "error", "seconds": 2.0}), shown)
        self.assertTrue(short.shows_long("raise SystemExit(0)", {"verdict": "hang"}))

    def test_fault_of_the_second_run(self) -> None:
        """The last line runs the compiled model, and is repeated."""
        target = targets.Target("told", types.ModuleType("told"))
        target.module.REQUIRES = ()  # type: ignore[attr-defined]
        told = types.SimpleNamespace(versions=dict, near_miss=False, settings=())
        writer = short.Writer(told, target, told, "title")  # type: ignore[arg-type]
        parts = framework.Short((), "runs = []", "expected = [1]", "assert actual == expected")
        for again, shown in ((True, True), (False, False)):
            fault = short.Fault("inconsistency", again=again)
            text = writer._whole(parts, "step = lambda: runs.append(1) or [*runs]\n\nactual = step()\n", fault)
            with self.subTest(again):
                self.assertEqual((text.count("actual = step()"), self.shows(text, fault)), (1 + again, shown))

    def test_two_runs_of_the_reference(self) -> None:
        """The script compares two runs; neither result is called the expected one."""
        target = targets.Target("told", types.ModuleType("told"))
        target.module.REQUIRES = ()  # type: ignore[attr-defined]
        told = types.SimpleNamespace(versions=dict, near_miss=False, settings=())
        writer = short.Writer(told, target, told, "title")  # type: ignore[arg-type]
        writer._compared = "twice"
        for actual, shown in (("2", True), ("1", False)):
            parts = framework.Short((), "x = 1", "expected = x", "assert actual == expected", f"actual = {actual}")
            fault = short.Fault("inconsistency", by_reference=True)
            text = writer._whole(parts, "", fault)
            self.assertIn('print("first run:", first)', text)
            self.assertNotRegex(text, "expected|actual")
            self.assertEqual(self.shows(text, fault), shown)

    def test_repeated_run_without_recompilation(self) -> None:
        """If the last line compiles as well, only its run is repeated."""
        for line, made, run in (
            ("actual = ort.InferenceSession(m).run(None, x)[0]", "ort.InferenceSession(m)", "compiled.run(None, x)[0]"),
            ("actual = torch.compile(f, backend='a')(*x)", "torch.compile(f, backend='a')", "compiled(*x)"),
        ):
            wanted = ["a = 1", f"compiled = {made}", f"actual = {run}", f"actual = {run}"]
            self.assertEqual(short._twice(["a = 1", line]), wanted)
        self.assertEqual(short._twice(["actual = module(x)"]), ["actual = module(x)"] * 2)

    def test_titles_are_wrapped(self) -> None:
        """A long title is wrapped, not cut."""
        title = " ".join(f"word{i}" for i in range(60))
        text = short.docstring(title)
        self.assertEqual(" ".join(eval(text).split()), title)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_scripts_do_not_import_the_package(self) -> None:
        text = EXPECTED + ACTUAL + "try:\n    import rulefuzz\nexcept ImportError:\n    assert actual == expected"
        self.assertTrue(self.shows(text, short.Fault("inconsistency")))


class Onnx(unittest.TestCase):
    """Hostile names in ONNX's text format. Needs onnx."""

    def test_quotes_in_names(self) -> None:
        try:
            from rulefuzz.frameworks.short.onnx import quoted
        except ImportError as missing:
            self.skipTest(str(missing))
        for text in ('a """ + exit() + """', "a \\", 'a \\""" b', "a \x00 b", "plain\ntext", 'it ends with "'):
            with self.subTest(text):
                self.assertEqual(eval(quoted(text)).strip(), text.strip())

    def test_models_as_text(self) -> None:
        """Empty fields of a function's nodes or of a body make no difference. If the text parses to another model,
        the script holds the model as bytes, and the reason."""
        try:
            import onnx

            from rulefuzz.frameworks.short import onnx as parts
        except ImportError as missing:
            self.skipTest(str(missing))
        text = """<ir_version: 10, opset_import: ["" : 20, "f" : 1]>
            g (bool b, float[2] x) => (float[2] y) { y = f.twice (b, x) }
            <domain: "f", opset_import: ["" : 20]>
            twice (b, x) => (y) { y = If (b) <then_branch = t () => (z) { z = Abs (x) },
                                              else_branch = e () => (w) { w = Neg (x) }> }"""
        model = onnx.parser.parse_model(text)
        function = model.functions[0].node[0]
        function.domain = function.attribute[0].g.node[0].domain = ""
        (line,) = parts._model(model)
        self.assertIn("onnx.parser.parse_model(", line)
        made: dict[str, Any] = {"onnx": onnx}
        exec(line, made)
        self.assertEqual(parts._said(made["model"]), parts._said(model))
        model.graph.node[0].attribute.append(onnx.helper.make_attribute("x", onnx.helper.make_tensor("n", 1, [1], [0.1])))
        model.functions[0].attribute_proto.append(onnx.helper.make_attribute("alpha", 0.5))
        model.graph.node[0].name = "a\nb"
        lines = parts._model(model)
        exec("\n".join(lines), made)
        self.assertRegex(lines[1], "^# As bytes: ONNX's (parser rejects the text of|text format changes) this model.$")
        self.assertEqual(made["model"], model)

    def test_crashes_and_hangs(self) -> None:
        try:
            adapter = framework.load("onnx")
        except framework.Unavailable as missing:
            self.skipTest(str(missing))
        before, short.HANG = short.HANG, 1.0
        self.addCleanup(setattr, short, "HANG", before)
        adapter.enter()
        model = Reader(adapter).model(adapter.warm_up())
        for verdict, number, plain in (("crash", 6, "import os\nos.abort()"), ("hang", 0, "while True:\n    pass"),
                                       ("crash", 6, "actual = expected"), ("hang", 0, "actual = expected")):  # fmt: skip
            module = types.ModuleType("planted")
            module.__dict__.update(FRAMEWORK="onnx", REQUIRES=("onnx",), PLAIN=(plain,), compile=lambda *parts: None)
            text = short.Writer(adapter, targets.Target("planted", module), model, 'a "title" \\').text(verdict, number, 30.0)
            with self.subTest(verdict=verdict, plain=plain):
                self.assertEqual(bool(text), plain != "actual = expected")
                self.assertLessEqual(len(text.splitlines()), 25)
                self.assertIn("np.ones((2, 3), np.float32)" if text else "", text)


if __name__ == "__main__":
    unittest.main()

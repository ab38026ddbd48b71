"""Elements and findings in the syntax of each framework: expressions give the model's elements, scripts show the
fault."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import numpy as np

    from rulefuzz import assignments, elements, framework, sandbox, targets
    from rulefuzz.model import Json, Reader, Tensor
    from rulefuzz.oracle import compare, tolerance
    from rulefuzz.script import short, spell, symbolic
    from rulefuzz.script.repro import script
    from rulefuzz.targets import Dynamic, Target
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

MODULES = {"torch": "torch", "tensorflow": "tensorflow", "onnx": "onnxruntime"}
DTYPES = ("float32", "float16", "float64", "int64", "int8", "uint8", "bool")
SHAPES = ((), (5,), (2, 3), (0, 3), (4, 4))


def tensor(i: int, shape: list[int], dtype: str = "float32", **more: Any) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": shape, "dtype": dtype, **more}


class Spelled(unittest.TestCase):
    """One framework. Its calls run in a child, since TensorFlow must not be called before a fork."""

    name = ""
    api = ""
    names: tuple[str, str] = ("", "")
    positional = True
    off = "actual = model(*inputs) + 1"
    """The fault of the line PLAIN."""

    def setUp(self) -> None:
        self.adapter = framework.load(self.name)
        patient = unittest.mock.patch.object(short, "SECONDS", 480.0)  # for busy machines
        patient.start()
        self.addCleanup(patient.stop)

    def inside(self, work: Callable[[], Any]) -> Any:
        """The result of a function that runs in a child with the framework loaded."""

        def entered() -> Any:
            self.adapter.enter()
            return work()

        value, end = sandbox.call(entered, sandbox.Limits(wall=600), output="")
        self.assertEqual(end.how, "")
        return value

    # ---- elements

    def wrong(self, t: Tensor, how: str) -> str:
        """How an expression's tensor differs from the model's; "unsayable" if there is no expression."""
        adapter = self.adapter
        try:
            made = adapter.evaluated(adapter.spelled(t, 7, how))
        except spell.Unsayable:
            return "unsayable"
        if adapter.describe(made) != (t.shape, t.dtype):
            return f"it is {adapter.describe(made)}"
        array = np.asarray(adapter.seen(made)[3])
        if t.span and array.size and not (t.span[0] <= array.min() and array.max() < t.span[1]):
            return "out of range"
        if how == "round" and not t.span and t.dtype.startswith("float") and array.size > spell.FEW:
            low, high = elements.BOUNDS[t.kind or "small"]
            if not (low <= array.min() < (low + high) / 2 < array.max() <= high):
                return "out of range"
        if how == "exact":
            return compare.difference(adapter.seen(made), adapter.seen(adapter.seeded(t, 7)))
        if how == "arange" and not t.span:
            counted = [i + (t.kind == "positive") for i in range(array.size)]
            return "" if array.reshape(-1).tolist() == counted else "not counted"
        return ""

    def test_expressions_match_the_tensor(self) -> None:
        """Shape, dtype and range are right; the exact expression has the model's elements."""
        cases = []
        for dtype in DTYPES:
            for kind, span in (("", None), ("positive", None), ("unit", None), ("", (2, 5)), ("", (0, 1)), ("", (-3, 100))):
                if not (span and (dtype == "bool" or (dtype[0] == "u" and span[0] < 0))):
                    cases += [Tensor(3, shape, dtype, kind, span) for shape in SHAPES]

        def work() -> list[tuple[str, str, str]]:
            return [(str(t), how, self.wrong(t, how)) for t in cases for how in spell.HOWS]

        found = self.inside(work)
        self.assertEqual([one for one in found if one[2] not in ("", "unsayable")], [])
        unsaid = [(t, how) for t, how, wrong in found if wrong == "unsayable"]
        self.assertEqual([one for one in unsaid if one[1] != "arange" and "bool" not in one[0]], [])
        self.assertEqual([one for one in unsaid if "bool" not in one[0] and "unit" not in one[0]], [])

    def test_drawn_elements_are_in_range(self) -> None:
        """Tensors too large to be listed."""
        cases = [Tensor(0, (9, 9), dtype, kind, span) for dtype in ("float32", "int64", "uint8")
                 for kind, span in (("small", None), ("large", None), ("", (3, 9)))]  # fmt: skip

        def work() -> list[tuple[str, str]]:
            return [(self.wrong(t, "round"), self.wrong(t, "exact")) for t in cases]

        self.assertEqual(self.inside(work), [("", "")] * len(cases))

    def test_large_inputs(self) -> None:
        """Only the model's own elements show this fault: the script computes them."""
        item = self.item()
        for t in (*item["inputs"], *item["nodes"][0]["outputs"]):
            t["shape"] = [9, 9]

        def work() -> float:
            model = Reader(self.adapter).model(item)
            first, second = (self.adapter.seen(self.adapter.seeded(t, model.values))[3] for t in model.inputs)
            return float((first + second)[8, 8])

        wanted = self.inside(work)

        def rarely(function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
            made = function(*inputs)
            return [x + (abs(float(self.adapter.seen(x)[3][8, 8]) - wanted) < 1e-6) for x in made]

        result = {"torch": "model(*inputs)", "tensorflow": "model(*inputs)", "onnx": "expected"}[self.name]
        plain = f"actual = {result}\nactual = actual + (1 if abs(float(actual[8, 8]) - {wanted!r}) < 1e-6 else 0)"
        said = self.text(item, self.target(rarely, plain))
        self.assertIn("mixed(81, ", said)
        self.assertLessEqual(len(said.splitlines()), 60)

    # ---- scripts

    def item(self, **more: Any) -> Json:
        """The sum of an input and a constant."""
        args = [{"name": name, "pos": self.positional, "value": {"ref": i}} for i, name in enumerate(self.names)]
        node = {"api": self.api, "args": args, "outputs": [tensor(2, [5, 3], **more)]}
        inputs = [tensor(0, [5, 3], **more), tensor(1, [5, 3], constant=True, **more)]
        return {"values": 5, "inputs": inputs, "nodes": [node], "outputs": [2]}

    def function(self, subject: Any) -> Callable[..., list[Any]]:
        """The model as a function."""
        return lambda *inputs: list(subject(*inputs))

    def target(self, change: Callable[..., list[Any]], plain: str, **more: Any) -> Target:
        """A target that runs `change` on the model and its inputs; `plain` is the line for short scripts."""
        module = ModuleType("planted")

        def compile_it(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
            stage("run")
            function = self.function(subject)
            return lambda *inputs: change(function, *inputs)

        module.__dict__.update(FRAMEWORK=self.name, REQUIRES=(), PLAIN=(plain,), compile=compile_it, **more)
        return Target("planted", module)

    def one_more(self, function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
        """A target that is off by one."""
        return [x + 1 for x in function(*inputs)]

    def text(self, item: Json, target: Target, verdict: str = "inconsistency") -> str:
        """The short script, which exists only if it showed the fault in a process of its own."""
        request = {"verdict": verdict, "signal": signal.SIGABRT, "seconds": 600}
        writer = short.Writer(self.adapter, target, Reader(self.adapter).model(item), "t")
        return str(self.inside(lambda: short.written(writer, request)))

    def test_a_difference(self) -> None:
        """Floats are compared with a tolerance."""
        said = self.text(self.item(), self.target(self.one_more, self.off))
        self.assertIn("rtol=0.01, atol=0.001", said)
        self.assertTrue(said.startswith('"""t"""\n# '))

    def slightly_off(self, function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
        """A target whose error is below NeuRI's tolerance, in float64."""
        return [x * 1.001 for x in function(*inputs)]

    def test_a_small_difference(self) -> None:
        """The tolerance tells the results apart, in the long script too."""
        item, target = self.item(dtype="float64"), self.target(self.slightly_off, "actual = expected * 1.001")
        self.assertIn("rtol=1e-07, atol=1e-07", self.text(item, target))
        made = Reader(self.adapter).model(item)
        preset = tolerance.MEASURED
        texts = self.inside(lambda: [script(self.adapter, target, made, "t", preset, how) for how in ("inconsistency", "")])
        for text, limits in zip(texts, ("1e-07, 1e-07", "0.001, 0.01"), strict=True):
            self.assertIn(f"[('v2', {limits})", text)

    def test_no_tensor_before_the_fork(self) -> None:
        """A long script makes no tensor before it forks, because a fork does not copy the framework's threads. The
        script runs in the child and ends with 0, since the target is right."""
        names = {"torch": "torch-same", "tensorflow": "tensorflow-graph", "onnx": "onnxruntime-none"}

        def work() -> bool:
            target = targets.load(names[self.name])
            target.prepare()
            said = script(self.adapter, target, Reader(self.adapter).model(self.item()), "t", tolerance.MEASURED, "")
            there = said.replace("sys.exit(main(", "sys.exit({'INPUTS', 'c1'} & {*globals()} != set() or main(")
            self.assertNotEqual(there, said)
            return short.shows_long(there, {"verdict": "inconsistency"})

        self.assertFalse(self.inside(work))

    def near_miss(self) -> Json:
        """The sum of tensors whose shapes do not match."""
        item = self.item()
        item["inputs"][1] = tensor(1, [4, 3])
        return {**item, "near_miss": True}

    def test_invalid_model(self) -> None:
        """A target that accepts the model, one that crashes, and one that rejects it."""
        item = self.near_miss()
        runs, ends, refuses = (self.target(lambda function, *inputs: [inputs[0]], plain)
                               for plain in ("actual = 1", "import os\nos.abort()", "raise ValueError"))  # fmt: skip
        self.assertIn("AssertionError", self.text(item, runs, "accepts-invalid"))
        model = Reader(self.adapter).model(item)
        long = self.inside(lambda: script(self.adapter, runs, model, "t", "measured", "accepts-invalid"))
        self.assertIn("attempt_miss(model, INPUTS, compile_it)", long)
        self.assertIn("\n    os.abort()\n", self.text(item, ends, "crash"))
        for verdict in ("accepts-invalid", "crash"):
            self.assertEqual(self.text(item, refuses, verdict), "")


class TorchSpelled(Spelled):
    """torch."""

    name, api, names = "torch", "torch.add", ("input", "other")
    test_a_difference = None  # type: ignore[assignment]  # oracle/test_features.py has it

    def test_layouts(self) -> None:
        """An expression has the model's strides and offset."""
        layouts = (((2, 3), (1, 5), 2), ((2, 3), (0, 1), 0), ((2, 3), (6, 2), 0), ((), (), 3), ((0, 3), (1, 7), 2))

        def work() -> list[Any]:
            found = []
            for shape, strides, offset in layouts:
                t = Tensor(3, shape, "float32", "small", strides=strides, offset=offset)
                made = self.adapter.evaluated(self.adapter.spelled(t, 7, "exact"))
                same = compare.difference(self.adapter.seen(made), self.adapter.seen(self.adapter.seeded(t, 7)))
                found.append((same, tuple(made.shape), tuple(made.stride()), made.storage_offset()))
            return found

        self.assertEqual(self.inside(work), [("", *layout) for layout in layouts])

    def test_overwritten_input(self) -> None:
        def zeroes(function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
            made = function(*inputs)
            inputs[0].zero_()
            return made

        said = self.text(self.item(), self.target(zeroes, "model(*inputs)\ninputs[0].zero_()"))
        self.assertIn("actual = list(inputs)", said)

    def test_copies(self) -> None:
        """Copies are made only for calls that write to their inputs; those that the fault needs are kept."""
        item = self.item()
        item["nodes"][0]["args"][0]["value"]["copy"] = True
        self.assertNotIn("clone(", self.text(item, self.target(self.one_more, self.off)))

        def keeps(function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
            before = inputs[0].clone()
            return [x + float(bool((inputs[0] == before).all())) for x in function(*inputs)]

        item["nodes"][0]["api"] = "torch.Tensor.add_"
        plain = "before = inputs[0].clone()\nactual = model(*inputs)\nactual = actual + bool((inputs[0] == before).all())"
        self.assertIn("v0.clone(memory_format=torch.contiguous_format).add_(", self.text(item, self.target(keeps, plain)))

    def test_an_error(self) -> None:
        def refuses(function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
            raise KeyError("planted")

        said = self.text(self.item(), self.target(refuses, "raise KeyError('planted')"), "error")
        self.assertIn("(KeyError is raised)", said)


class Varying(Spelled):
    """A model with two shape instances, compiled once: only the second shows the fault."""

    name, api, names = "torch", "torch.add", ("input", "other")
    test_expressions_match_the_tensor = test_drawn_elements_are_in_range = None  # type: ignore[assignment]
    test_a_small_difference = test_invalid_model = test_large_inputs = None  # type: ignore[assignment]
    FAULT = "actual = model(*inputs) + (inputs[0].shape[0] != first[0].shape[0])"
    ALONE = "actual = model(*inputs) + (inputs[0].shape[0] == 2)"
    FIRST = "first = (torch.ones((2, 3), dtype=torch.float32),)"
    SECOND = "x0 = torch.ones((4, 3), dtype=torch.float32)"

    def item(self, **more: Any) -> Json:
        item = super().item(**more)
        item["inputs"] = [tensor(0, [2, 3], dims=["a", None], **more), tensor(1, [1, 3], constant=True, **more)]
        item["nodes"][0]["outputs"] = [tensor(2, [2, 3], also=[[4, 3]], **more)]
        return {**item, "dims": {"a": [2, 4]}}

    def once(self, plain: str) -> Target:
        def compile_once(function: Any, example: Any, stage: Any, dims: Any) -> Any:
            rows = len(example[0])
            return lambda *x: [r + float((len(x[0]) != rows) != (plain == self.ALONE)) for r in function(*x)]

        return self.target(lambda function, *inputs: function(*inputs), "", DYNAMIC=Dynamic((plain,), compile_once))

    def test_a_difference(self) -> None:
        target = self.once(self.FAULT)
        made = assignments.read(self.item(), Reader(self.adapter).model(self.item()))
        self.assertTrue(symbolic.fits(target, made))
        writer = symbolic.SymbolicWriter(self.adapter, target, made, "t")
        said = self.inside(lambda: short.written(writer, {"verdict": "inconsistency", "seconds": 600}))
        self.assertIn(self.FIRST, said)
        self.assertIn(self.SECOND, said)

    def test_fault_of_the_first_instance(self) -> None:
        """A fault of the first instance is shown by a script with that instance alone."""
        made = assignments.read(self.item(), Reader(self.adapter).model(self.item()))
        writer = symbolic.SymbolicWriter(self.adapter, self.once(self.ALONE), made, "t")
        said = self.inside(lambda: short.written(writer, {"verdict": "inconsistency", "seconds": 600}))
        self.assertIn(self.SECOND.replace("(4, 3)", "(2, 3)"), said)


WITH_FAULTS = "import sys; sys.path.insert(0, sys.argv[1]); exec(sys.argv[2])"
"""Scripts for targets that are broken on purpose need the package, whose fault they show."""


class TorchVarying(Varying):
    """torch."""

    def test_the_long_script(self) -> None:
        """Exit code 1 for a target that keeps the first size, 0 for one that does not."""
        target = targets.load("torch-specialised")
        made = assignments.read(self.item(), Reader(self.adapter).model(self.item()))
        with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": "torch.add:tail"}):
            text = self.inside(lambda: symbolic.script(self.adapter, target, made, "t"))
        for code, run in ((1, text), (0, text.replace("torch.add:tail", "torch.mul:tail"))):
            words = [sys.executable, "-I", "-c", WITH_FAULTS, str(Path(sandbox.__file__).parents[1]), run]
            end = subprocess.run(words, capture_output=True, text=True, check=False)
            self.assertEqual(code, end.returncode, end.stdout + end.stderr)
            self.assertRegex(end.stdout, "REPRODUCED: v2 differs for inputs 1: " if code else "^not reproduced")


class OnnxVarying(Varying):
    """ONNX, whose models name their dynamic dimensions: the target's own `compile` accepts them."""

    name, api, names = "onnx", "onnx.Add", ("A", "B")
    FAULT = 'actual = expected + (inputs["t0"].shape[0] != first["t0"].shape[0])'
    ALONE = 'actual = expected + (inputs["t0"].shape[0] == 2)'
    FIRST = "first = dict(zip(inputs, (np.ones((2, 3), np.float32),)))"
    SECOND = 'inputs = {"t0": np.ones((4, 3), np.float32)}'

    def once(self, plain: str) -> Target:
        from rulefuzz.frameworks import onnx, onnx_arrays

        def compile_once(made: Any, example: Any, stage: Any) -> Any:
            rows = len(example[0])
            alone = plain == self.ALONE
            return lambda x: [onnx_arrays.array_of(onnx.reference(made, [x])[0]) + np.float32((len(x) != rows) != alone)]

        target = self.target(lambda function, *inputs: [], "", DYNAMIC=Dynamic((plain,)))
        target.module.__dict__.update(compile=compile_once)
        return target


class TensorFlowSpelled(Spelled):
    """TensorFlow."""

    name, api, names, positional = "tensorflow", "tf.raw_ops.AddV2", ("x", "y"), False

    def test_strings(self) -> None:
        cases = [Tensor(2, (2, 3), "string", "small", span) for span in (None, (3, 9))]

        def work() -> list[str]:
            found = []
            for t in cases:
                made = self.adapter.evaluated(self.adapter.spelled(t, 7, "exact"))
                found.append(compare.difference(self.adapter.seen(made), self.adapter.seen(self.adapter.seeded(t, 7))))
                ones = self.adapter.evaluated(self.adapter.spelled(t, 7, "ones"))
                found.append(f"{self.adapter.describe(ones)} {ones.numpy()[1, 2]}")
            return found

        self.assertEqual(self.inside(work), ["", "((2, 3), 'string') b'1'", "", "((2, 3), 'string') b'3'"])


class OnnxSpelled(Spelled):
    """ONNX."""

    name, api, names = "onnx", "onnx.Add", ("A", "B")
    off = "actual = expected + 1"

    def function(self, subject: Any) -> Callable[..., list[Any]]:
        from rulefuzz.frameworks import onnx, onnx_arrays

        return lambda *inputs: [onnx_arrays.array_of(x) for x in onnx.reference(subject, inputs)]

    def test_integers(self) -> None:
        said = self.text(self.item(dtype="int32"), self.target(self.one_more, self.off))
        self.assertIn("np.testing.assert_array_equal(actual, expected, strict=True)", said)

    def test_four_bits(self) -> None:
        """Constants of ml_dtypes, which onnxruntime does not take as inputs."""
        kinds = (("int4", None), ("uint4", None), ("int4", (-8, 3)))
        cases = [Tensor(2, shape, dtype, "large", span, True) for dtype, span in kinds for shape in ((3,), (5, 4))]
        found = self.inside(lambda: [self.wrong(t, how) for t in cases for how in ("exact", "ones", "round")])
        self.assertEqual(set(found), {""})
        self.assertTrue(set(self.inside(lambda: [self.wrong(t, "arange") for t in cases])) <= {"", "unsayable"})
        with self.assertRaises(spell.Unsayable):
            self.adapter.spelled(Tensor(2, (3,), "int4"), 7, "ones")
        args = [{"name": n, "pos": True, "value": {"ref": i}} for i, n in enumerate(("x", "x_scale"), 1)]
        scaled = {"api": "onnx.DequantizeLinear", "args": args, "outputs": [tensor(3, [5, 4])]}
        plus = [{"name": n, "pos": True, "value": {"ref": i}} for n, i in (("A", 0), ("B", 3))]
        inputs = [tensor(0, [5, 4]), tensor(1, [5, 4], "int4", constant=True), tensor(2, [], constant=True)]
        add = {"api": "onnx.Add", "args": plus, "outputs": [tensor(4, [5, 4])]}
        item = {"values": 5, "inputs": inputs, "nodes": [scaled, add], "outputs": [4]}
        said = self.text(item, self.target(self.one_more, self.off))
        self.assertIn("import ml_dtypes\n", said)
        self.assertIn("ml_dtypes.int4)", said)

    def test_no_script_without_the_fault(self) -> None:
        """The target is right, or wrong in another way than the finding says."""
        right = self.target(lambda function, *inputs: function(*inputs), self.off)
        self.assertEqual(self.text(self.item(), right), "")
        self.assertEqual(self.text(self.item(), self.target(self.one_more, "actual = expected")), "")

    def test_overwritten_input(self) -> None:
        def zeroes(function: Callable[..., list[Any]], *inputs: Any) -> list[Any]:
            made = function(*inputs)
            inputs[0][:] = 0
            return made

        said = self.text(self.item(), self.target(zeroes, "for x in inputs.values():\n    x[:] = 0"))
        self.assertIn("actual = inputs\n", said)

    def test_missing_kernel_in_onnxruntime(self) -> None:
        """onnx's evaluator is the reference, in the script too."""
        args = [{"name": "X", "pos": True, "value": {"ref": 0}}]
        node = {"api": "onnx.Relu", "args": args, "outputs": [tensor(1, [2, 3], "int16")]}
        item = {"values": 5, "inputs": [tensor(0, [2, 3], "int16")], "nodes": [node], "outputs": [1]}
        target = self.target(lambda function, *inputs: [abs(inputs[0]) + 1], self.off)
        self.assertIn("expected = ReferenceEvaluator(model).run(None, inputs)[0]", self.text(item, target))

    def test_whole_model_rejected_by_onnxruntime(self) -> None:
        """The reference runs call by call, a script runs the model. onnx does not accept the unknown shape of a
        loop's result as a vector."""
        inputs = [tensor(0, [], "float64"), tensor(1, [1, 1, 1], "float64"), {**tensor(2, [], "int64"), "range": [1, 2]}]

        def call(api: str, passed: Json, outputs: list[Json]) -> Json:
            return {"api": api, "args": [{"name": name, "pos": name != "outputs", "value": value} for name, value in passed],
                    "outputs": outputs}  # fmt: skip

        unique = call("onnx.Unique", [("X", {"ref": 0}), ("outputs", {"const": "1"})], [tensor(3, [1], "float64")])
        step = {"elements": 8, "dtype": "int64"}
        passed = [("signal", {"ref": 1}), ("frame_step", step), ("window", {"ref": 3})]
        stft = call("onnx.STFT", passed, [tensor(4, [1, 1, 1, 2], "float64")])
        item = {"values": 5, "inputs": inputs, "nodes": [unique, stft],
                "outputs": [4], "bodies": [{"kind": "loop", "first": 0, "last": 0, "control": 2}]}  # fmt: skip
        plain = "import onnxruntime as ort\nactual = ort.InferenceSession(model.SerializeToString()).run(None, inputs)[0]"
        said = self.text(item, self.target(lambda function, *inputs: function(*inputs), plain), "error")
        self.assertIn("expected = ReferenceEvaluator(model).run(None, inputs)[0]", said)

    def test_whole_model_rejected_by_the_evaluator(self) -> None:
        """If onnxruntime lacks a kernel for one call, the long script runs the others on it, one by one and without
        subgraphs. onnx's evaluator rejects a Pad with negative padding."""
        inputs = [tensor(0, [2, 3]), {**tensor(1, [], "bool"), "range": [1, 2]}]
        pads = {"elements": [{"const": text} for text in ("0", "0", "0", "-1")], "dtype": "int64"}
        args = [{"name": name, "pos": True, "value": value} for name, value in (("data", {"ref": 2}), ("pads", pads))]
        nodes = [{"api": "onnx.Abs", "args": [{"name": "X", "pos": True, "value": {"ref": 0}}], "outputs": [tensor(2, [2, 3])]},
                 {"api": "onnx.Pad", "args": args, "outputs": [tensor(3, [2, 2])]}]  # fmt: skip
        item = {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [3],
                "bodies": [{"kind": "if", "first": 0, "last": 1, "control": 1}]}  # fmt: skip

        def shows(lacking: str, other: tuple[str, str] = ("", "")) -> bool:
            """Whether the script runs a model with a missing kernel."""
            made, target = Reader(self.adapter).model(item), targets.load("onnxruntime-none")
            target.prepare()
            vars(self.adapter)["_without"] = {(lacking, ("float32",))}
            said = script(self.adapter, target, made, "t", tolerance.MEASURED, "inconsistency")
            self.assertIn("If (t1)", said)
            return short.shows_long(said.replace(*other), {"verdict": "inconsistency"})

        found = self.inside(lambda: [shows("onnx.Abs"), shows("onnx.Abs", ("[values[info", "[1 + values[info"))])
        self.assertEqual(found, [False, True])

    def test_older_operator_set(self) -> None:
        """The target's operator set is older than the reference's. onnxruntime has no float16 ReduceLogSumExp there,
        and the function body overflows."""
        args = [{"name": "data", "pos": True, "value": {"ref": 0}},
                {"name": "axes", "pos": True, "value": {"elements": [{"const": "0"}], "dtype": "int64"}}]  # fmt: skip
        node = {"api": "onnx.ReduceLogSumExp", "args": args, "outputs": [tensor(1, [1, 3], "float16")]}
        item = {"values": 5, "inputs": [{**tensor(0, [1, 3], "float16"), "range": [721, 725]}], "nodes": [node], "outputs": [1]}
        plain = "actual = ort.InferenceSession(model.SerializeToString(), options).run(None, inputs)[0]"
        said = self.text(item, self.target(lambda function, *inputs: function(*inputs), plain))
        self.assertIn("newest.opset_import[0].version = ", said)
        self.assertIn("expected = ort.InferenceSession(newest.SerializeToString(), options)", said)
        self.assertNotIn("newest", self.text(self.item(), self.target(self.one_more, self.off)))
        none = targets.load("onnxruntime-none")
        none.prepare()

        def shows(item: Json) -> tuple[str, bool]:
            made = Reader(self.adapter).model(item)
            said = script(self.adapter, none, made, "t", tolerance.MEASURED, "inconsistency")
            return said, short.shows_long(said, {"verdict": "inconsistency"})

        (old, shown), (other, agrees) = self.inside(lambda: [shows(item), shows(self.item())])
        self.assertTrue("unoptimised, reference = reference, by_newest" in old and shown)
        self.assertFalse("by_newest" in other or agrees)

    def test_many_inputs_are_wrapped(self) -> None:
        args = [{"name": f"data_0_{i}", "pos": True, "value": {"ref": i}} for i in range(6)]
        node = {"api": "onnx.Sum", "args": args, "outputs": [tensor(6, [2, 3])]}
        item = {"values": 5, "inputs": [tensor(i, [2, 3]) for i in range(6)], "nodes": [node], "outputs": [6]}
        said = self.text(item, self.target(self.one_more, self.off))
        self.assertIn('inputs = {\n    "t0": ', said)
        self.assertLessEqual(max(map(len, said.splitlines())), 120)


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """The tests of the installed frameworks."""
    suite = unittest.TestSuite()
    for case in (TorchSpelled, TorchVarying, TensorFlowSpelled, OnnxSpelled, OnnxVarying):
        if importlib.util.find_spec(MODULES[case.name]):
            suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()

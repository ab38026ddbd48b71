"""With ONNX: calls become models and are judged, and test cases become calls. Skipped if onnx cannot be
imported."""

import importlib.util
import json
import os
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from rulefuzz.framework import Rejected
from traces.collect.call.arglist import ranges
from traces.collect.call.spec import Elements, Literal, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.verdict import FAIL, MIXED, OTHER, PASS, judge

HAVE_ONNX = all(importlib.util.find_spec(name) is not None for name in ("onnx", "onnxruntime"))

X = ("data", True, TensorSpec((2, 3, 4), "float32"))


@unittest.skipUnless(HAVE_ONNX, "onnx and onnxruntime are not installed here")
class Onnx(unittest.TestCase):
    """onnx_adapter and onnx_source."""

    adapter: Any

    @classmethod
    def setUpClass(cls) -> None:
        """One adapter for all."""
        from traces.collect.frameworks.onnx.adapter import OnnxAdapter

        cls.adapter = OnnxAdapter()

    def verdict(self, api: str, arguments: Sequence[tuple[str, bool, object]], values: Values | None = None) -> str:
        """The verdict on a call, with its own or with other values."""
        call = symbolise(api, arguments)
        compiled = self.adapter.compile(api, call.args)
        outputs = self.adapter.run(compiled, call.values, "zeros") if values else ()
        types = [(len(dims), dtype) for dims, dtype in outputs] if values else None
        return judge(self.adapter, compiled, values or call.values, types, ranges(call.args)).kind

    def outputs(self, api: str, arguments: Sequence[tuple[str, bool, object]]) -> Any:
        """The outputs of a call."""
        call = symbolise(api, arguments)
        return self.adapter.run(self.adapter.compile(api, call.args), call.values, "normal")

    def test_verdicts(self) -> None:
        """A broadcast, a mismatch, a size that depends on elements, a squeeze to another rank."""
        pair = [("A", True, TensorSpec((2, 3), "float32")), ("B", True, TensorSpec((2, 3), "float32"))]
        self.assertEqual(self.verdict("onnx.Add", pair, (2, 3, 1, 3)), PASS)
        self.assertEqual(self.verdict("onnx.Add", pair, (2, 3, 2, 2)), FAIL)
        self.assertEqual(self.verdict("onnx.NonZero", [("X", True, TensorSpec((9, 9), "int64"))]), MIXED)
        self.assertEqual(self.verdict("onnx.Squeeze", [("data", True, TensorSpec((1, 3), "float32"))], (2, 3)), OTHER)

    def test_number_in_place_of_a_tensor(self) -> None:
        """It is rejected: an input of a node is a tensor."""
        call = symbolise("onnx.Add", [("A", True, TensorSpec((2,), "float32")), ("B", True, 1)])
        with self.assertRaisesRegex(Rejected, "in place of a tensor"):
            self.adapter.run(self.adapter.compile(call.api, call.args), call.values, "zeros")

    def test_each_dtype_of_a_cast(self) -> None:
        """An attribute that holds a dtype gets each one; each combination of two type variables is wished for."""
        from rulefuzz.frameworks.onnx_evaluate import history, schema_and_opset
        from traces.collect.frameworks.onnx.calls.forms import coded
        from traces.collect.frameworks.onnx.cases import node_cases

        schema = schema_and_opset("onnx.Cast", history())[0]
        dtypes = {dtype for dtype, _ in coded(node_cases()["Cast"].cases[0], schema, ["to"])}
        self.assertLessEqual({"bool", "int8", "uint64", "float16", "float64", "string"}, dtypes)
        pair = [("input", True, TensorSpec((2,), "float32")), ("target_type", True, TensorSpec((2,), "float16"))]
        like = symbolise("onnx.CastLike", pair)
        self.assertIn(["int8", "float64"], self.adapter.wishes("onnx.CastLike", like.args))

    def test_other_domains(self) -> None:
        """Calls of other domains run in onnxruntime alone; their guesses are the same each time."""
        from rulefuzz.frameworks.domains import onnx as onnx_domains
        from traces.collect.frameworks.onnx.calls.guesses import guesses

        x, y = ("A", True, TensorSpec((2, 3), "float32")), ("B", True, TensorSpec((3, 4), "float32"))
        self.assertEqual(self.outputs("onnx.com_microsoft.FusedMatMul", [x, y]), (((2, 4), "float32"),))
        self.assertEqual(self.verdict("onnx.com_microsoft.FusedMatMul", [x, y], (2, 3, 4, 4)), FAIL)
        self.assertEqual(self.outputs("onnx.ai_onnx_ml.Normalizer", [("X", True, x[2])]), (((2, 3), "float32"),))
        schema = onnx_domains.schemas()["com_microsoft.FusedMatMul"]
        shapes = [[[getattr(a, "shape", None) for a in case.inputs] for case in guesses(schema)] for _ in range(2)]
        self.assertEqual(*shapes)

    def test_a_kernel_that_dies(self) -> None:
        """A call that kills its process is no call, and the next one runs."""
        from traces.collect.frameworks.onnx.calls.prober import Prober

        good = symbolise("onnx.Relu", [("X", True, TensorSpec((2, 3), "float32"))])
        prober = Prober(self.adapter)
        with mock.patch.object(Prober, "_runs", lambda *_: os.abort()):
            self.assertFalse(prober.accepts(good))
        self.assertTrue(prober.accepts(good))
        prober.end()

    def test_shape_not_as_inferred(self) -> None:
        """A call fails if onnx infers another shape than onnxruntime returns: onnx's checker rejects every model with it."""
        from traces.collect.frameworks.onnx import adapter

        empty = [("data", True, TensorSpec((0, 2, 3), "float32")), ("axis", False, 2)]
        self.assertEqual(self.verdict("onnx.ArgMax", empty), PASS)
        with mock.patch.object(adapter, "contradicts", lambda *_: True):
            self.assertEqual(self.verdict("onnx.ArgMax", empty), FAIL)

    def test_structure(self) -> None:
        """A missing input, a variadic one, constant tensors, a tensor as attribute, optional outputs."""
        missing = [("input", True, TensorSpec((2,), "float32")), ("min", True, None), ("max", True, TensorSpec((), "float32"))]
        self.assertEqual(self.outputs("onnx.Clip", missing), (((2,), "float32"),))
        pair = [TensorSpec((2, 3), "float32"), TensorSpec((2, 4), "float32")]
        self.assertEqual(self.outputs("onnx.Concat", [("inputs", True, pair), ("axis", False, 1)]), (((2, 7), "float32"),))
        reshape = [X, ("shape", True, Elements([4, -1], "int64"))]
        self.assertEqual(self.outputs("onnx.Reshape", reshape), (((4, 6), "float32"),))
        filled = [("input", True, Elements([2, 5], "int64")), ("value", False, Literal("('int32', [1], [7])"))]
        self.assertEqual(self.outputs("onnx.ConstantOfShape", filled), (((2, 5), "int32"),))
        two = self.outputs("onnx.Dropout", [X, ("outputs", False, Literal("2"))])
        self.assertEqual(two, (((2, 3, 4), "float32"), ((2, 3, 4), "bool")))
        words = [("X", True, TensorSpec((2, 3), "string")), ("Y", True, TensorSpec((3,), "string"))]
        self.assertEqual(self.outputs("onnx.StringConcat", words), (((2, 3), "string"),))

    def test_range(self) -> None:
        """Both ends of a range of indices must be accepted."""
        def gather(low: int, high: int) -> str:
            indices = TensorSpec((5,), "int64", range=(low, high))
            return self.verdict("onnx.Gather", [X, ("indices", True, indices), ("axis", False, 1)])

        self.assertEqual([gather(-3, 3), gather(-4, 3), gather(0, 4)], [PASS, FAIL, FAIL])

    def test_broadcast_of_data(self) -> None:
        """onnxruntime lets PRelu's slope broadcast its input, which onnx does not infer."""
        pair = [("X", True, TensorSpec((3,), "float32")), ("slope", True, TensorSpec((3,), "float32"))]
        self.assertEqual([self.verdict("onnx.PRelu", pair, values) for values in ((3, 1), (1, 3))], [PASS, FAIL])

    def test_number_of_outputs(self) -> None:
        """Split must have num_outputs outputs: onnx's inference can crash on any other number."""
        def split(said: int) -> str:
            whole = ("input", True, TensorSpec((6,), "float32"))
            return self.verdict("onnx.Split", [whole, ("num_outputs", False, said), ("outputs", False, Literal("3"))])

        self.assertEqual([split(said) for said in (2, 3, 4)], [FAIL, PASS, FAIL])

    def test_names(self) -> None:
        """Operators newer than the collected operator set have their version in their name."""
        from rulefuzz.frameworks.onnx_evaluate import history
        from traces.collect.frameworks.onnx.adapter import newest_name

        schemas = history()
        self.assertEqual(newest_name("Add", schemas["Add"]), "onnx.Add")
        self.assertEqual(newest_name("SwiGLU", schemas["SwiGLU"]), "onnx.SwiGLU_28")

    def test_ranked(self) -> None:
        """A convolution at other ranks, with its lists; removed axes are replaced."""
        import numpy as np

        from rulefuzz.frameworks.onnx_evaluate import history
        from traces.collect.frameworks.onnx.calls.turned import ranked
        from traces.collect.frameworks.onnx.cases import Case

        schemas = history()
        inputs = [np.zeros(dims, np.float32) for dims in ((1, 2, 5, 6), (4, 2, 3, 2))]
        case = Case("", inputs, {"kernel_shape": [3, 2], "pads": [0, 1, 2, 3], "group": 1}, 1)
        made = [([value.shape for value in other.inputs], other.attributes) for other in ranked(case, schemas["Conv"][-1], 3)]
        self.assertIn(([(1, 2, 5), (4, 2, 3)], {"kernel_shape": [3], "pads": [0, 2], "group": 1}), made)
        squeezed = Case("", [inputs[0], np.array([0, 3])], {}, 1)
        axes = [other.inputs[1].tolist() for other in ranked(squeezed, schemas["Squeeze"][-1], 2)]
        self.assertIn([0, 1], axes)
        self.assertEqual(list(ranked(case, schemas["Conv"][-1], 4)), [])

    def test_versions(self) -> None:
        """Axes are an attribute of Squeeze-11, an input of the current version; Upsample exists up to 9."""
        one = ("data", True, TensorSpec((1, 3), "float32"))
        self.assertEqual(self.verdict("onnx.Squeeze_11", [one, ("axes", False, [0])]), PASS)
        self.assertEqual(self.verdict("onnx.Squeeze", [one, ("axes", False, [0])]), FAIL)
        self.assertEqual(self.verdict("onnx.Squeeze", [one, ("axes", True, Elements([0], "int64"))]), PASS)
        scales = Elements([Literal("1.0"), Literal("2.0")], "float32")
        self.assertEqual(self.outputs("onnx.Upsample_9", [one, ("scales", True, scales)]), (((1, 6), "float32"),))

    def test_random(self) -> None:
        """A seed makes a session's numbers reproducible."""
        wanted = [("dtype", False, Literal("1")), ("shape", False, [3])]
        for seed, same in (([("seed", False, 1.0)], True), ([], False)):
            call = symbolise("onnx.RandomNormal", [*wanted, *seed])
            self.assertEqual(self.adapter.deterministic(self.adapter.compile(call.api, call.args), call.values), same)

    def chance(self, api: str, arguments: Sequence[tuple[str, bool, object]], out: Sequence[int]) -> bool:
        """True if an operator with this record is marked."""
        from traces.collect.frameworks.onnx import chance

        call = symbolise(api, arguments)
        operator = {"api": api, "args": call.args, "pass": [[list(call.values), list(out)]]}
        return chance.is_random(self.adapter, operator)

    def test_two_implementations_need_not_agree(self) -> None:
        """A generator with a seed, one without, one that only onnxruntime has, one that it lacks, a dropout in
        training."""
        shape = [("shape", False, [40]), ("seed", False, 1.0)]
        self.assertTrue(self.chance("onnx.RandomNormal_1", shape, [40]))
        self.assertTrue(self.chance("onnx.RandomUniform", shape, [40]))
        self.assertTrue(self.chance("onnx.Bernoulli_15", [("input", True, TensorSpec((40,), "float32"))], [40]))
        self.assertTrue(self.chance("onnx.Multinomial_7", [("input", True, TensorSpec((40, 9), "float32"))], [40, 1]))
        data = [("data", True, TensorSpec((40,), "float32")), ("ratio", True, Elements(Literal("0.5"), "float32"))]
        training = ("training_mode", True, TensorSpec((), "bool"))
        self.assertTrue(self.chance("onnx.Dropout", [*data, training], [40]))
        self.assertFalse(self.chance("onnx.Dropout", data, [40]))

    def test_what_is_wrong_is_no_chance(self) -> None:
        """Equal results; results that differ whatever the seed (the reference evaluator's LSTM); memory left
        uninitialized on some inputs only (onnxruntime's RotaryEmbedding on an odd dimension)."""
        self.assertFalse(self.chance("onnx.Exp", [("input", True, TensorSpec((40,), "float32"))], [40]))
        root = Path(__file__).resolve().parents[3]
        from traces.collect.frameworks.onnx import chance

        for api in ("onnx.LSTM", "onnx.RotaryEmbedding"):
            lines = (root / "traces" / "onnx" / f"{api}.jsonl").read_text().splitlines()
            self.assertFalse(any(chance.is_random(self.adapter, json.loads(line)) for line in lines))

    def test_marks(self) -> None:
        """Position of the mark in a record; an up-to-date file is not rewritten."""
        from traces.collect.frameworks.onnx import chance

        call = symbolise("onnx.RandomUniform", [("shape", False, [40]), ("seed", False, 1.0)])
        record = {"op": "onnx.RandomUniform-0", "api": call.api, "args": call.args, "dtypes": [], "source": [],
                  "pass": [[[40], [40]]], "fail": []}  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "onnx.RandomUniform.jsonl")
            path.write_text(json.dumps(record) + "\n")
            self.assertEqual(chance.judge_files([path], self.adapter), 1)
            keys = list(json.loads(path.read_text()))
            self.assertEqual(keys, ["op", "api", "args", "dtypes", "random", "source", "pass", "fail"])
            before = path.stat()
            self.assertEqual(chance.judge_files([path], self.adapter), 1)
            self.assertEqual(path.stat().st_ino, before.st_ino)

    def test_wishes(self) -> None:
        """Each type of a type variable, with the other variables unchanged."""
        call = symbolise("onnx.Gather", [X, ("indices", True, TensorSpec((5,), "int64"))])
        wishes = self.adapter.wishes("onnx.Gather", call.args)
        self.assertIn(["uint8", "int64"], wishes)
        self.assertIn(["float32", "int32"], wishes)
        self.assertNotIn(["float32", "float32"], wishes)

    def test_older_cases(self) -> None:
        """An input becomes the attribute of an older version."""
        import numpy as np

        from rulefuzz.frameworks.onnx_evaluate import history
        from traces.collect.frameworks.onnx.cases import Case, arguments, older

        schemas = {schema.since_version: schema for schema in history()["TopK"]}
        case = Case("", [np.zeros((3, 4), np.float32), np.array([3])], {"axis": 1, "largest": 0}, 2)
        old = older(case, schemas[24], schemas[1])
        self.assertEqual(arguments(old, schemas[1]),
                         [("X", True, TensorSpec((3, 4), "float32")), ("axis", False, 1), ("k", False, 3)])  # fmt: skip


@unittest.skipUnless(HAVE_ONNX, "onnx and onnxruntime are not installed here")
class Own(unittest.TestCase):
    """User-defined operators, tests/data/user_ops/onnx_ops.py: run by the reference evaluator alone."""

    def setUp(self) -> None:
        from rulefuzz import own
        from traces.collect.frameworks.onnx.adapter import OnnxAdapter

        data = str(Path(__file__).resolve().parents[2] / "data" / "user_ops")
        sys.path.insert(0, data)
        self.addCleanup(sys.path.remove, data)
        for cached in (own.modules, own.functions):
            cached.cache_clear()
            self.addCleanup(cached.cache_clear)
        names = ",".join(f"onnx_ops:{name}" for name in ("Spread", "Folded", "scores"))
        patched = mock.patch.dict("os.environ", {own.VARIABLE: names})
        patched.start()
        self.addCleanup(patched.stop)
        self.adapter = OnnxAdapter()

    def judged(self, api: str, shapes: Sequence[Values], values: Values | None = None, **attributes: int) -> Any:
        """The verdict and the outputs of a call."""
        arguments: list[tuple[str, bool, Any]] = [(f"x{i}", True, TensorSpec(s, "float32")) for i, s in enumerate(shapes)]
        call = symbolise(api, [*arguments, *((name, False, value) for name, value in attributes.items())])
        verdict = judge(self.adapter, self.adapter.compile(api, call.args), values or call.values, None)
        return verdict.kind, [tuple(dims) for dims in (verdict.outputs or ())]

    def test_a_class(self) -> None:
        self.assertEqual(self.judged("onnx_ops.Folded", [(6, 4)], by=3), (PASS, [(2, 12)]))
        self.assertEqual(self.judged("onnx_ops.Folded", [(6, 4)], (7, 4, 3), by=3)[0], FAIL)
        self.assertEqual(self.judged("onnx_ops.Folded", [(6, 4)]), (PASS, [(3, 8)]))

    def test_a_function(self) -> None:
        self.assertEqual(self.judged("onnx_ops.scores", [(3, 4), (5, 4)]), (PASS, [(3, 5)]))
        self.assertEqual(self.judged("onnx_ops.scores", [(3, 4), (5, 4)], (3, 4, 5, 6))[0], FAIL)

    def test_what_tells_its_parameters(self) -> None:
        from traces.collect.user_ops.places import placed, told_by

        found = told_by(self.adapter, "onnx_ops.Spread", None)
        assert found is not None
        said = [(p.name, p.type, p.optional, p.positional_only) for p in found]
        self.assertEqual([name for name, _, _, _ in said], ["x", "y", "times"])
        self.assertEqual([is_input for _, _, _, is_input in said], [True, True, False])
        call = placed([("times", 3), ("x", 1), ("y", 2)], found)
        self.assertEqual(call, [("x", True, 1), ("y", True, 2), ("times", False, 3)])

    def test_nothing_but_types_that_a_schema_says_is_wished_for(self) -> None:
        call = symbolise("onnx_ops.scores", [("x", True, TensorSpec((3, 4), "float32"))])
        self.assertEqual(self.adapter.wishes("onnx_ops.scores", call.args), [])


if __name__ == "__main__":
    unittest.main()

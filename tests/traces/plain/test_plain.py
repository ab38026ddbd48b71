"""Plain calls: signatures read, forms found, the novel ones recorded."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.traces.cli import test_fake_framework
from tests.traces.fake import adapter
from tests.traces.fake.adapter import Tensor
from traces.collect.call.spec import Elements, Json, Literal, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.call.written import question
from traces.collect.frameworks import registry
from traces.collect.plain import __main__ as command
from traces.collect.plain import collect, features, forms, kinds, numbers, parameters
from traces.collect.plain.choices import Known, Maker, tensor


def reduce(x: Tensor, dim: int, keep: bool = False) -> Tensor:
    """One dimension less, or 1 in its place."""
    if not -len(x.dims) <= dim < len(x.dims):
        raise ValueError(f"no dimension {dim} of {len(x.dims)}")
    dim %= len(x.dims)
    return Tensor((*x.dims[:dim], *((1,) if keep else ()), *x.dims[dim + 1 :]), x.dtype)


SIGNATURES = """\
api\tparameters
fake.concat\tTensor[] parts
fake.matmul\tTensor a, Tensor b
fake.reduce\tTensor x, int dim, bool keep=False
"""
RECORDED = symbolise("fake.reduce", [("x", True, tensor(2, 3, "float32")), ("dim", True, 0)]).args


class Signatures(unittest.TestCase):
    """The table of signatures."""

    def test_marks(self) -> None:
        """Lists, defaults with commas, and parameters that are passed by keyword."""
        found = parameters.parameters("Dict(Tensor, t) self, int[1]? dim=[0, 1], str mode='a, b', *, any... more")
        self.assertEqual([(p.name, p.type, p.is_list, p.default, p.by_name) for p in found],
                         [("self", "Dict(Tensor, t)", False, None, False), ("dim", "int", True, "[0, 1]", False),
                          ("mode", "str", False, "'a, b'", False), ("more", "any", False, None, True)])  # fmt: skip

    def test_bad_line(self) -> None:
        """The message names the line."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "SIGNATURES.tsv")
            path.write_text("api\tparameters\nfake.f\tTensor x\nfake.g\tTensor\n", encoding="ascii")
            with self.assertRaisesRegex(parameters.BadSignature, r"SIGNATURES.tsv:3: error: 'Tensor' is not a parameter"):
                parameters.read(path)


class Written(unittest.TestCase):
    """Tensors whose elements a call writes one by one."""

    def test_choices(self) -> None:
        """Axes as recorded, scalar or in a list; lists of sizes; pairs for each dimension."""
        own = Known()
        for value in (Elements(0, "int32"), Elements([0, 1], "int64")):
            own.add(symbolise("fake.f", [("axis", True, value)]).args)
        own.add(symbolise("fake.f", [("paddings", True, Elements([[1, 1]], "int32"))]).args)
        own.add(symbolise("fake.f", [("low", True, Elements(-1.0, "float32"))]).args)
        axis, paddings, low = (
            collect.typed(parameter, own) for parameter in parameters.parameters("any axis, Tensor paddings, Tensor? low=None")
        )
        self.assertEqual({axis.type, paddings.type, low.type}, {"Elements"})
        found = [choice[0] for choice in Maker(Known(), own).choices(axis, 2)]
        self.assertEqual([item.value for item in found if item.dtype == "int32" and isinstance(item.value, int)], [-1, 0, 1])
        self.assertIn(Elements([0, 1], "int64"), found)
        self.assertEqual([item.value for item in found if item.dtype == "int64" and isinstance(item.value, int)], [-1, 0, 1])
        self.assertEqual(Maker(Known(), own).choices(paddings, 3)[0][0].value, [[1, 1]] * 3)
        choices = Maker(Known(), own).choices(low, 3)
        self.assertEqual(choices[0], (Elements(0.5, "float32"), Elements(2.0, "float32")))
        self.assertIn(Elements(1, "int64"), [value for choice in choices for value in choice])  # a count may be a float

    def test_dtypes(self) -> None:
        """A dtype of each width."""
        (dtype,) = parameters.parameters("ScalarType dtype")
        found = Maker(Known(), Known()).choices(dtype, 2)
        names = ("int16", "int32", "uint8", "int64")
        self.assertEqual([choice[0] for choice in found], [Literal(f"torch.{name}") for name in names])

    def test_lists_of_tensors(self) -> None:
        """A parameter that takes any number of tensors gets lists, as recorded calls give it."""
        own = Known()
        own.add(symbolise("fake.f", [("inputs", True, [tensor(2, 3, "float32")] * 2)]).args)
        one, other = (collect.typed(p, own) for p in parameters.parameters("Tensor... inputs, Tensor x"))
        self.assertEqual((one.is_list, other.is_list), (True, False))

    def test_codes(self) -> None:
        """An integer that records keep constant, such as a number of outputs, stays one of theirs; without the default."""
        own = Known()
        for code in ("1", "3"):
            own.add([{"name": "outputs", "pos": False, "value": {"const": code}}])
        (outputs,) = (collect.typed(parameter, own) for parameter in parameters.parameters("any outputs=1"))
        self.assertEqual(Maker(Known(), own).choices(outputs, 2), [(Literal("3"),)])

    def test_indices(self) -> None:
        """An axis recorded as a tensor with a range gets written elements, too; an index tensor does not."""
        own = Known()
        for name in ("axis", "ids"):
            own.add(symbolise("fake.f", [(name, True, TensorSpec((), "int32", range=(0, 3)))]).args)
        self.assertEqual((dict(own.elements), own.sorts["ids"]), ({"axis": {("int32", 0)}}, {"Tensor"}))


class Forms(unittest.TestCase):
    """The search for accepted forms."""

    def setUp(self) -> None:
        """One more function."""
        patch = mock.patch.dict(adapter.FUNCTIONS, {"fake.reduce": reduce})
        patch.start()
        self.addCleanup(patch.stop)

    def test_search(self) -> None:
        """Each axis of each rank is found, then each flag; axes beyond the rank are not."""
        signature = parameters.parameters("Tensor x, int dim, bool keep=False")
        found = list(forms.Search(adapter.load(), "fake.reduce", signature, Maker(Known(), Known())).found())
        kinds = [tuple(features.kind(arg["value"]) for arg in item.calls[0].args) for item in found]
        for rank in (1, 2, 3, 4):
            for dim in range(-1, rank):
                self.assertIn((f"float rank {rank}", str(dim)), kinds)
        self.assertIn(("float rank 2", "0", "True"), kinds)
        self.assertNotIn(("float rank 2", "0", "False"), kinds)  # the default
        self.assertFalse([kind for kind in kinds if kind[0] == "float rank 0"])
        self.assertEqual([len(kind) for kind in kinds], sorted(map(len, kinds)))

    def test_types_of_records(self) -> None:
        """A parameter whose signature tells no type has that of recorded calls; one that counts dimensions is a list."""
        known = Known()
        known.add(symbolise("f", [("x", True, tensor(2, 3, "float32")), ("xs", True, [tensor(2, 3, "float32")])]).args)
        untyped = [parameters.Parameter(name, "any") for name in ("x", "xs", "axis", "n")]
        found = [collect.typed(parameter, known) for parameter in untyped]
        self.assertEqual([(p.type, p.is_list) for p in found],
                         [("Tensor", False), ("Tensor", True), ("int", True), ("any", False)])  # fmt: skip
        whole = parameters.Parameter("axis", "bool")
        self.assertIs(collect.typed(whole, known), whole)

    def test_novel(self) -> None:
        """Recorded signatures are not chosen, and what is new comes before new pairs."""

        def args(rank: int, dim: int) -> list[Json]:
            return symbolise("f", [("x", False, tensor(rank, 2, "float32")), ("dim", False, dim)]).args

        candidates = [(args(*key), key) for key in ((2, 0), (2, 1), (3, 0), (3, 1), (4, 0))]
        self.assertEqual(features.novel(candidates, [RECORDED], 3), [(2, 1), (3, 0), (4, 0)])
        self.assertEqual(features.novel(candidates, [RECORDED], 9), [(2, 1), (3, 0), (4, 0), (3, 1)])
        more = ([*args(2, 0), {"name": "keep", "pos": False, "value": {"const": "True"}}], (2, 0, True))
        self.assertEqual(features.novel([*candidates, more], [RECORDED], 4), [(2, 1), (3, 0), (2, 0, True), (4, 0)])

    def test_twins(self) -> None:
        """A call with indices is chosen only if the framework rejects floats in their place."""

        def args(rank: int, dtype: str) -> list[Json]:
            return symbolise("f", [("x", False, tensor(2, 2, "float32")), ("target", False, tensor(rank, 2, dtype))]).args

        candidates = [(args(*key), key) for key in ((2, "float32"), (2, "int64"), (1, "int64"))]
        self.assertEqual(features.novel(candidates, [], 9), [(2, "float32"), (1, "int64")])

    def test_whole(self) -> None:
        """With the fewest arguments, a call is chosen although all of its pairs are recorded."""

        def args(*ranks: int) -> list[Json]:
            return symbolise(
                "f", [(name, False, tensor(rank, 2, "float32")) for name, rank in zip("xyz", ranks, strict=True)]
            ).args

        recorded = [args(2, 1, 2), args(2, 2, 1)]
        self.assertEqual(features.novel([(args(2, 1, 1), 0)], recorded, 9), [0])

    def test_needed_option(self) -> None:
        """If a call without optional arguments is rejected, each of them is tried alone; a required one may be None."""

        def clamp(x: Tensor, low: int | None, high: int | None = None, most: int | None = None) -> Tensor:
            if low is None and high is None and most is None:
                raise ValueError("one of low, high and most is needed")
            return x

        with mock.patch.dict(adapter.FUNCTIONS, {"fake.clamp": clamp}):
            signature = parameters.parameters("Tensor x, int? low, int? high=None, int? most=None")
            found = list(forms.Search(adapter.load(), "fake.clamp", signature, Maker(Known(), Known())).found())
        given = {tuple(p.name for p, choice in item.form.given if choice != (None,)) for item in found}
        self.assertTrue({("x", "low"), ("x", "high"), ("x", "most")} <= given, given)

    def test_two_options(self) -> None:
        """If no call with one optional argument is accepted, two are tried."""

        def choose(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Tensor:
            if x is None or y is None:
                raise ValueError("both branches are needed")
            return condition

        with mock.patch.dict(adapter.FUNCTIONS, {"fake.choose": choose}):
            signature = parameters.parameters("Tensor condition, Tensor x=None, Tensor y=None")
            found = list(forms.Search(adapter.load(), "fake.choose", signature, Maker(Known(), Known())).found())
        self.assertEqual({len(item.form.given) for item in found}, {3})

    def test_indices_first(self) -> None:
        """The first tensor is also one of indices, if recorded calls have both."""
        own = Known()
        for dtype in ("float32", "int64"):
            own.add(symbolise("f", [("x", True, tensor(2, 3, dtype))]).args)
        for known, dtypes in ((own, ["float32", "int64"]), (Known(), ["float32"])):
            self.assertEqual([choice[0].dtype for choice in Maker(Known(), known).first("x", 2)], dtypes)

    def test_kinds(self) -> None:
        """A kind that is always rejected has a row if calls of other ranks, or with an argument more, are accepted."""

        def stack(x: Tensor, y: Tensor, low: int | None = None) -> Tensor:
            if len(x.dims) != len(y.dims) + 1:
                raise ValueError("other ranks")
            return x

        def clamp(x: Tensor, low: int | None = None) -> Tensor:
            if low is None:
                raise ValueError("low is needed")
            return x

        def never(x: Tensor) -> Tensor:
            raise ValueError(x)

        functions = {"fake.stack": stack, "fake.clamp": clamp, "fake.never": never}
        signatures = {
            "fake.stack": "Tensor x, Tensor y, int? low=None",
            "fake.clamp": "Tensor x, int? low=None",
            "fake.never": "Tensor x",
        }
        with mock.patch.dict(adapter.FUNCTIONS, functions):
            found = {api: kinds.rows(adapter.load(), api, [parameters.parameters(text)], [], Known())
                     for api, text in signatures.items()}  # fmt: skip
        self.assertEqual(found["fake.clamp"], ["fake.clamp\t-\tx\tf0 f1 f2 f3 f4"])
        self.assertEqual(found["fake.never"], [])
        rejected, high = found["fake.stack"]
        self.assertEqual(high, "fake.stack\t=\tx y\tf5/f4")
        self.assertTrue({"f2/f2", "f3/f1"} <= set(rejected.split("\t")[3].split()) and "f2/f1" not in rejected, rejected)

    def test_numbers(self) -> None:
        """Accepted and rejected ranges; comparisons of two bounds; nothing if the outputs depend on the number."""

        def drop(x: Tensor, p: float = 0.5) -> Tensor:
            if not 0 <= p <= 1:
                raise ValueError("no probability")
            return x

        def clip(x: Tensor, low: float = 0.0, high: float = 1.0) -> Tensor:
            if low > high or (x.dtype == "int64" and low != 0):
                raise ValueError("wrong bounds")
            return x

        def count(x: Tensor, to: float = 1.0) -> Tensor:
            return Tensor((int(abs(to)) % 5, *x.dims), x.dtype)

        signatures = {
            "fake.drop": "Tensor x, float p=0.5",
            "fake.clip": "Tensor x, float low=0.0, float high=1.0",
            "fake.count": "Tensor x, Scalar to=1.0",
        }
        record = {"args": RECORDED[:1], "pass": [[[0, 3], []], [[2, 3], []]]}
        with mock.patch.dict(adapter.FUNCTIONS, {"fake.drop": drop, "fake.clip": clip, "fake.count": count}):
            found = {api: numbers.rows(adapter.load(), api, [parameters.parameters(text)], [record])
                     for api, text in signatures.items()}  # fmt: skip
        self.assertEqual(found["fake.drop"], ["fake.drop\tp\t--1e+30:-1e-06 +0:1 -1.5:1e+30",
                                              "fake.drop\tp/int\t--1e+06:-1 +0:1 -2:1e+06"])  # fmt: skip
        self.assertIn("fake.clip\tlow high\t+<= ->", found["fake.clip"])
        self.assertIn("fake.clip\tlow/int\t--1e+06:-1 +0:0 -1:1e+06", found["fake.clip"])
        self.assertEqual(found["fake.count"], [])

    def test_given_calls(self) -> None:
        """Calls as text get the names of a signature, and their sizes become symbols."""
        signatures = [parameters.parameters(text) for text in ("Tensor y", "Tensor x, int dim, int n=1")]
        (call,) = collect.named(question("fake.reduce(f32[2,3], 1, n=4)"), signatures)
        want = symbolise("fake.reduce", [("x", True, tensor(2, 3, "float32")), ("dim", True, 1), ("n", False, 4)])
        self.assertEqual((call.args, call.values), (want.args, (2, 3, 4)))
        self.assertEqual(collect.named(question("fake.reduce(f32[2,3], m=4)"), signatures), [])

    def test_packed(self) -> None:
        """A parameter whose items may be positional arguments gets lists only: an integer in its place means a list of one."""
        for text, lists in (("int[]... size", {list}), ("int[] size", {list, int})):
            (parameter,) = parameters.parameters(text)
            choices = Maker(Known(), Known()).choices(parameter, 2)
            self.assertEqual({type(value) for choice in choices for value in choice}, lists)


class Command(test_fake_framework.FakeFolder):
    """python -m traces.collect.plain fake."""

    def plain(self, *words: str) -> tuple[int, str]:
        """Runs the command; its exit code and messages."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            return command.main(["fake", *words, "--folder", "records", "--jobs", "2"]), errors.getvalue()

    def test_plain(self) -> None:
        """New signatures stand after the recorded ones and are what the functions do."""
        self.collect()
        Path("records/SIGNATURES.tsv").write_text(SIGNATURES.replace("fake.reduce", "fake.other"), encoding="ascii")
        before = Path("records/fake.concat.jsonl").read_text(encoding="ascii")
        self.assertEqual(self.plain("fake.concat", "fake.matmul"), (0, ""))
        self.assertTrue(Path("records/fake.concat.jsonl").read_text(encoding="ascii").startswith(before))
        records = self.records("fake.concat")
        self.assertEqual([record["op"] for record in records], [f"fake.concat-{n}" for n in range(len(records))])
        new = [record for record in records if record["source"] == ["plain"]]
        self.assertLessEqual(len(new), command.MOST)
        self.assertLessEqual({3, 4}, {len(record["args"][0]["value"]) for record in new})
        for record in new:
            for values, out in record["pass"]:
                rank = len(record["outputs"][0]["tensor"])
                self.assertEqual(out[0], sum(values[::rank]), record["args"])
        self.assertFalse([record for record in self.records("fake.matmul") if record["source"] == ["plain"]])

    def test_support(self) -> None:
        """A signature without sizes needs one accepted call; others need several."""

        class Found:
            args = symbolise("fake.f", [("x", True, tensor(0, 1, "float32"))]).args
            sources = frozenset({forms.SOURCE})

            def key(self) -> str:
                return ""

        for inputs, count in (([], 1), ([2], 0)):
            line = json.dumps({"op": "fake.f-0", "pass": [[inputs, []]], "fail": []})
            with (
                mock.patch("traces.collect.records.filter.operators", return_value=[Found()]),
                mock.patch("traces.collect.records.operators.explored", return_value={"lines": [line]}),
            ):
                settings = registry.settings("fake", 1, None)
                self.assertEqual(len(collect.lines(adapter.load(), "fake.f", [], [], settings, {}, 9)), count)

    def test_bad_input(self) -> None:
        """An API without records, and a missing table."""
        self.collect()
        self.assertEqual(self.plain("fake.concat")[0], 1)
        Path("records/SIGNATURES.tsv").write_text(SIGNATURES, encoding="ascii")
        code, errors = self.plain("fake.reduce")
        self.assertEqual((code, "no records or no signature of fake.reduce" in errors), (1, True))
        self.assertEqual(os.listdir(Path("build/traces/fake")).count("plain"), 0)


if __name__ == "__main__":
    unittest.main()

"""Functions and subgraphs: how a model declares them, how ONNX files hold them, and how they run. Needs onnx."""

from __future__ import annotations

import functools
import unittest
import unittest.mock
from typing import Any

try:
    import numpy as np
    import onnx

    from rulefuzz import framework, targets
    from rulefuzz.bodies.body import CONSTANTS, FORMS
    from rulefuzz.faults import onnx as onnx_faults
    from rulefuzz.faults import onnx_bodies
    from rulefuzz.model import BadModel, Json, Model, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.oracle.tiers import Tiers
    from rulefuzz.script import repro, short

    ONNX: Any = framework.load("onnx")
    ONNX.enter()
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None


def tensor(i: int, shape: tuple[int, ...] = (2, 3), dtype: str = "float32", **more: Any) -> Json:
    return {"id": i, "shape": list(shape), "dtype": dtype, **more}


def call(api: str, made: int, *taken: int, **attributes: str) -> Json:
    args: list[Json] = [{"name": "X", "pos": True, "value": {"ref": ref}} for ref in taken]
    args += [{"name": name, "pos": False, "value": {"const": text}} for name, text in attributes.items()]
    return {"api": f"onnx.{api}", "args": args, "outputs": [tensor(made)]}


def model(*bodies: Json, trips: int = 3, then: int = 1, constant: bool = False) -> Json:
    """0, 1 ─► Sub ─► 4 ─► Elu ─► 5, and 4 ─► Elu ─► 6; 5, 6 ─► Sub ─► 7."""
    inputs = [tensor(0), tensor(1), tensor(2, (), "bool", range=[then, then + 1], constant=constant),
              tensor(3, (), "int64", range=[trips, trips + 1], constant=constant)]  # fmt: skip
    nodes = [call("Sub", 4, 0, 1), call("Elu", 5, 4, alpha="0.5"), call("Elu", 6, 4, alpha="3.0"), call("Sub", 7, 5, 6)]
    return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [7], "bodies": list(bodies)}


def body(kind: str, first: int, last: int, **more: Any) -> Json:
    own: Json = {"if": {"control": 2}, "loop": {"control": 3}, "scan": {"trips": 3, "axis": -1}}.get(kind, {})
    return {"kind": kind, "first": first, "last": last, **own, **more}


def read(item: Json) -> Model:
    return Reader(ONNX).model(item)


def load(name: str) -> Any:
    target = targets.load(name)
    target.prepare()
    return target


def judged(item: Json, target: str) -> Json:
    return Check(ONNX, load(target), read(item), Clock(lambda stage: None)).run()


BOTH = [body("function", 1, 1), body("function", 2, 2)]


class Bodies(unittest.TestCase):
    """Reading, writing and running."""

    def test_rejected_models(self) -> None:
        """C's reader rejects these bodies too."""
        for item in (
            7, [7], [{"kind": "while", "first": 0, "last": 0}], [{"kind": "scan", "first": 0, "last": 0}],
            [body("function", 0, 4)], [body("function", -1, 1)],
            [body("function", 2, 1)], [{**body("function", 0, 1), "control": 2}], [{**body("if", 0, 1), "control": 3}],
            [{**body("if", 0, 1), "control": 0}], [{**body("loop", 0, 1), "control": 99}],
            [{"kind": "if", "first": 0, "last": 1}],
            [body("if", 0, 1), body("if", 1, 2)], [body("if", 1, 1), body("if", 0, 1)], [body("if", 0, 1)] * 4,
            [body("scan", 0, 1, trips=4)], [body("scan", 0, 1, axis=3)], [body("scan", 0, 1, control=3)],
            [body("if", 0, 1, form="count")], [body("if", 0, 1, reverse=True)], [body("scan", 0, 1, reverse=1.5)],
            [body("if", 0, 1), body("function", 1, 2)],
            [body("function", 1, 2), body("loop", 2, 3)], [body("function", 0, 0)] * 9,
        ):  # fmt: skip
            with self.subTest(item), self.assertRaises(BadModel):
                read({**model(), "bodies": item})
        with self.assertRaises(BadModel):
            read({**model(body("if", 0, 1)), "near_miss": True})
        with self.assertRaises(BadModel):
            read({**model(body("loop", 0, 1)), "dims": {"a": [2, 3]}})
        self.assertTrue(read({**model(body("if", 0, 1)), "dims": {"a": [2, 3]}}).bodies)
        for trips in (-1, 4):
            with self.assertRaises(BadModel):
                read(model(body("loop", 0, 1), trips=trips))

    def test_equal_results(self) -> None:
        """Every kind of body, alone and nested, on onnxruntime and onnx's reference, gives the results of the plain
        model."""
        runs = [(first, last) for first in range(4) for last in range(first, 4)]
        cases = [[body(kind, *run)] for kind in ("function", "if", "loop", "scan") for run in runs]
        cases += [BOTH, [*BOTH, body("loop", 1, 3)], [body("if", 0, 1), body("loop", 2, 3)], [body("if", 0, 3), *BOTH]]
        for bodies in cases:
            for trips, then, constant in ((1, 0, True), (2, 1, False), (3, 0, False)):
                item = model(*bodies, trips=trips, then=then, constant=constant)
                with self.subTest(bodies=bodies, trips=trips):
                    for target in ("onnxruntime", "onnxruntime-none"):
                        self.assertEqual(judged(item, target)["verdict"], "ok")

    def test_forms(self) -> None:
        """Every form of a subgraph, alone and within others, with constants anywhere, gives the results of the plain model."""
        whole = [body(kind, 0, 3, form=form) for kind, forms in FORMS.items() for form in ("", *forms)]
        whole += [body("scan", 0, 3, axis=axis, reverse=axis > 0, trips=2 + axis % 2) for axis in range(-2, 3)]
        inner = [body("loop", 1, 2), body("if", 2, 2), body("scan", 1, 3), body("loop", 1, 1, form="while")]
        for i, outer in enumerate(whole):
            bodies = [[outer], *([outer, one] for one in inner), [outer, body("scan", 0, 1, trips=1), body("loop", 1, 1)]]
            for k, case in enumerate(bodies):
                constants, constant = CONSTANTS[(i + k) % len(CONSTANTS)], bool(i // 2 + k & 1)
                placed = [{**one, "constants": constants} if constants else one for one in case]
                item = model(*placed, trips=2 * (i + k & 1), then=i + k & 1, constant=constant)
                item["inputs"][1]["constant"] = True
                with self.subTest(bodies=placed, constant=constant):
                    self.assertEqual(judged(item, "onnxruntime-none")["verdict"], "ok")

    def test_onnx_file(self) -> None:
        """onnx's checker accepts the file, its evaluator computes the same, and one function has two calls."""
        made = read(model(*BOTH, body("if", 0, 0), body("loop", 1, 3), trips=3))
        file = ONNX.subject(made, [], made.outputs)
        plain = ONNX.subject(read(model()), [], made.outputs)
        self.assertEqual([node.op_type for node in file.graph.node], ["If", "Mul", "Loop"])
        self.assertEqual([function.name for function in file.functions], ["f0"])
        rng = np.random.default_rng(1)
        fed: dict[str, Any] = {name: rng.random((2, 3), np.float32) for name in ("t0", "t1")}
        fed |= {"t2": np.array(True), "t3": np.array(3)}
        for info in (*file.graph.output, *plain.graph.output):
            info.CopyFrom(onnx.helper.make_tensor_value_info(info.name, onnx.TensorProto.FLOAT, (2, 3)))
        onnx.checker.check_model(file, full_check=True)
        (one,), (other,) = (onnx.reference.ReferenceEvaluator(m).run(None, fed) for m in (plain, onnx_inlined(file)))
        np.testing.assert_array_equal(one, other)

    def test_other_domains(self) -> None:
        """onnx's checker accepts bodies that end with an operator of another domain, whose results it cannot type."""
        for kind in ("if", "loop"):
            item = model(body(kind, 0, 1))
            item["nodes"][1] = call("com_microsoft.QuickGelu", 5, 4, alpha="0.5")
            made = read(item)
            file = ONNX.subject(made, [], made.outputs)
            file.graph.output[0].CopyFrom(onnx.helper.make_tensor_value_info("t7", onnx.TensorProto.FLOAT, (2, 3)))
            with self.subTest(kind):
                onnx.checker.check_model(file, full_check=True)
        item = model(body("function", 0, 0), body("if", 0, 3), body("loop", 1, 1), trips=2)  # carries such a result
        item["nodes"][0] = call("com_microsoft.QuickGelu", 4, 0, alpha="0.5")
        made = read(item)
        file = ONNX.subject(made, [], made.outputs)
        file.graph.output[0].CopyFrom(onnx.helper.make_tensor_value_info("t7", onnx.TensorProto.FLOAT, (2, 3)))
        onnx.checker.check_model(file, full_check=True)

    def test_elements_stay_in_range(self) -> None:
        """Elements stay in their range in every trip: an angle above 1 would become NaN, which RoiAlign rejects."""
        trips = tensor(3, (), "int64", range=[3, 4])
        inputs = [tensor(0, (1, 4), values="unit"), tensor(1, (1, 1, 3, 3)), tensor(2, (1,), "int64", range=[0, 1]), trips]
        corners, pooled = call("Acos", 4, 0), call("RoiAlign", 5, 1, 4, 2)
        corners["outputs"], pooled["outputs"] = [tensor(4, (1, 4))], [tensor(5, (1, 1, 1, 1))]
        item = {"values": 5, "inputs": inputs, "nodes": [corners, pooled], "outputs": [5], "bodies": [body("loop", 0, 1)]}
        self.assertEqual(judged(item, "onnxruntime-none")["verdict"], "ok")

    def test_never_merged(self) -> None:
        """A model with bodies is never merged with others, and has a verdict of its own."""
        batched = load("onnxruntime")
        items = [read(model(body("loop", 0, 3))), read(model()), read(model())]
        with unittest.mock.patch.object(batched.module, "BATCH", 8, create=True):
            found = Tiers(ONNX, [batched], lambda target, stage: None, "measured").run(items)
        self.assertEqual([answer["verdict"] for answer in found], ["ok"] * 3)

    def test_rejected_by_a_target(self) -> None:
        """Targets without functions, or without subgraphs, get the model without them. A failing call is reported all
        the same."""
        right, bodies = load("onnxruntime").module.compile, [*BOTH, body("loop", 1, 3)]

        def verdict(no: str, item: Json, error: type[Exception] = NotImplementedError) -> tuple[str, list[list[str]]]:
            given: list[list[str]] = []

            def compile(file: Any, example: Any, stage: Any) -> Any:
                given.append([node.op_type for node in file.graph.node])
                if set(no.split()) & {*given[-1], *(function.name for function in file.functions)}:
                    raise error(no)
                return right(file, example, stage)

            with unittest.mock.patch.object(load("onnxruntime").module, "compile", compile):
                return judged(item, "onnxruntime")["verdict"], given

        plain, folded = ["Sub", "Elu", "Elu", "Sub"], ["Sub", "Mul", "Loop"]
        self.assertEqual(verdict("f0", model(*bodies)), ("ok", [folded, folded]))
        self.assertEqual(verdict("f0 Loop", model(*bodies)), ("ok", [folded, folded, plain]))
        self.assertEqual(verdict("Loop", model(body("loop", 1, 3))), ("ok", [folded, plain]))
        self.assertEqual(verdict("Sub", model(*BOTH))[0], "unsupported")
        self.assertEqual(verdict("Loop", model(*bodies), RuntimeError), ("error", [folded]))

    def test_scripts(self) -> None:
        """The long script of a model with bodies holds its ONNX file; the short script is in ONNX's text format."""
        made, target = read(model(body("loop", 1, 3), trips=2)), load("onnxruntime")
        self.assertIn("Loop", repro.script(ONNX, target, made, "title", "measured", "inconsistency"))
        self.assertTrue(callable(short.Writer))

    def test_scripts_without_bodies(self) -> None:
        """A target that rejects subgraphs and is wrong, or fails, on the model without them: its script has no
        subgraphs either."""
        right, made = load("onnxruntime").module.compile, read(model(body("loop", 1, 3), trips=2))

        def compile(fails: bool, file: Any, example: Any, stage: Any) -> Any:
            if "Loop" in [node.op_type for node in file.graph.node]:
                raise NotImplementedError("Loop")
            if fails:
                raise RuntimeError("no")
            return lambda *inputs: [array + 1 for array in right(file, example, stage)(*inputs)]

        for fails, wanted in ((False, "inconsistency"), (True, "error")):
            given = functools.partial(compile, fails)
            vars(given)["__name__"] = "compile"
            with self.subTest(wanted), unittest.mock.patch("inspect.getsource", lambda function: "pass"), \
                 unittest.mock.patch.object(load("onnxruntime").module, "compile", given):  # fmt: skip
                text = repro.script(ONNX, load("onnxruntime"), made, "title", "measured", wanted)
                self.assertEqual([word for word in text.split() if word == "Loop"], [])


def onnx_inlined(file: Any) -> Any:
    """The model with functions inlined by onnx, whose evaluator loses function attributes in subgraphs."""
    import onnx.inliner

    return onnx.inliner.inline_local_functions(file)


class Faults(unittest.TestCase):
    """Each planted pass needs bodies, and is detected with them."""

    def shown(self, fault: str, item: Json) -> bool:
        made = read(item)
        check = Check(ONNX, load("onnxruntime-none"), made, Clock(lambda stage: None))
        self.assertIsNone(check.unfit())
        file = ONNX.subject(made, [], made.outputs)
        planted = onnx_faults.planted(file, fault)
        if planted is file:
            return False
        compiled = check.target.compile(planted, ONNX.arguments(made, check.reference.inputs), lambda stage: None)
        taken = ONNX.arguments(made, check.reference.inputs)
        return check.agrees([*compiled(*taken), *taken]) is None

    def test_each(self) -> None:
        seen = {
            "function-inputs-swapped": model(body("function", 0, 0)), "function-attributes-lost": model(body("function", 1, 1)),
            "function-first-attributes": model(*BOTH), "if-branches-swapped": model(body("if", 1, 1)),
            "if-always-then": model(body("if", 1, 1), then=0), "if-constant-false": model(body("if", 1, 1), constant=True),
            "captured-swapped": model(body("if", 0, 0)), "loop-once-less": model(body("loop", 1, 1), trips=2),
            "loop-runs-once": model(body("loop", 1, 1)), "loop-carried-stale": model(body("loop", 1, 1)),
            "loop-hoisted": model(body("loop", 1, 1)), "loop-gives-initial": model(body("loop", 1, 1)),
            "loop-condition-negated": model(body("loop", 1, 1)),
            "scan-backwards": model(body("scan", 1, 1)), "scan-once": model(body("scan", 1, 1)),
            "scan-hoisted": model(body("scan", 1, 1)),
        }  # fmt: skip
        for fault, item in seen.items():
            with self.subTest(fault):
                self.assertTrue(self.shown(fault, item))
                self.assertFalse(self.shown(fault, {**item, "bodies": []}))
        self.assertLessEqual(seen.keys(), onnx_bodies.PASSES.keys())
        self.assertLessEqual(len(onnx_bodies.PASSES.keys() - seen.keys()), 2)  # merged calls, folded constants


if __name__ == "__main__":
    unittest.main()

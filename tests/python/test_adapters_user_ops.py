"""User-defined ONNX operators: which objects count as operators, their parameters, and models that call them."""

from __future__ import annotations

import importlib.util
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

if importlib.util.find_spec("onnxruntime") is None or importlib.util.find_spec("onnx") is None:
    raise unittest.SkipTest("no onnx")

import numpy as np
import onnx
from onnx import defs
from onnx.reference.op_run import OpRun

from rulefuzz import own, sandbox
from rulefuzz.frameworks.onnx import Onnx, reference
from rulefuzz.frameworks.own import onnx as onnx_own
from rulefuzz.model import Json, Raised, Reader
from rulefuzz.oracle import compare
from rulefuzz.oracle.check import Reference

DATA = Path(__file__).resolve().parents[1] / "data" / "user_ops"
DOMAIN = "own.test"


def a_class(name: str, run: Any, **members: Any) -> Any:
    """An operator class of the test domain."""
    return type(name, (OpRun,), {"op_domain": DOMAIN, "_run": run, **members})


def a_function(said: str, body: str, domain: str = DOMAIN) -> Any:
    """A function in ONNX's text format."""
    return onnx.parser.parse_function(f'<domain: "{domain}", opset_import: ["" : 18]> {said} {{ {body} }}')


def run_any(self: Any, x: Any) -> Any:
    """The body of a class."""
    return (x,)


def parameters(found: Any) -> list[tuple[str, str, bool, bool]]:
    """The parameters of an operator: name, type, whether it is optional, whether it is an input."""
    return [(p.name, p.type, p.optional, p.is_input) for p in onnx_own.operator("m.f", found).parameters]


class Found(unittest.TestCase):
    """Objects of a module that are no operators."""

    def test_invalid_operators(self) -> None:
        negated = a_function("Negated (x) => (z)", "z = Neg (x)")
        for found, why in [
            (a_function("Mine (x) => (z)", "z = Neg (x)", domain=""), "of ONNX's own domain"),
            (len, "neither a subclass of"), (7, "neither a subclass of"), (OpRun, "needs its own op_domain"),
            (a_class("Mine", run_any, op_domain=""), "needs its own op_domain"),
            (a_class("Mine", run_any, op_function=negated), "op_function is not a FunctionProto of its name and domain"),
            (a_class("Negated", run_any, op_function="text"), "op_function is not a FunctionProto"),
        ]:  # fmt: skip
            with self.subTest(why), self.assertRaisesRegex(own.BadOwn, why):
                onnx_own.operator("m.f", found)

    def test_parameters_of_a_class(self) -> None:
        def run(self: Any, x: Any, y: np.ndarray | None = None, *rest: Any, by: int, scale: float = 0.5, **other: Any) -> Any:
            pass

        run.__annotations__ = {"y": "np.ndarray | None", "by": "int"}

        wanted = [("x", "Tensor", False, True), ("y", "Tensor", True, True), ("rest", "list[Tensor]", False, True),
                  ("by", "int", False, False), ("scale", "float", True, False)]  # fmt: skip
        self.assertEqual(parameters(a_class("Mine", run)), wanted)

    def test_parameters_of_a_schema(self) -> None:
        """The parameters are those of the schema, not of `_run`. Optional parameters that no call can express are
        omitted."""
        option, kind = defs.OpSchema.FormalParameterOption, defs.OpSchema.AttrType
        attributes = [defs.OpSchema.Attribute("by", kind.INT), defs.OpSchema.Attribute("body", kind.GRAPH, required=False),
                      defs.OpSchema.Attribute("scale", kind.FLOAT, required=False)]  # fmt: skip
        inputs = [defs.OpSchema.FormalParameter(name, "T", param_option=how)
                  for name, how in (("x", option.Single), ("y", option.Optional), ("rest", option.Variadic))]  # fmt: skip
        schema = defs.OpSchema("Mine", DOMAIN, 1, inputs=inputs, type_constraints=[("T", ["tensor(float)"], "")],
                               attributes=attributes)  # fmt: skip
        wanted = [("x", "Tensor", False, True), ("y", "Tensor", True, True), ("rest", "list[Tensor]", False, True),
                  ("by", "int", False, False), ("scale", "float", True, False)]  # fmt: skip
        self.assertEqual(parameters(a_class("Mine", run_any, op_schema=schema)), wanted)

    def test_parameters_of_a_function(self) -> None:
        said = 'Leaky <beta, alpha: float = 0.5, axes: ints = [0, 1], mode: string = "a"> (x, y) => (z)'
        wanted = [("x", "Tensor", False, True), ("y", "Tensor", False, True), ("beta", "?", False, False),
                  ("alpha", "float", True, False), ("axes", "list[int]", True, False)]  # fmt: skip
        self.assertEqual(parameters(a_function(said, "z = Neg (x)")), wanted)

    def test_a_node_has_the_defaults_of_a_function(self) -> None:
        """Defaults are added to calls, since the reference evaluator ignores those of functions. Given values are
        kept; classes handle their own defaults."""
        leaky = onnx_own.operator("m.f", a_function("Leaky <alpha: float = 0.5, beta: int = 2> (x) => (z)", "z = Neg (x)"))
        node = onnx.NodeProto(op_type="Leaky", attribute=[onnx.helper.make_attribute("beta", 7)])
        onnx_own.complete(node, leaky)
        self.assertEqual(node.domain, DOMAIN)
        self.assertEqual([(a.name, a.f, a.i) for a in node.attribute], [("beta", 0.0, 7), ("alpha", 0.5, 0)])

    def test_attribute_type_of_a_value(self) -> None:
        kind = defs.OpSchema.AttrType
        for value, wanted in [(3, kind.INT), (True, kind.INT), (0.5, kind.FLOAT), ("a", kind.STRING), ([], kind.INTS),
                              ([1, 2], kind.INTS), ((0.5,), kind.FLOATS), (["a"], kind.STRINGS)]:  # fmt: skip
            with self.subTest(value):
                self.assertEqual(onnx_own.kind_of(value), wanted)


def call(name: str, shapes: list[list[int]], out: list[int], **attributes: int) -> Json:
    """A model of one call of an operator of tests/data/user_ops/onnx_ops.py."""
    inputs = [{"id": i, "shape": shape, "dtype": "float32"} for i, shape in enumerate(shapes)]
    args: Json = [{"name": f"x{i}", "pos": True, "value": {"ref": i}} for i in range(len(shapes))]
    args += [{"name": key, "pos": False, "value": value} for key, value in attributes.items()]
    made = {"id": 9, "shape": out, "dtype": "float32"}
    return {"inputs": inputs, "nodes": [{"api": f"onnx_ops.{name}", "args": args, "outputs": [made]}], "outputs": [9]}


class Models(unittest.TestCase):
    """Models with user-defined operators, on the reference and as targets get them."""

    def setUp(self) -> None:
        sys.path.insert(0, str(DATA))
        self.addCleanup(sys.path.remove, str(DATA))
        names = ",".join(f"onnx_ops:{name}" for name in ("Spread", "Folded", "scores"))
        for cached in (own.modules, own.functions):
            cached.cache_clear()
            self.addCleanup(cached.cache_clear)
        patched = mock.patch.dict("os.environ", {own.VARIABLE: names})
        patched.start()
        self.addCleanup(patched.stop)
        self.adapter = Onnx()

    def judged(self, item: Json) -> tuple[Json, Json]:
        """The reference's answer for the model, and whether the target's version of the model gives the same on
        onnxruntime."""

        def work() -> tuple[Json, Json]:
            self.adapter.enter()
            model = Reader(self.adapter).model(item)
            ran = Reference(self.adapter, model)
            ran.run()
            wanted = ran.wanted(model.outputs)[: len(model.outputs)]  # the inputs follow
            shapes = [self.adapter.describe(tensor) for tensor in wanted]
            try:
                made = self.adapter.subject(model, ran.results, model.outputs)
            except Raised as error:
                return shapes, str(error)
            got = reference(made, self.adapter.arguments(model, ran.inputs))
            return shapes, [compare.same(self.adapter.seen(one), self.adapter.seen(other))
                            for one, other in zip(got, wanted, strict=True)]  # fmt: skip

        value, end = sandbox.call(work, sandbox.Limits(wall=120), output="")
        self.assertEqual(end.how, "")
        return value  # type: ignore[no-any-return]

    def test_a_function_is_in_the_model(self) -> None:
        self.assertEqual(self.judged(call("scores", [[3, 4], [5, 4]], [3, 5])), ([((3, 5), "float32")], [True]))

    def test_a_class_with_a_function(self) -> None:
        spread = call("Spread", [[3, 4], [2, 4]], [9, 4], times=3)
        self.assertEqual(self.judged(spread), ([((9, 4), "float32")], [True]))

    def test_the_default_of_an_attribute(self) -> None:
        self.assertEqual(self.judged(call("Spread", [[3, 4], [2, 4]], [7, 4])), ([((7, 4), "float32")], [True]))

    def test_class_without_a_function_is_unsupported(self) -> None:
        shapes, why = self.judged(call("Folded", [[6, 4]], [2, 12], by=3))
        self.assertEqual(shapes, [((2, 12), "float32")])
        self.assertEqual(why, "rulesmith.test.Folded has no function body that a target could run")

    def test_with_onnx_operators(self) -> None:
        """The model imports both domains, with the operator set of the function."""
        item = call("scores", [[3, 4], [5, 4]], [3, 5])
        item["nodes"].append({"api": "onnx.Relu", "args": [{"name": "X", "pos": True, "value": {"ref": 9}}],
                              "outputs": [{"id": 10, "shape": [3, 5], "dtype": "float32"}]})  # fmt: skip
        item["outputs"] = [10]
        self.assertEqual(self.judged(item), ([((3, 5), "float32")], [True]))
        model = Reader(self.adapter).model(item)
        made = self.adapter.subject(model, [], model.outputs)
        self.assertEqual([(i.domain, i.version) for i in made.opset_import], [("", 21), ("rulesmith.test", 1)])
        self.assertEqual([node.domain for node in made.graph.node], ["rulesmith.test", ""])
        self.assertEqual([(f.domain, f.name) for f in made.functions], [("rulesmith.test", "Scores")])

    def test_scripts_name_the_classes(self) -> None:
        """The reference evaluator needs the classes as arguments."""
        for name, shapes, out, wanted in [("Spread", [[3, 4], [2, 4]], [7, 4], "OWN = [onnx_ops.Spread]"),
                                          ("scores", [[3, 4], [5, 4]], [3, 5], "OWN = []")]:  # fmt: skip
            script = self.adapter.script(Reader(self.adapter).model(call(name, shapes, out)), [])
            self.assertEqual("import onnx_ops" in script.imports.splitlines(), name == "Spread")
            self.assertTrue(script.model.endswith(wanted), script.model[-80:])

    def test_unsupported_dtypes(self) -> None:
        """onnxruntime's message for a function with an unsupported dtype, which is not a missing kernel."""
        said = "Exception during loading: MLDataType for: tensor(complex64) is not currently registered or supported"
        self.assertTrue(self.adapter.is_unsupported(RuntimeError(said)))


if __name__ == "__main__":
    unittest.main()

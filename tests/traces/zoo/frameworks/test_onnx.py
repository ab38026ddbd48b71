"""Patterns of calls in ONNX files, and their recordings."""

from __future__ import annotations

import unittest
from collections import Counter
from typing import Any

try:
    import numpy as np
    import onnx
    import onnxruntime  # noqa: F401
    from onnx import TensorProto, helper, numpy_helper

    from traces.collect.zoo import passes, select
    from traces.collect.zoo.calls import Names, read, run
    from traces.collect.zoo.patterns import features
    from traces.collect.zoo.recorder import graph_of
    from traces.collect.zoo.windows import Unfit, Window
except ImportError:
    raise unittest.SkipTest("no onnx") from None

KNOWN = {f"onnx.{name}" for name in "Add Mul Relu Sub Shape Gather Concat Reshape Clip Conv Split".split()}


def file_of(nodes: list[Any], opset: int = 20, constants: dict[str, Any] | None = None) -> onnx.ModelProto:
    """A file with inputs x and y of shape [2, 3], whose last result is its output."""
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy"]
    made = [onnx.ValueInfoProto(name=nodes[-1].output[0])]
    told = [numpy_helper.from_array(np.asarray(a), name) for name, a in (constants or {}).items()]
    graph = helper.make_graph(nodes, "g", given, made, told)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(op: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    """A call with names apart by spaces."""
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def pattern(nodes: list[Any], constants: dict[str, Any] | None = None) -> str:
    """The pattern of a whole file."""
    calls = read(file_of(nodes, constants=constants))
    graph = graph_of(calls, Names(), KNOWN, Counter())
    return graph.pattern(graph.ordered(tuple(range(len(calls.nodes)))))


class Apis(unittest.TestCase):
    """Names of operators at operator sets."""

    def test_versions(self) -> None:
        """A version that differs from set 26's by dtypes only has a plain name."""
        names = Names()
        for operator, opset, wanted in (
            ("Relu", 9, "onnx.Relu"), ("Clip", 9, "onnx.Clip_6"), ("Clip", 11, "onnx.Clip_11"), ("Clip", 13, "onnx.Clip"),
            ("ReduceMean", 13, "onnx.ReduceMean_13"), ("ReduceMean", 20, "onnx.ReduceMean"), ("Gelu", 18, None),
            ("Upsample", 13, None), ("NoSuch", 13, None),
        ):  # fmt: skip
            with self.subTest(operator=operator, opset=opset):
                self.assertEqual(names.api(operator, opset), wanted)


class Patterns(unittest.TestCase):
    """Equal patterns have equal texts."""

    def test_order(self) -> None:
        """The order of independent calls in the file does not matter, that of operands does."""
        a, b = node("Relu", "x", "a"), node("Mul", "y y", "b")
        one, two = pattern([a, b, node("Add", "a b", "c")]), pattern([b, a, node("Add", "a b", "c")])
        self.assertEqual(one, two)
        self.assertEqual(one, "onnx.Relu(x0);onnx.Mul(x1,x1);onnx.Add(0,1)")
        self.assertNotEqual(one, pattern([a, b, node("Add", "b a", "c")]))

    def test_inputs(self) -> None:
        """The same tensor twice is another pattern than two tensors, and a constant than an input."""
        three = {"c": np.ones(3, "f")}
        rows = [pattern([node("Relu", "x", "a"), node("Add", f"a {other}", "b")], three) for other in "xyc"]
        self.assertEqual([row.split(";")[1] for row in rows], ["onnx.Add(0,x0)", "onnx.Add(0,x1)", "onnx.Add(0,c)"])

    def test_several_outputs(self) -> None:
        """Which output feeds a call."""
        split = node("Split", "x", "a b c", axis=1, num_outputs=3)
        self.assertEqual(pattern([split, node("Add", "c b", "d")]), "onnx.Split(x0)=3;onnx.Add(0.2,0.1)")

    def test_calls_without_rules(self) -> None:
        """They end a window and are counted."""
        calls = read(file_of([node("Relu", "x", "a"), node("Sin", "a", "b"), node("Add", "b y", "c"), node("Mul", "c c", "d")]))
        dropped = Counter[str]()
        graph = graph_of(calls, Names(), KNOWN, dropped)
        self.assertEqual(set(graph.windows()), {(2, 3)})
        self.assertEqual(dropped, {"onnx.Sin": 1})


class Recordings(unittest.TestCase):
    """Windows as model lines."""

    def lined(self, nodes: list[Any], order: tuple[int, ...], constants: dict[str, Any] | None = None) -> Any:
        """The line of some calls, and the calls."""
        calls = read(file_of(nodes, constants=constants))
        run(calls, {name: np.full((2, 3), 0.5, "f") for name in "xy"})
        return Window(calls, Names(), [calls.nodes[i] for i in order]).line()

    def shapes(self) -> tuple[list[Any], dict[str, Any]]:
        """Shape arithmetic as exporters write it."""
        nodes = [node("Shape", "x", "s"), node("Gather", "s zero", "d"), node("Concat", "d rest", "t", axis=0),
                 node("Mul", "x y", "p"), node("Reshape", "p t", "r")]  # fmt: skip
        return nodes, {"zero": np.array([0]), "rest": np.array([3, 1])}

    def test_shape_arithmetic(self) -> None:
        """It stays in a window with the call that reads it, and is written out otherwise."""
        nodes, constants = self.shapes()
        whole = self.lined(nodes, (0, 1, 2, 3, 4), constants)
        self.assertEqual([n["op"][5:] for n in whole["nodes"]], ["Shape", "Gather", "Concat", "Mul", "Reshape"])
        self.assertEqual(whole["nodes"][4]["args"][1]["value"], {"ref": 4})
        part = self.lined(nodes, (3, 4), constants)
        shape = part["nodes"][1]["args"][1]["value"]
        self.assertEqual([item["const"] for item in shape["elements"]], ["2", "3", "1"])
        calls = read(file_of(nodes, constants=constants))
        graph = graph_of(calls, Names(), KNOWN, Counter())
        self.assertFalse(graph.is_closed((0, 1, 2)))
        self.assertTrue(graph.is_closed((2, 4)))

    def test_calls_on_constants(self) -> None:
        """A dequantized weight belongs to the window of the call that reads it, and is no window alone."""
        nodes = [node("Relu", "w", "v"), node("Mul", "x v", "p"), node("Add", "p v", "q")]
        constants = {"w": np.arange(3, dtype="f")}
        line = self.lined(nodes, (0, 1), constants)
        self.assertEqual([n["op"] for n in line["nodes"]], ["onnx.Relu", "onnx.Mul"])
        self.assertEqual(line["nodes"][1]["args"][1]["value"], {"ref": line["nodes"][0]["outputs"][0]["id"]})
        graph = graph_of(read(file_of(nodes, constants=constants)), Names(), KNOWN, Counter())
        self.assertFalse(graph.is_closed((0,)))
        self.assertIn((0, 1), set(graph.windows()))

    def test_classes(self) -> None:
        """Inputs get the class of the observed elements; small constants are written out, large ones are constants."""
        line = self.lined([node("Add", "x big", "a"), node("Mul", "a small", "b")], (0, 1),
                          {"big": np.ones((7, 2, 3), "f"), "small": np.float32(2)})  # fmt: skip
        self.assertEqual([(t["values"], t.get("constant")) for t in line["inputs"]], [("unit", None), ("positive", True)])
        self.assertEqual(line["nodes"][1]["args"][1]["value"], {"elements": {"const": "2.0"}, "dtype": "float32"})

    def test_unfit(self) -> None:
        """A window of constants only cannot be written."""
        with self.assertRaises(Unfit):
            self.lined(*([node("Shape", "x", "s"), node("Add", "s s", "g"), node("Mul", "g g", "h")], (1, 2)))

    def test_passes(self) -> None:
        """The log tells which passes change a window."""
        ends = {"low": np.float32(0), "high": np.float32(6)}
        calls = read(file_of([node("Relu", "x", "a"), node("Clip", "a low high", "b")], constants=ends))
        run(calls, {name: np.ones((2, 3), "f") for name in "xy"})
        self.assertIn("Level1_RuleBasedTransformer", passes.fired(calls, calls.nodes))
        self.assertEqual(passes.fired(calls, calls.nodes[:1]), set())


class Selection(unittest.TestCase):
    """Which patterns are kept."""

    def test_firing(self) -> None:
        """For each pass the shortest ones come first, and each of these shows something new or is one of the first."""
        some = [f"onnx.Relu(x0);onnx.Clip({'c,' * i}0)" for i in range(50)]
        found = [select.Found(p, {"m"}, frozenset({"Pass"})) for p in [*some, *(f"{p};onnx.Add(1,x1)" for p in some)]]
        kept = select.choose(found)
        self.assertEqual([f.length for f in kept[: select.FIRING]], [2] * select.FIRING)
        self.assertEqual(len({f.pattern for f in kept}), len(kept))

    def test_features(self) -> None:
        """Versions are features of calls only, edges have none."""
        old, new = features("onnx.Pad_2(x0);onnx.MaxPool_8(0)"), features("onnx.Pad(x0);onnx.MaxPool(0)")
        self.assertEqual(old & new, {"onnx.Pad>onnx.MaxPool(*)"})

    def test_new_features_first(self) -> None:
        """Of patterns that no pass changes, one that only repeats the features of others of its lengths is omitted."""
        one, two = (f"onnx.{first};onnx.Add(0,x1);onnx.Mul(1,c);onnx.Mul(2,c)" for first in ("Relu(x0)", "Abs(x0)"))
        both = f"{one};onnx.Sub(3,c)"
        kept = {f.pattern for f in select.choose([select.Found(text, {"m"}) for text in (one, two, both)])}
        self.assertEqual(kept, {two, both})


if __name__ == "__main__":
    unittest.main()

"""Models are validated, traversed and interpreted the same way for all frameworks. Needs no framework."""

from __future__ import annotations

import copy
import unittest
from collections.abc import Sequence
from typing import Any

from rulefuzz import model
from rulefuzz.model import BadModel, Const, Failed, Interpreter, Json, Mismatch, Node, Reader, Values
from rulefuzz.script import source

APIS = ["toy.add", "toy.copy", "toy.pair", "toy.fail", "toy.Tensor.__add__", "toy.narrow"]
MODEL: Json = {
    "index": 3,
    "values": 9,
    "inputs": [{"id": 0, "shape": [2, 3], "dtype": "f", "range": [0, 4]}, {"id": 1, "shape": [], "dtype": "i"}],
    "nodes": [
        {
            "op": "toy.add-0",
            "api": "toy.add",
            "args": [
                {"name": "x", "pos": True, "value": {"ref": 0, "range": [0, 4]}},
                {"name": "dims", "pos": True, "value": [7, [8, {"const": "'no'"}]]},
                {"name": "y", "pos": False, "value": {"elements": [5, {"const": "1.5"}], "dtype": "i"}},
            ],
            "outputs": [{"id": 2, "shape": [2, 3], "dtype": "f"}],
        },
        {
            "op": "toy.pair-0",
            "api": "toy.pair",
            "args": [{"name": "x", "pos": True, "value": [{"ref": 2, "copy": True}, {"ref": 1}]}],
            "outputs": [{"id": 3, "shape": [2, 3], "dtype": "f"}, {"id": 4, "shape": [], "dtype": "i"}],
        },
    ],
    "outputs": [3, 4],
}


class Toy:
    """A framework whose tensors are (shape, dtype) pairs."""

    apis = frozenset(APIS)

    def __init__(self) -> None:
        self.resolved: list[str] = []
        self.spans: list[list[str]] = []

    def resolve(self, api: str) -> Any:
        self.resolved.append(api)
        return api

    def constant(self, text: str) -> Const:
        return model.literal(text)

    def has_dtype(self, name: str) -> bool:
        return name in ("f", "i")

    def span(self, nodes: Sequence[Node], start: int, dtypes: dict[int, str]) -> int:
        return min(2, len(nodes) - start)

    def run(self, nodes: Sequence[Node], values: Values) -> list[Any]:
        self.spans.append([node.api for node in nodes])
        if any(node.api == "toy.fail" for node in nodes):
            raise ValueError("no")
        return [[((1,), o.dtype) if node.api == "toy.narrow" else (o.shape, o.dtype) for o in node.outputs] for node in nodes]

    def run_again(self, node: Node, values: Values) -> Any:
        return self.run([node], values)[0]

    def tensors_of(self, result: Any) -> list[Any]:
        return list(result)

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        shape, dtype = tensor
        return shape, dtype


def chain(*apis: str) -> Json:
    """A model that chains calls of these APIs."""
    nodes = []
    for i, api in enumerate(apis):
        args = [{"name": "x", "pos": True, "value": {"ref": i}}]
        nodes.append({"api": api, "args": args, "outputs": [{"id": i + 1, "shape": [2], "dtype": "f"}]})
    return {"inputs": [{"id": 0, "shape": [2], "dtype": "f"}], "nodes": nodes, "outputs": [len(apis)]}


class Reading(unittest.TestCase):
    """Accepted and rejected models."""

    def bad(self, change: Any, message: str) -> BadModel:
        """The error that the model is rejected with after a change."""
        item = copy.deepcopy(MODEL)
        change(item)
        with self.assertRaisesRegex(BadModel, message) as caught:
            Reader(Toy()).model(item)
        return caught.exception

    def test_complete_model(self) -> None:
        read = Reader(Toy()).model(MODEL)
        self.assertEqual((read.index, read.values, read.outputs), (3, 9, (3, 4)))
        self.assertEqual([node.refs() for node in read.nodes], [[0], [2, 1]])
        self.assertEqual((read.inputs[0].span, read.inputs[0].kind), ((0, 4), ""))
        self.assertEqual((read.node_of(4), read.node_of(0), read.made()), (1, -1, (2, 3, 4)))
        self.assertEqual(sorted(read.tensors(1)), [0, 1, 2])

    def test_symbols_are_in_argument_order(self) -> None:
        read = Reader(Toy()).model(MODEL)
        self.assertEqual(model.symbols(read, 0), ([2, 3, 0, 4, 7, 8, 5], ["f"], ["'no'"]))
        self.assertEqual(model.symbols(read, 1), ([2, 3], ["f", "i"], []))

    def test_hostile_names(self) -> None:
        """Only APIs with records are resolved, and private names are not, even with a record."""
        names = ["os.system", "toy.load", "toy.os.system", "toy", "", "toy.add.__globals__", "toy.Tensor.__class__",
                 "toy.add; import os", "toy.add()", "toy.add\n", ".toy.add", 5, None, ["toy.add"], {"ref": 0}]  # fmt: skip
        for name in names:
            toy = Toy()
            item = copy.deepcopy(MODEL)
            item["nodes"][0]["api"] = name
            with self.subTest(name), self.assertRaises(BadModel):
                Reader(toy).model(item)
            self.assertEqual(toy.resolved, [])
        for name in (
            "toy._C.add",
            "toy._add",
            "toy.__dict__.get",
            "toy.add_._x",
            "toy.Tensor.____",
            "toy.__init__.x",
            "toy.class",
        ):
            toy = Toy()
            toy.apis = frozenset([name])
            with self.subTest(name), self.assertRaises(BadModel):
                Reader(toy).model(chain(name))
            self.assertEqual(toy.resolved, [])
        Reader(Toy()).model(chain("toy.Tensor.__add__"))

    def test_hostile_constants(self) -> None:
        for text in ("__import__('os')", "open('x')", "1+", "(" * 9000, "[x for x in y]", "torch.float32"):
            error = self.bad(lambda m, text=text: m["nodes"][0]["args"][1].update(value={"const": text}), "not a literal")
            self.assertEqual(error.node, 0)
        read = [model.literal(text).text for text in ("-inf", "nan", "1e999", "(1, 'a')", "-0.0")]
        self.assertEqual(read, ['float("-inf")', 'float("nan")', 'float("inf")', "(1, 'a')", "-0.0"])

    def test_hostile_arguments(self) -> None:
        self.bad(lambda m: m["nodes"][0]["args"][2].update(name="y=os.system('x'), z"), "needs a plain name")
        self.bad(lambda m: m["nodes"][0]["args"][2].update(name="class"), "needs a plain name")
        self.bad(lambda m: m["nodes"][0]["args"][0].update(value={"ref": 2}), "does not exist yet")
        self.bad(lambda m: m["nodes"][0]["args"][0].update(value={"reff": 2}), "not a value")
        self.bad(lambda m: m["nodes"][0]["args"][0].update(value=1.5), "not a value")
        self.bad(lambda m: m["nodes"][0]["args"][2]["value"].update(dtype="f); x("), "unknown dtype")
        self.bad(lambda m: m["inputs"][0].update(dtype=["f"]), "unknown dtype")
        self.bad(lambda m: m["inputs"][0].update(values="huge"), "unknown class")
        self.bad(lambda m: m.pop("nodes"), "not a model")
        self.bad(lambda m: m.update(inputs=5), "not a model")
        self.bad(lambda m: m.update(outputs=[3, 9]), "not a tensor of the model")

    def test_failures_name_their_node(self) -> None:
        self.assertEqual(self.bad(lambda m: m["nodes"][1].update(api="toy.none"), "unknown operator").node, 1)


class Running(unittest.TestCase):
    """The interpreter."""

    def run_chain(self, *apis: str, **options: Any) -> tuple[Toy, Interpreter]:
        """Its run."""
        toy = Toy()
        read = Reader(toy).model(chain(*apis))
        interpreter = Interpreter(toy, read, {0: ((2,), "f")}, **options)
        interpreter.run()
        return toy, interpreter

    def test_spans(self) -> None:
        toy, interpreter = self.run_chain("toy.add", "toy.copy", "toy.copy")
        self.assertEqual(toy.spans, [["toy.add", "toy.copy"], ["toy.copy"]])
        self.assertEqual(sorted(interpreter.values), [0, 1, 2, 3])
        self.assertEqual(self.run_chain("toy.add", "toy.copy", one_by_one=True)[0].spans, [["toy.add"], ["toy.copy"]])

    def test_spans_of_another_run(self) -> None:
        first = self.run_chain("toy.add", "toy.copy", "toy.copy", one_by_one=True)[1]
        self.assertEqual(first.spans, [1, 1, 1])
        toy, again = self.run_chain("toy.add", "toy.copy", "toy.copy", as_before=[1, 2])
        self.assertEqual(toy.spans, [["toy.add"], ["toy.copy", "toy.copy"]])
        self.assertEqual(again.spans, [1, 2])

    def test_failed_spans_run_node_by_node(self) -> None:
        places: list[int] = []
        with self.assertRaises(Failed) as caught:
            self.run_chain("toy.add", "toy.copy", "toy.copy", "toy.fail", before=places.append)
        self.assertEqual((caught.exception.node, str(caught.exception.error)), (3, "no"))
        self.assertEqual(places, [0, 2, 2, 3])

    def test_mispredicted_results(self) -> None:
        with self.assertRaises(Failed) as caught:
            self.run_chain("toy.add", "toy.narrow")
        self.assertIsInstance(caught.exception.error, Mismatch)
        self.assertEqual(caught.exception.error.args, ("shape", "shape [1] instead of [2]"))
        self.run_chain("toy.add", "toy.narrow", check=False)

    def test_after_may_replace_tensors(self) -> None:
        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            return [(shape, f"changed {node}") for shape, _ in tensors]

        _, interpreter = self.run_chain("toy.add", "toy.copy", after=after, check=False)
        self.assertEqual(interpreter.values[2], ((2,), "changed 1"))


class Source(unittest.TestCase):
    """Models as functions."""

    dialect = source.Dialect("toy", "copied({})", "toy.tensor", "toy.Tensor.")

    def test_text(self) -> None:
        read = Reader(Toy()).model(MODEL)
        tensor = object()
        text = source.source(read, self.dialect, lambda value: value is tensor, [tensor, (tensor, [3, tensor])], [4])
        self.assertEqual(
            text,
            "def model(v0, v1):\n"
            "    v2 = toy.add(v0, [7, [8, 'no']], y=toy.tensor([5, 1.5], dtype=toy.i))\n"
            "    (v3, (_, v4)) = toy.pair([copied(v2), v1])\n"
            "    return (v4,)\n",
        )

    def test_methods(self) -> None:
        read = Reader(Toy()).model(chain("toy.Tensor.__add__"))
        self.assertIn("    v1 = v0.__add__()\n", source.source(read, self.dialect, lambda value: False, [], [1]))


if __name__ == "__main__":
    unittest.main()

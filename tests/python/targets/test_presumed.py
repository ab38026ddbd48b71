"""Result shapes that a target presumes: a single call with other dimensions is unsupported, a model is not. Needs
TensorFlow."""

from __future__ import annotations

import functools
import importlib.util
import unittest
from dataclasses import replace
from types import ModuleType
from typing import Any

if importlib.util.find_spec("tensorflow") is None:
    raise unittest.SkipTest("no tensorflow")

from rulefuzz import framework, sandbox, targets
from rulefuzz.model import Json, Reader
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target

ITEM: Json = {
    "values": 5, "inputs": [{"id": 0, "shape": [2, 3], "dtype": "float32"}], "outputs": [1],
    "nodes": [{"api": "tf.raw_ops.Neg", "args": [{"name": "x", "pos": False, "value": {"ref": 0}}],
               "outputs": [{"id": 1, "shape": [2, 3], "dtype": "float32"}]}],
}  # fmt: skip


def verdict(presumed: Any, probe: bool = True) -> str:
    """The verdict on a right target that presumes this shape of its result."""
    adapter = framework.load("tensorflow")
    adapter.enter()
    module = ModuleType("target")
    vars(module).update(FRAMEWORK="tensorflow", compile=lambda subject, example, stage: subject, presumed=lambda _: [presumed])
    model = replace(Reader(adapter).model(ITEM), probe=probe)
    return str(Check(adapter, Target("fake", module), model, Clock(lambda stage: None)).run()["verdict"])


def of_graph(name: str) -> list[Any]:
    """The presumed shapes of a call whose first dimension depends on elements, and of a call on nine elements."""
    import tensorflow as tf

    target, given = targets.load(name), [tf.ones([9]), tf.constant([2, 3])]
    made = target.compile(lambda x, n: [tf.raw_ops.Fill(dims=n, value=1.0), -x], given, lambda _: None)
    return [*target.presumed(made), *targets.load("tensorflow-graph").presumed(made)]


class Presumed(unittest.TestCase):
    """Check._hold and the targets' `presumed`."""

    def test_shapes(self) -> None:
        cases: list[Any] = [None, [2, 3], [None, 3], [2, 4], [None, None, None], []]

        def work() -> list[str]:
            return [verdict(case) for case in cases] + [verdict([], probe=False)]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["ok"] * 3 + ["unsupported"] * 3 + ["ok"])

    def test_graphs(self) -> None:
        for name in ("tensorflow-grappler", "tensorflow-xla"):
            with self.subTest(name):
                found, end = sandbox.call(functools.partial(of_graph, name), sandbox.Limits(wall=280), output="")
                self.assertEqual(end.how, "")
                self.assertEqual(found, [[None, None], [9]])


if __name__ == "__main__":
    unittest.main()

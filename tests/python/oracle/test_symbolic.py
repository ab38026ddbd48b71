"""Models with dynamic shapes: reading, one compilation for all shape instances, verdicts; on a framework of numpy
arrays."""

from __future__ import annotations

import unittest
import unittest.mock
from collections.abc import Callable
from types import ModuleType
from typing import Any

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz import assignments
from rulefuzz.model import BadModel, Json, Model, Reader
from rulefuzz.oracle.check import Clock
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.targets import Dynamic, Target
from tests.python.fake import Fake


def item(*apis: str, sizes: tuple[int, ...] = (2, 4, 3)) -> Json:
    """A chain of calls on a matrix with 3 columns and a dynamic number of rows."""
    also = [[size, 3] for size in sizes[1:]]
    nodes = []
    for i, api in enumerate(apis):
        args = [{"name": "x", "pos": True, "value": {"ref": i}}]
        output = {"id": i + 1, "shape": [sizes[0], 3], "dtype": "float32", "also": also}
        nodes.append({"api": api, "args": args, "outputs": [output]})
    inputs = [{"id": 0, "shape": [sizes[0], 3], "dtype": "float32", "dims": ["d0_0", None]}]
    return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [len(apis)], "dims": {"d0_0": list(sizes)}}


def read(made: Json) -> Model:
    """The model."""
    return assignments.read(made, Reader(Fake()).model(made))


def verdict(
    made: Json, broken: Callable[[int, list[Any]], list[Any]], refuses: tuple[str, ...] = (), dynamic: bool = True
) -> Json:
    """The verdict on a target that returns the reference's results, changed. `broken` gets the index of the call."""
    module, calls = ModuleType("target"), [0]

    def compile_once(subject: Any, example: Any, stage: Callable[[str], None], dims: Any = None) -> Any:
        calls[0] = 0
        stage("run")

        def call(*inputs: Any) -> Any:
            calls[0] += 1
            return broken(calls[0], subject(*inputs))

        call.compilations = lambda: min(calls[0], 2)  # type: ignore[attr-defined]
        return call

    module.compile = compile_once  # type: ignore[attr-defined]
    if dynamic:
        module.DYNAMIC = Dynamic((), compile_once, (), refuses)  # type: ignore[attr-defined]
    answer: Json = Symbolic(Fake(), Target("fake", module), read(made), Clock(lambda stage: None)).run()
    return answer


def wrong_at(number: int) -> Callable[[int, list[Any]], list[Any]]:
    """A change that adds 1 in one of the calls."""
    return lambda call, outputs: [x + (call == number) for x in outputs]


def raises_at(number: int, error: Exception) -> Callable[[int, list[Any]], list[Any]]:
    """A change that raises in one of the calls."""

    def broken(call: int, outputs: list[Any]) -> list[Any]:
        if call == number:
            raise error
        return outputs

    return broken


class Reading(unittest.TestCase):
    """assignments.read."""

    def test_shapes(self) -> None:
        model = read(item("fake.copy"))
        self.assertEqual((model.assignments, assignments.dims(model)), (3, [("d0_0", "")]))
        ones = [assignments.assigned(model, k) for k in range(3)]
        shapes = [(one.inputs[0].shape, one.nodes[0].outputs[0].shape) for one in ones]
        self.assertEqual(shapes, [((2, 3), (2, 3)), ((4, 3), (4, 3)), ((3, 3), (3, 3))])
        self.assertEqual(assignments.said(model, 1), "d0_0 = 4")

    def test_special_sizes_come_last(self) -> None:
        self.assertEqual(assignments.order(read(item("fake.copy", sizes=(1, 0, 3)))), [2, 0, 1])

    def test_inconsistent_dimensions(self) -> None:
        names = {"d0_0": [2, 4, 3], "d1": [2, 4]}
        for dims in ({"d0_0": [2]}, {"d0_0": [3, 4, 3]}, {"d0_0": [2, 4]}, {"x y": [2, 4, 3]}, names):
            with self.subTest(dims), self.assertRaises(BadModel):
                read({**item("fake.copy"), "dims": dims})


class Verdicts(unittest.TestCase):
    """Symbolic.run."""

    def test_all_agree(self) -> None:
        answer = verdict(item("fake.copy", "fake.copy"), wrong_at(0))
        self.assertEqual((answer["verdict"], answer["assignments"]), ("ok", {"run": 3, "recompiled": 1, "rejected": 0}))

    def test_differing_instance_is_named(self) -> None:
        answer = verdict(item("fake.copy", "fake.copy"), wrong_at(2))
        self.assertEqual((answer["verdict"], answer["assignment"]), ("inconsistency", 2))
        self.assertRegex(answer["first"]["how"], r"^12 of 12 elements.*; assignment 2: d0_0 = 4$")

    def test_fault_needs_dynamic_shapes(self) -> None:
        self.assertEqual(verdict(item("fake.copy"), wrong_at(3), dynamic=False)["verdict"], "ok")

    def test_one_raises(self) -> None:
        answer = verdict(item("fake.copy"), raises_at(3, ValueError("no such size")))
        self.assertEqual((answer["verdict"], answer["assignment"]), ("error", 3))
        self.assertEqual(answer["error"]["message"], "no such size; assignment 3")

    def test_rejections_are_no_errors(self) -> None:
        answer = verdict(item("fake.copy"), raises_at(2, ValueError("one size only")), ("one size",))
        self.assertEqual((answer["verdict"], answer["assignments"]["run"], answer["assignments"]["rejected"]), ("ok", 2, 1))
        answer = verdict(item("fake.copy"), raises_at(1, ValueError("one size only")), ("ValueError",))
        self.assertEqual(answer["assignments"]["rejected"], 1)

    def test_error_behind_a_specification_violation(self) -> None:
        """The target raises with one shape instance: the part of the model that is independent of the call runs
        alone."""
        both = {**item("fake.copy", "fake.five"), "outputs": [1, 2]}

        def loses(call: int, outputs: list[Any]) -> list[Any]:
            return [x * 0 for x in outputs] if call == 2 and len(outputs) == 2 else outputs

        with unittest.mock.patch.object(Fake, "second_refuses", lambda self, node, *more: node.api == "fake.five"):
            self.assertEqual(verdict(both, loses)["verdict"], "ok")
            self.assertEqual(verdict(both, wrong_at(2))["verdict"], "inconsistency")
        self.assertEqual(verdict(both, loses)["verdict"], "inconsistency")

    def test_reference_runs_every_instance(self) -> None:
        narrow = item("fake.narrow")
        self.assertEqual(verdict(narrow, wrong_at(0))["verdict"], "mispredicted")
        narrow["nodes"][0]["outputs"][0].update(shape=[1, 3])
        answer = verdict(narrow, wrong_at(0))
        self.assertEqual((answer["verdict"], answer["assignment"]), ("mispredicted", 2))


if __name__ == "__main__":
    np.seterr(all="ignore")
    unittest.main()

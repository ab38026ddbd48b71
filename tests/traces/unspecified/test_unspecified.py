"""The collector of unspecified results: special inputs, other frameworks' functions, and the vote."""

from __future__ import annotations

import sys
import unittest
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz.model import Reader
from rulefuzz.oracle.excuses.undefined import CLASSES
from tests.python.fake import OPERATORS, Fake
from traces.collect.unspecified.inputs import CHANGES, special
from traces.collect.unspecified.peer import Answers, Peer, answers
from traces.collect.unspecified.trial import Row, Trial

MODEL = {"values": 5, "inputs": [{"id": 0, "shape": [2, 3], "dtype": "float32"}], "outputs": [1],
         "nodes": [{"api": "fake.relu_nan", "args": [{"name": "x", "pos": True, "value": {"ref": 0}}],
                    "outputs": [{"id": 1, "shape": [2, 3], "dtype": "float32"}]}]}  # fmt: skip


class Other:
    """A framework with one function."""

    def __init__(self, framework: str, function: Callable[[Any], Any]) -> None:
        self.framework, self._function = framework, function

    def ask(self, operation: str, arrays: Sequence[Any], constants: Mapping[str, Any], wanted: Sequence[str] | None) -> Answers:
        """See Peer."""
        return {self.framework: [self._function(*arrays)]}


class Inputs(unittest.TestCase):
    """Special inputs."""

    def test_every_class(self) -> None:
        draw = np.random.default_rng(1)
        plain = (np.arange(1.0, 10.0).reshape(3, 3) ** 2 % 7 + np.eye(3), np.arange(4))
        found = {kind: changed for array in plain for kind, changed in special(array, 4, draw)}
        self.assertEqual(set(found), set(CHANGES))
        for kind, changed in found.items():
            self.assertTrue(CLASSES[kind](changed, 4), kind)
            self.assertFalse(any(CLASSES[kind](array, 4) for array in plain), kind)

    def test_classes(self) -> None:
        self.assertFalse(CLASSES["zeros"](np.array([0.0, 0.0, 1.0]), 1))
        self.assertFalse(CLASSES["beyond"](np.array([0, 3]), 4))
        self.assertTrue(CLASSES["empty"](np.zeros((2, 0)), 1))


class Peers(unittest.TestCase):
    """Functions of other frameworks."""

    def test_answers(self) -> None:
        found = [("m.sum", np.sum), ("m.repeat", np.repeat)]
        made = answers(found, np.asarray, [np.array([1.0, 2.0])], {"repeats": 2}, None)
        told = {label: None if arrays is None else arrays[0].tolist() for label, arrays in made.items()}
        self.assertEqual(told, {"m.sum in order": None, "m.sum without": 3.0, "m.repeat named": [1.0, 1.0, 2.0, 2.0],
                                "m.repeat in order": [1.0, 1.0, 2.0, 2.0], "m.repeat without": None})  # fmt: skip

    def test_another_process(self) -> None:
        peer = Peer("numpy", sys.executable)
        for _ in range(2):  # it starts again
            made = peer.ask("maximum", [np.array([1.0, np.nan]), np.array([2.0, 2.0])], {}, ["numpy.maximum without"])
            self.assertEqual(str(made["numpy.maximum without"]), "[array([ 2., nan])]")
            peer.end()


class Votes(unittest.TestCase):
    """Which disagreements count."""

    def rows(self, *others: Callable[[Any], Any]) -> list[Row]:
        """The rows of relu, for these other implementations."""
        framework = Fake()
        framework.apis = frozenset(["fake.relu_nan"])
        OPERATORS["fake.relu_nan"] = lambda x: np.maximum(x, 0)
        peers = [Other(f"p{i}", function) for i, function in enumerate(others)]
        trial = Trial(framework, Reader(framework).model(MODEL), cast(Any, peers))
        return list(trial.rows(np.random.default_rng(1), set()))

    def test_a_disagreement(self) -> None:
        rows = self.rows(lambda x: np.where(x > 0, x, 0))
        self.assertEqual([(row.operation, row.argument, row.kind) for row in rows], [("relunan", "x", "nan")])
        self.assertRegex(rows[0].answers, "nan; .*p0 0")

    def test_agreement_and_others(self) -> None:
        """Equal results; a function that disagrees on plain inputs; one that stands alone against two."""
        same: Callable[[Any], Any] = lambda x: np.where(np.isnan(x), x, np.fmax(x, 0))  # noqa: E731
        odd: Callable[[Any], Any] = lambda x: np.where(x > 0, x, 0)  # noqa: E731
        self.assertEqual(self.rows(same), [])
        self.assertEqual(self.rows(lambda x: x), [])
        self.assertEqual(self.rows(lambda x: np.maximum(x, 0), lambda x: np.maximum(0, x), odd), [])


if __name__ == "__main__":
    unittest.main()

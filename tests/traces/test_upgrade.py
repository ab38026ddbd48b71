"""One version's answers for `rulesmith diff`: outcomes with dtypes, from processes that may crash, and the
signatures of APIs."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

try:
    import numpy as np  # noqa: F401
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz import sandbox
from tests.traces.told import Told
from traces.collect.call.spec import Json
from traces.collect.judge.oracle import Oracle
from traces.collect.records.recorded import Recorded
from traces.collect.upgrade.__main__ import Session
from traces.collect.upgrade.again import ask_again
from traces.collect.upgrade.answers import work
from traces.collect.upgrade.public import Signature, joined

X = {"name": "x", "pos": True, "value": {"tensor": ["s0"], "dtype": "float32"}}
N = {"name": "n", "pos": False, "value": "s1"}
KNOW = {"know": {"op": "told.cut-0", "api": "told.cut", "args": [X, N], "outputs": [], "symbols": 2}}
CALLS: list[int] = []
"""In a child process: the number of calls so far."""


def cut(dims: Sequence[int], n: int) -> tuple[int, ...]:
    """The first n; 9 kills the process, 8 returns the number of calls so far."""
    CALLS.append(n)
    if n == 9:
        os.kill(os.getpid(), signal.SIGSEGV)
    if n == 8:
        return (len(CALLS),)
    if n > dims[0]:
        raise ValueError(f"{n} is more than {dims[0]}")
    return (n,)


class Old(Told):
    """A version without told.new."""

    def compile(self, api: str, args: Sequence[Json]) -> Sequence[Json]:
        """The arguments as they are stated."""
        if api == "told.new":
            raise AttributeError("no new")
        return args


class Facade:
    """The version's names and signatures."""

    def versions(self) -> dict[str, str]:
        """Of the only package."""
        return {"told": "1"}

    def apis(self) -> list[str]:
        """The only API."""
        return ["told.cut"]

    def signature(self, api: str) -> Signature | None:
        """Of told.cut."""
        return Signature(["x", "n"], ["(x, n)"]) if api == "told.cut" else None

    def overloads(self, api: str) -> Sequence[str]:
        """None."""
        return []


class Answers(unittest.TestCase):
    """Lines and their answers."""

    def ask(self, *lines: Json, facade: Facade | None = None) -> list[Json]:
        """The answers of a session."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            oracle = Oracle(Old(cut), path / "findings", path / "log", sandbox.Limits(wall=60.0), work)
            try:
                session = Session(oracle, "told", facade)
                return [json.loads(text) for text in session.answer([json.dumps(line).encode() for line in lines])]
            finally:
                oracle.end()

    def one(self, n: int, **more: bool) -> Json:
        """The answer to one query."""
        return self.ask(KNOW, {"op": "told.cut-0", "in": [5, n], **more})[1]

    def test_a_pass_has_shapes_and_dtypes(self) -> None:
        answer = self.one(3)
        self.assertEqual(answer, {"op": "told.cut-0", "in": [5, 3], "outcome": "pass", "outputs": [[[3], "float32"]]})

    def test_a_refusal_has_its_message(self) -> None:
        answer = self.one(6)
        self.assertEqual((answer["outcome"], answer["message"]), ("fail", "6 is more than 5"))

    def test_a_death(self) -> None:
        """A crash costs its query and no other."""
        question = {"op": "told.cut-0", "in": [5, 3]}
        answers = self.ask(KNOW, question, {"op": "told.cut-0", "in": [5, 9]}, question)
        self.assertEqual([answer["outcome"] for answer in answers[1:]], ["pass", "lost", "pass"])
        self.assertEqual(answers[2]["message"], "killed by SIGSEGV")

    def test_alone(self) -> None:
        """The process is new, and no further query goes to it."""
        before, alone, after = ({"op": "told.cut-0", "in": [5, 8], **more} for more in ({}, {"alone": True}, {}))
        counted = [answer.get("outputs") for answer in self.ask(KNOW, {"op": "told.cut-0", "in": [5, 3]}, alone, after)][1:]
        first = self.ask(KNOW, before)[1].get("outputs")
        self.assertEqual(counted[1:], [first, first])

    def test_an_api_that_is_not_there(self) -> None:
        know = {"know": {**KNOW["know"], "op": "told.new-0", "api": "told.new"}}
        answer = self.ask(know, {"op": "told.new-0", "in": [5, 3]})[1]
        self.assertEqual((answer["outcome"], answer["message"]), ("absent", "AttributeError: no new"))

    def test_facts(self) -> None:
        lines = [{"about": True}, {"apis": True}, {"signature": "told.cut"}, {"signature": "told.new"}]
        about, apis, cut_, new = self.ask(*lines, facade=Facade())
        self.assertEqual(about, {"framework": "told", "versions": {"told": "1"}})
        self.assertEqual(apis, {"apis": ["told.cut"]})
        self.assertEqual(cut_, {"signature": "told.cut", "arguments": ["x", "n"], "overloads": ["(x, n)"]})
        self.assertEqual(new, {"signature": "told.new", "unknown": True})

    def test_without_a_facade(self) -> None:
        self.assertEqual(self.ask({"about": True}, {"apis": True}), [{"framework": "told", "versions": {}}, {"apis": []}])

    def test_bad_lines(self) -> None:
        questions = [{"op": "told.cut-0", "in": [5]}, {"op": "told.cut-0", "in": [5, "3"]}, {"op": "who-0", "in": []}]
        bad: list[Json] = [3, {"know": {}}, {}, *questions]
        answers = self.ask(KNOW, *bad)
        self.assertEqual([list(answer) for answer in answers[1:]], [["error"]] * len(bad))

    def test_names_are_joined_in_order(self) -> None:
        self.assertEqual(joined([["a", "b"], ["a", "c"], ["b"]]), ["a", "b", "c"])


class Torch(unittest.TestCase):
    """PyTorch's names and signatures."""

    def setUp(self) -> None:
        try:
            import torch  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("no torch") from None

    def test_signatures(self) -> None:
        from traces.collect.upgrade.torch import load

        public = load()
        python, builtin = public.signature("torch.nn.functional.max_pool2d"), public.signature("torch.narrow")
        self.assertEqual(list(python.arguments if python else [])[:2], ["input", "kernel_size"])
        self.assertEqual(list(builtin.arguments if builtin else []), ["self", "dim", "start", "length"])
        self.assertIsNone(public.signature("torch.no_such_function"))
        self.assertLess({"torch.narrow", "torch.Tensor.narrow", "torch.nn.functional.relu"}, set(public.apis()))


class Again(unittest.TestCase):
    """Records that are asked again."""

    def test_corrected(self) -> None:
        """Calls that are answered otherwise move; those without an answer, or that depend on the number of calls, stay."""
        record = {**KNOW["know"], "outputs": [{"tensor": ["o0"], "dtype": "float32"}],
                  "pass": [[[5, 3], [3]], [[5, 4], [2]], [[2, 4], [4]], [[9, 9], [9]]],
                  "fail": [[2, 3], [3, 2], [-1, 0]]}  # fmt: skip
        operator = Recorded.of(record)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            oracle = Oracle(Old(cut), path / "findings", path / "log", sandbox.Limits(wall=60.0))
            counts = ask_again(oracle, operator)
            oracle.end()
        self.assertEqual(counts, (6, 3))
        self.assertEqual(operator.passing, {(5, 3): [3], (5, 4): [4], (9, 9): [9], (3, 2): [2]})
        self.assertEqual(operator.failing, {(2, 4), (2, 3), (-1, 0)})
        line = json.loads(operator.line())
        self.assertEqual(line["fail"], [[-1, 0], [2, 3], [2, 4]])


if __name__ == "__main__":
    unittest.main()

"""A query that kills the process is still answered."""

import os
import signal
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Output
from traces.collect.judge.guard import BEYOND
from traces.collect.judge.oracle import Oracle, Subject, answer
from traces.collect.judge.verdict import FAIL, LOST, PASS


class Trusting:
    """A framework that crashes on numbers above 3; the tensors of one of its operators are fenced."""

    name, version = "trusting", "1"

    def compile(self, api: str, args: Sequence[Json]) -> str:
        """Nothing to do."""
        return api

    def run(self, call: str, values: Values, fill: str) -> tuple[Output, ...]:
        """Returns the stated dimension."""
        if values[0] > 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        return ((values, "float32"),)

    def deterministic(self, call: str, values: Values) -> bool:
        """Always."""
        return True

    def is_fenced(self, api: str) -> bool:
        """See framework.Fencing."""
        return api == "fenced"


class Deaths(unittest.TestCase):
    """oracle.Oracle."""

    def test_death_at_a_fence_is_a_refusal(self) -> None:
        """A crash outside a fence is no answer. Both crashes are findings, and later queries are answered."""
        subjects = [Subject(f"{api}-0", api, (), ((1, "float32"),), ()) for api in ("fenced", "open")]
        with tempfile.TemporaryDirectory() as folder:
            findings = Path(folder, "findings")
            oracle = Oracle(Trusting(), findings, Path(folder, "log"))
            answers = list(oracle.answers([(subject, (n,)) for subject in subjects for n in (2, 5, 3)]))
            oracle.end()
            self.assertEqual(len(findings.read_text().splitlines()), 2)
        dead = [answer(FAIL, message=BEYOND), answer(LOST, message="killed by SIGSEGV")]
        self.assertEqual(answers, [text for end in dead for text in (answer(PASS, (2,)), end, answer(PASS, (3,)))])


if __name__ == "__main__":
    unittest.main()

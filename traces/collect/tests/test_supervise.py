"""A worker that dies costs one call."""

import os
import signal
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path

from traces.collect import supervise
from traces.collect.oracle import Framework, Output, Unanswered
from traces.collect.symbolise import Json, Values


class Deadly:
    """A framework that kills its process on one input and spins on another."""

    name, version = "deadly", "1"

    def compile(self, api: str, args: Sequence[Json]) -> str:
        """Nothing to do."""
        return api

    def run(self, call: str, values: Values, fill: str) -> tuple[Output, ...]:
        """Dies on 3, hangs on 5."""
        if values == (3,):
            os.kill(os.getpid(), signal.SIGSEGV)
        while values == (5,):
            pass
        return ((values, "float32"),)

    def deterministic(self, call: str, values: Values) -> bool:
        """Always."""
        return True


class Supervise(unittest.TestCase):
    """supervise.run."""

    def test_death_and_hang_cost_one_call_each(self) -> None:
        """All other inputs are answered, and both calls are reported."""

        def work(name: str, guard: Callable[[Framework], supervise.Guarded]) -> Json:
            framework = guard(Deadly())
            call = framework.compile(name, [])
            answers: list[object] = []
            for i in range(8):
                try:
                    answers.append(framework.run(call, (i,), "normal")[0][0][0])
                except Unanswered:
                    answers.append("lost")
            return answers

        before, supervise.CALL_SECONDS = supervise.CALL_SECONDS, 0.3
        try:
            with tempfile.TemporaryDirectory() as folder:
                results = list(supervise.run(["a", "b"], 2, work, Path(folder)))
        finally:
            supervise.CALL_SECONDS = before
        for _, answer, deaths in results:
            self.assertEqual(answer, [0, 1, 2, "lost", 4, "lost", 6, 7])
            self.assertEqual([how.split(":")[0] for how, _ in deaths], ["killed by SIGSEGV", "hang"])
            self.assertTrue(deaths[0][1].endswith("\t3\tnormal"))
        self.assertEqual(sorted(name for name, _, _ in results), ["a", "b"])

    def test_exception_is_reported(self) -> None:
        """A fault of the collector itself is no answer."""

        def work(name: str, guard: Callable[[Framework], supervise.Guarded]) -> Json:
            raise ValueError(name)

        with tempfile.TemporaryDirectory() as folder:
            results = list(supervise.run(["a"], 1, work, Path(folder)))
            self.assertIn("ValueError", (Path(folder) / "a.log").read_text())
        self.assertEqual(results, [("a", None, [])])


if __name__ == "__main__":
    unittest.main()

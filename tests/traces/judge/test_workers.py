"""A crashed worker costs one call."""

import os
import signal
import tempfile
import unittest
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge import guard, workers
from traces.collect.judge.framework import Framework, Output
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings


class Deadly:
    """A framework that kills its process on some inputs and hangs on another."""

    name, version = "deadly", "1"

    def compile(self, api: str, args: Sequence[Json]) -> str:
        """Nothing to do."""
        return api

    def run(self, call: str, values: Values, fill: str) -> tuple[Output, ...]:
        """Dies on 3, 4 and 8, hangs on 5, rejects 6, exhausts memory on 7."""
        if values in ((3,), (4,), (8,)):
            os.kill(os.getpid(), signal.SIGSEGV)
        while values == (5,):
            pass
        if values == (6,):
            raise Rejected("six")
        if values == (7,):
            eaten = []
            try:
                while True:
                    eaten.append(bytes(1 << 24))
            except MemoryError as error:
                raise Unanswered("MemoryError") from error
        return ((values, "float32"),)

    def deterministic(self, call: str, values: Values) -> bool:
        """Always."""
        return True


class Fenced(Deadly):
    """A framework with fenced tensors for some operators."""

    def is_fenced(self, api: str) -> bool:
        """See framework.Fencing."""
        return api == "a"


class Workers(unittest.TestCase):
    """workers.run."""

    def test_death_at_a_fence_is_a_refusal(self) -> None:
        """A hang is no finding, nor is a crash of an operator without fenced tensors."""

        def work(name: str, guarded: Callable[[Framework], guard.Guarded]) -> Json:
            framework = guarded(Fenced())
            call = framework.compile(name, [])
            answers = []
            for i in (3, 5, 3):
                try:
                    framework.run(call, (i,), "normal")
                except (Unanswered, Rejected) as error:
                    answers.append([type(error).__name__, str(error)])
            return answers

        with tempfile.TemporaryDirectory() as folder:
            limits = replace(workers.LIMITS, cpu=0.3)
            answers = {name: answer for name, answer, _ in workers.run(["a", "b"], 2, work, Path(folder), {"a", "b"}, limits)}
        beyond, killed = ["Rejected", guard.BEYOND], ["Unanswered", guard.KILLS]
        self.assertEqual(answers, {"a": [beyond, killed, beyond], "b": [killed, killed, killed]})

    def test_death_and_hang_cost_one_call_each(self) -> None:
        """All other inputs are answered, also after a killing one, and the killing calls are reported."""

        def work(name: str, guarded: Callable[[Framework], guard.Guarded]) -> Json:
            framework = guarded(Deadly())
            call = framework.compile(name, [])
            answers: list[object] = []
            for i in range(10):
                try:
                    answers.append(framework.run(call, (i,), "normal")[0][0][0])
                except (Unanswered, Rejected) as error:
                    answers.append(str(error))
            return [answers, framework.alone, framework.noted()]

        with tempfile.TemporaryDirectory() as folder:
            results = list(workers.run(["a", "b"], 2, work, Path(folder), limits=replace(workers.LIMITS, cpu=0.3)))
        killed = "kills its process"
        for _, answer, deaths in results:
            assert answer is not None
            answers, alone, noted = answer
            self.assertTrue(alone)
            self.assertEqual(answers, [0, 1, 2, killed, killed, killed, "six", "MemoryError", killed, 9])
            self.assertEqual([how for how, _ in noted], ["killed by SIGSEGV", "killed by SIGSEGV", guard.HANG])
            self.assertEqual([call[-8:] for _, call in noted], ["3\tnormal", "4\tnormal", "5\tnormal"])
            self.assertEqual([how for how, _ in deaths], ["killed by SIGSEGV"])
        self.assertEqual(sorted(name for name, _, _ in results), ["a", "b"])

    def test_crashes_leave_the_other_records(self) -> None:
        """An operator with killing mutants still has its passing and failing records, the same ones on both
        runs."""
        calls = [symbolise("toy.f", [("x", True, TensorSpec((n,), "float32")), ("k", True, 1)]) for n in (2, 3, 4)]

        class Narrow(Deadly):
            def run(self, call: str, values: Values, fill: str) -> tuple[Output, ...]:
                if values[0] == values[-1]:
                    os.kill(os.getpid(), signal.SIGSEGV)
                if not 0 <= values[-1] <= values[0]:
                    raise Rejected("no")
                return (((values[-1],), "float32"),)

        def work(name: str, guarded: Callable[[Framework], guard.Guarded]) -> Json:
            framework = guarded(Narrow())
            answer = collect_api(framework, name, calls, {}, Settings(1, Budget()), framework.hangs)
            return {**answer, "deaths": framework.noted()}

        with tempfile.TemporaryDirectory() as folder:
            runs = [list(workers.run(["toy.f"], 1, work, Path(folder), fragile)) for fragile in ([], ["toy.f"])]
        answers = [answer for results in runs for _, answer, _ in results]
        self.assertEqual(answers[0], answers[1])
        assert answers[0] is not None
        self.assertGreater(answers[0]["counts"]["fail"], 10)
        self.assertGreater(answers[0]["counts"]["pass"], 10)
        self.assertTrue(answers[0]["deaths"])

    def test_exception_is_reported(self) -> None:
        """An exception in the collector itself is no verdict."""

        def work(name: str, guarded: Callable[[Framework], guard.Guarded]) -> Json:
            raise ValueError(name)

        with tempfile.TemporaryDirectory() as folder:
            results = list(workers.run(["a"], 1, work, Path(folder)))
            self.assertIn("ValueError", (Path(folder) / "a.log").read_text())
        self.assertEqual(results, [("a", None, [])])


if __name__ == "__main__":
    unittest.main()

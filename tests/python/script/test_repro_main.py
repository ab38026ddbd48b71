"""The main part of repro scripts, whose exit codes bisections and CI depend on."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import time
import unittest
import unittest.mock
from collections.abc import Callable, Sequence
from typing import Any

try:
    import numpy as np

    from rulefuzz.oracle import compare
    from rulefuzz.script import repro_main
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

X = np.array([1.0, 2.0, 3.0])
NAMES = [("v1", 1e-3, 1e-2), ("v0 (an input, afterwards)", 1e-3, 1e-2)]
NEAR: dict[str, Any] = {"fresh": lambda inputs: [x.copy() for x in inputs], "reference": lambda model, inputs: model(*inputs),
        "seen": lambda x: ("", x.shape, x.dtype.name, x), "difference": compare.difference,
        "other_strides": compare.other_strides}  # fmt: skip
"""The framework functions of a script."""


def double(x: Any) -> list[Any]:
    """The model."""
    return [x * 2]


def by(function: Callable[..., Any]) -> Callable[..., Any]:
    """A target that runs another function."""
    return lambda model, example, stage: function


def refuses(*parts: Any) -> Any:
    """A function that raises."""
    raise ValueError("no")


def overwrites(x: Any) -> list[Any]:
    """The model, but it overwrites its input."""
    made = [x * 2]
    x[:] = 0
    return made


class Attempts(unittest.TestCase):
    """The message about a target."""

    def setUp(self) -> None:
        patch = unittest.mock.patch.dict(vars(repro_main), NEAR)
        patch.start()
        self.addCleanup(patch.stop)
        said = contextlib.redirect_stderr(io.StringIO())
        said.__enter__()
        self.addCleanup(said.__exit__, None, None, None)

    def told(self, target: Callable[..., Any], names: Sequence[Any] = NAMES, model: Callable[..., Any] = double) -> set[str]:
        """The common messages of both entry points, for one set of inputs and for two equal sets."""
        one = repro_main.attempt(model, [X], target, names)
        each = repro_main.attempt_each(model, [[X], [X]], target, [names, names])
        return {one, each.replace(" for inputs 0", "").replace(",:", ":").rstrip(",")}

    def test_agreement(self) -> None:
        self.assertEqual(self.told(by(double)), {""})
        self.assertEqual(self.told(by(lambda x: [x * 2.001])), {""})  # within the tolerance

    def test_difference(self) -> None:
        (how,) = self.told(by(lambda x: [x * 2 + (x > 2)]))
        self.assertEqual(how, "v1 differs: 1 of 3 elements, first at [2]: 7.0 instead of 6.0")

    def test_difference_in_the_second_run(self) -> None:
        runs: list[int] = []

        def adds_up(x: Any) -> list[Any]:
            runs.append(1)
            return [x * (1 + len(runs))]

        how = repro_main.attempt(double, [X], by(adds_up), NAMES)
        self.assertEqual(how, "v1 differs in the second run: 3 of 3 elements, first at [0]: 3.0 instead of 2.0")
        runs.clear()
        how = repro_main.attempt(double, [X], by(lambda x: refuses() if len(adds_up(x)) < len(runs) else [x * 2]), NAMES)
        self.assertEqual(how, "only the target raises ValueError in the second run: no")

    def test_overwritten_input(self) -> None:
        (how,) = self.told(by(overwrites))
        self.assertRegex(how, r"^v0 \(an input, afterwards\) differs: 3 of 3 elements")
        self.assertEqual(self.told(by(overwrites), [NAMES[0], ("", 0.0, 0.0)]), {""})  # outputs without a name are not compared
        self.assertEqual(X.tolist(), [1.0, 2.0, 3.0])

    def test_error_of_the_target(self) -> None:
        for target in (refuses, by(refuses)):
            self.assertEqual(self.told(target), {"only the target raises ValueError: no"})

    def test_too_few_results(self) -> None:
        self.assertEqual(self.told(by(lambda x: [])), {"1 results instead of 2"})

    def test_a_reference_that_fails_is_no_fault(self) -> None:
        for attempt, given, names in ((repro_main.attempt, [X], NAMES), (repro_main.attempt_each, [[X]], [NAMES])):
            with self.assertRaises(SystemExit) as caught:
                attempt(refuses, given, by(double), names)
            self.assertEqual(caught.exception.code, 2)

    def test_invalid_model(self) -> None:
        """It is a fault if the target returns. If the reference returns, the script ends with 2."""
        said: list[str] = []
        for target in (by(double), refuses, by(refuses)):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                said.append(repro_main.attempt_miss(refuses, [X], target))
            self.assertEqual(out.getvalue(), "the reference rejects it: ValueError: no\n")
        self.assertEqual(said, ["the target accepts it", "", ""])
        with self.assertRaises(SystemExit) as caught, contextlib.redirect_stdout(io.StringIO()):
            repro_main.attempt_miss(double, [X], by(double))
        self.assertEqual(caught.exception.code, 2)

    def test_one_compilation_for_several_inputs(self) -> None:
        """The second inputs show a target that keeps elements of the first."""
        made: list[int] = []

        def keeps(model: Any, example: Any, stage: Any) -> Any:
            made.append(len(example))
            return lambda x: [example[0] * 2]

        how = repro_main.attempt_each(double, [[X], [X + 1]], keeps, [NAMES, NAMES])
        self.assertRegex(how, "^v1 differs for inputs 1: 3 of 3 elements")
        self.assertEqual(made, [1])

    def test_second_run_of_the_reference(self) -> None:
        """A model whose second run differs is reported; the heap is overwritten in between."""
        filled: list[int] = []
        runs: list[int] = []

        def other_each_time(x: Any) -> list[Any]:
            runs.append(1)
            return [x + len(runs)]

        with unittest.mock.patch.object(repro_main, "fill_heap", filled.append):
            how = repro_main.attempt(other_each_time, [X], repro_main.second_run, NAMES)
            self.assertRegex(how, "^v1 differs: ")
            self.assertEqual(repro_main.attempt(double, [X], repro_main.second_run, NAMES), "")
        self.assertEqual(len(filled), 3)
        self.assertTrue(all(filled))


class Ends(unittest.TestCase):
    """Exit code and output: 1 with REPRODUCED, 0 without, 2 if the reference fails."""

    def main(self, work: Callable[[], str]) -> tuple[int, str]:
        with tempfile.TemporaryFile("w+") as out:
            with contextlib.redirect_stdout(out):
                code = repro_main.main(work)
            out.seek(0)
            return code, out.read().strip()

    def test_codes(self) -> None:
        self.assertEqual(self.main(lambda: ""), (0, "not reproduced: reference and target agree"))
        self.assertEqual(self.main(lambda: "v1 differs"), (1, "REPRODUCED: v1 differs"))

        def reference_fails() -> str:
            raise SystemExit(2)

        self.assertEqual(self.main(reference_fails), (2, ""))

    def test_error_of_the_script_is_no_fault(self) -> None:
        def misses() -> str:
            raise NameError("a function that the script has not")

        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(self.main(misses), (2, ""))

    def test_process_exits(self) -> None:
        def aborts() -> str:
            os.abort()

        def exits(code: int) -> Callable[[], str]:
            return lambda: os._exit(code)

        def leaves() -> str:
            raise SystemExit

        self.assertEqual(self.main(aborts), (1, "REPRODUCED: killed by signal 6"))
        self.assertEqual(self.main(exits(0)), (1, "REPRODUCED: the process ended with exit code 0"))
        self.assertEqual(self.main(exits(2)), (1, "REPRODUCED: the process ended with exit code 2"))
        self.assertEqual(self.main(leaves), (1, "REPRODUCED: the process ended with exit code 0"))

    def test_a_hang(self) -> None:
        def hangs() -> str:
            time.sleep(60)
            return ""

        with unittest.mock.patch.object(repro_main, "TIMEOUT", 0.2):
            started = time.monotonic()
            self.assertEqual(self.main(hangs), (1, "REPRODUCED: no answer within 0.2 s"))
            self.assertLess(time.monotonic() - started, 10)


if __name__ == "__main__":
    unittest.main()

"""The oracle's own errors: an exception of its code is an internal error for every model, and never a verdict."""

from __future__ import annotations

import contextlib
import io
import unittest
import unittest.mock
from types import ModuleType
from typing import Any

try:
    import numpy  # noqa: F401
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz import worker
from rulefuzz.model import Interpreter, Json, Model, Raised, Reader, at_work
from rulefuzz.oracle import check, compare, near, rounding
from rulefuzz.targets import Dynamic, Target
from tests.python.fake import Fake
from tests.python.oracle.test_check import add, chain
from tests.python.oracle.test_symbolic import item as varying
from tests.python.oracle.test_tiers import Change, lax, same


class Planted(LookupError):
    """A planted error, of a type that the model reader treats as an unreadable model."""


def target(change: Change = same, **traits: Any) -> Target:
    """A target that returns the reference's results, changed."""
    module = ModuleType("target")

    def compile_it(subject: Any, example: Any, stage: Any, *more: Any) -> Any:
        stage("run")
        return lambda *inputs: change(subject(*inputs))

    vars(module).update({"compile": compile_it, "DYNAMIC": Dynamic((), compile_it)} | traits)
    return Target("fake", module)


def ask(by: Target, *items: Json) -> list[Json]:
    """A worker's answers for these models."""
    made: Any = worker.Worker("fake")
    made._framework, made._targets = Fake(), [by]
    made._reader = Reader(made._framework)
    request = {"model": items[0]} if len(items) == 1 else {"models": list(items)}
    with contextlib.redirect_stderr(io.StringIO()):
        answer = made.handle({"do": "check", **request}, lambda target, stage: None)
    return answer["answers"] if len(items) > 1 else [answer]


INVALID = chain("fake.copy", "fake.raises") | {"near_miss": True}
DIFFERS = target(add(0, 9.0))
PLANTS: list[tuple[Any, str, Target, Json]] = [
    (Fake, "subject", lax(), INVALID),
    (Fake, "arguments", lax(), INVALID),
    (Fake, "refuses_as_given", lax(), INVALID),
    (Fake, "second_refuses", lax(), INVALID),
    (near, "_seconded", lax(), INVALID),
    (Fake, "subject", target(), chain("fake.copy")),
    (Fake, "arguments", target(), chain("fake.copy")),
    (Fake, "seen", target(), chain("fake.copy")),
    (Fake, "tensors_of", target(), chain("fake.copy")),
    (Fake, "describe", target(), chain("fake.copy")),
    (compare, "difference", target(), chain("fake.copy")),
    (check.Check, "repeats", target(), chain("fake.copy")),
    (compare, "differing", DIFFERS, chain("fake.copy")),
    (check.Check, "_differences", DIFFERS, chain("fake.copy")),
    (check.Check, "_excused", DIFFERS, chain("fake.copy", "fake.inverse")),
    (rounding, "moved", DIFFERS, chain("fake.inverse", "fake.swings")),
    (Fake, "subject", target(), varying("fake.copy")),
    (Fake, "arguments", target(), varying("fake.copy")),
    (check.Check, "settle", target(), varying("fake.copy")),
]


class Mistakes(unittest.TestCase):
    """Each error is planted in a function that the verdict on the model calls."""

    def test_each_is_reported(self) -> None:
        for owner, name, by, model in PLANTS:
            with self.subTest(f"{owner.__name__}.{name}"), unittest.mock.patch.object(owner, name, side_effect=Planted("why")):
                (answer,) = ask(by, model)
                self.assertEqual(answer["verdict"], "internal-error")
                self.assertEqual(answer["error"]["type"], "Planted")
                self.assertRegex(answer["error"]["message"], r"^Planted: why \([a-z_/]+\.py:\d+\)$")

    def test_without_them(self) -> None:
        """Without the errors, the same models and targets get other verdicts."""
        for _, _, by, model in PLANTS:
            self.assertNotEqual(ask(by, model)[0]["verdict"], "internal-error")

    def test_during_a_second_run(self) -> None:
        """Errors while the target runs again, for other outputs or with an optimizer pass disabled."""
        module = {"COARSE": ("x",), "WITHOUT": "RULEFUZZ_PLANTED"}
        real, calls = check.Check._differences, []

        def second(self: Any, *args: Any) -> Any:
            calls.append(1)
            if len(calls) == 2:
                raise Planted("why")
            return real(self, *args)

        for traits in ({}, module):
            calls.clear()
            with unittest.mock.patch.object(check.Check, "_differences", second):
                (answer,) = ask(target(add(0, 9.0), **traits), chain("fake.copy"))
            self.assertEqual(answer["verdict"], "internal-error", traits)

    def test_merged_models(self) -> None:
        """After an error in a merged model, each model runs alone."""
        by = target(BATCH=4)
        real = Fake.subject

        def of_one(self: Fake, model: Model, *args: Any) -> Any:
            if len(model.nodes) > 1:
                raise Planted("why")
            return real(self, model, *args)

        for owner, name, mistake in ((check.Check, "repeats", Planted("why")), (Fake, "subject", of_one)):
            with self.subTest(name), unittest.mock.patch.object(owner, name, autospec=True, side_effect=mistake):
                answers = ask(by, *[chain("fake.copy", values=i) for i in range(3)])
                self.assertEqual([answer["verdict"] for answer in answers], ["undecided"] * 3)
        self.assertEqual([answer["verdict"] for answer in ask(by, *[chain("fake.copy")] * 3)], ["ok"] * 3)

    def test_memory(self) -> None:
        """An out-of-memory error of the oracle is handled, too."""
        with unittest.mock.patch.object(Fake, "arguments", side_effect=MemoryError()):
            self.assertEqual(ask(target(), chain("fake.copy"))[0]["verdict"], "resource")

    def test_exceptions_of_frameworks_and_targets(self) -> None:
        """Exceptions of frameworks and targets are wrapped; others are not."""

        def fails() -> None:
            raise Planted("why")

        with self.assertRaises(Raised) as caught:
            at_work(fails)
        self.assertIsInstance(caught.exception.error, Planted)
        model = Reader(Fake()).model(chain("fake.copy"))
        with unittest.mock.patch.object(Fake, "tensors_of", side_effect=Planted("why")), self.assertRaises(Planted):
            Interpreter(Fake(), model, Fake().inputs(model)).run()


if __name__ == "__main__":
    unittest.main()

"""User-defined functions with a toy framework: element dependence is found, floats are separated, and the query
settings are kept."""

import argparse
import json
import os
import signal
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from rulefuzz import own
from rulefuzz.framework import Rejected
from traces.collect.call import arglist
from traces.collect.call.spec import Call, Json, Values
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Output
from traces.collect.judge.workers import LIMITS
from traces.collect.records import filter
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings
from traces.collect.user_ops import __main__ as collector
from traces.collect.user_ops import elements, shown
from traces.collect.user_ops.notation import BadCall
from traces.collect.user_ops.parts import Parts
from traces.collect.user_ops.places import places

Rule = Callable[[Values, str, list[str]], tuple[int, ...]]


class Fake:
    """A function of one tensor and possibly one float, whose output has one dimension."""

    name, version = "fake", "1"

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """The float constants."""
        return list(arglist.floats(args))

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """Asks the rule."""
        return ((self._rule(values, fill, call), "float32"),)

    def deterministic(self, call: Any, values: Values) -> bool:
        """Always."""
        return True


def threshold(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
    """Removes duplicate rows unless the threshold is 1 or more."""
    if len(values) != 2 or values[1] != 4:
        raise Rejected("no boxes")
    return (values[0] if fill != "rows" or float([*floats, "1.0"][0]) >= 1 else min(1, values[0]),)


def only_small(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
    """Large elements are rejected."""
    if fill.startswith("wild") or len(values) != 2 or values[1] < 2:
        raise Rejected("too large")
    return (values[0],)


class Collect(unittest.TestCase):
    def collect(self, rule: Rule, *calls: str) -> Json:
        """The answer of a collection."""
        options = argparse.Namespace(call=[*calls], calls=None, elements="auto", framework="fake", seed=1)
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(own, "functions", lambda: {"m.f": lambda x, threshold: None}),
            mock.patch.object(registry, "limits", lambda name: LIMITS),
        ):
            options.work = Path(folder)
            return collector.collect(Fake(rule), options, "m.f")

    def test_a_float_that_decides_is_kept_where_it_does_not(self) -> None:
        answer = self.collect(threshold, "f(x: f32[5, 4], threshold=0.5)")
        self.assertEqual(answer["elements"], "wild")
        self.assertIn('"const":"1.0"', answer["lines"][0])
        self.assertNotIn("0.5", answer["lines"][0])

    def test_small_elements_where_others_do_not_serve(self) -> None:
        self.assertEqual(self.collect(only_small, "f(x: f32[5, 4])")["elements"], "small")

    def test_nothing_to_learn(self) -> None:
        def never(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
            raise Rejected("never")

        with self.assertRaisesRegex(BadCall, r"^m.f raised never for f\(x: f32\[5, 4\]\)$"):
            self.collect(never, "f(x: f32[5, 4])")

    def test_the_exception_of_an_example_is_shown(self) -> None:
        def fussy(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
            if values[1] == 7:
                raise Rejected("ValueError: 7\n columns")
            return (values[0],)

        with self.assertRaisesRegex(BadCall, r"^m.f raised ValueError: 7 columns for f\(x: f32\[5, 7\]\)$"):
            self.collect(fussy, "f(x: f32[5, 7])", "f(x: f32[5, 4])")

    def test_another_function_than_that_asked_for(self) -> None:
        with self.assertRaisesRegex(BadCall, "expected a call of m.f, got one of g"):
            self.collect(threshold, "g(x: f32[5, 4])")


class Shown(unittest.TestCase):
    """Texts for people."""

    def test_parameters_with_defaults(self) -> None:
        def f(x: Any, sizes: list[int], groups: int = 1, mode: str = "mean") -> None:
            pass

        self.assertEqual(shown.parameters("m.f", places(f)), "f(x, sizes, groups=1, mode='mean')")

    def test_a_signature(self) -> None:
        x: Json = {"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": "float32"}}
        n: Json = {"name": "n", "pos": False, "value": ["s2", "s3"]}
        by: Json = {"name": "by", "pos": False, "value": {"const": "2"}}
        self.assertEqual(shown.signature(arglist.signature([x, n, by])), "x[_, _], n=[_, _], by=2")

    def test_a_rejected_signature_was_not_replayed(self) -> None:
        self.assertEqual([shown.reason(text) for text in (filter.REPLAY, "other")], ["the function rejects it", "other"])


class Deaths(unittest.TestCase):
    """What is said of calls that kill."""

    def test_alike_are_one_line(self) -> None:
        calls = [("killed by SIGFPE", f"m.f\t[x]\tfloat32\t{n},0\tnormal") for n in range(40)]
        other = [("killed by SIGSEGV", "m.f\t[x]\tfloat32\t7,7\tnormal"), ("killed by SIGFPE", "m.f\t[y]\tfloat32\t1\tnormal")]
        self.assertEqual(shown.deaths([*calls, *other]), [
            "killed by SIGFPE, and 39 more of this signature: [x] with 0,0",
            "killed by SIGSEGV: [x] with 7,7",
            "killed by SIGFPE: [y] with 1",
        ])  # fmt: skip


class Named(Fake):
    """The rule gets the arguments' names."""

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """The arguments' names."""
        return [arg["name"] for arg in args]


class Forms(unittest.TestCase):
    """Signatures that are explored in parallel."""

    SETTINGS = Settings(1, Budget(), functions=3)

    @staticmethod
    def framework(*, deadly: bool) -> Fake:
        """A function whose second dimension must be 4; one of its signatures crashes if it is 3."""

        def rule(values: Values, fill: str, names: list[str]) -> tuple[int, ...]:
            if len(values) != 2:
                raise Rejected("no matrix")
            if deadly and values[1] == 3 and "a" in names:
                os.kill(os.getpid(), signal.SIGFPE)
            if values[1] != 4:
                raise Rejected(f"{values[1]} columns")
            return (values[0],)

        return Named(rule)

    @staticmethod
    def calls() -> list[Call]:
        """A call of each signature."""
        x: Json = {"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": "float32"}}
        forms = (("a", "0.5"), ("b", "1.0"), ("c", "1.5"))
        floats: list[Json] = [{"name": name, "pos": True, "value": {"const": text}} for name, text in forms]
        return [Call("m.f", [x, other], (5, 4), "own") for other in floats]

    def collected(self, jobs: int, *, deadly: bool) -> Json:
        """The merged result of the parts."""
        with tempfile.TemporaryDirectory() as folder:
            parts = Parts(self.framework(deadly=deadly), "m.f", self.SETTINGS, Path(folder), LIMITS, jobs)
            return parts.collect(lambda framework: self.calls())

    def test_how_many_at_a_time_changes_nothing(self) -> None:
        one = self.collected(1, deadly=True)
        self.assertEqual([json.loads(line)["op"] for line in one["lines"]], ["m.f-0", "m.f-1", "m.f-2"])
        self.assertEqual(self.collected(3, deadly=True), one)
        self.assertEqual({call.split("\t")[3].split(",")[1] for _, call in one["deaths"]}, {"3"})

    def test_as_one_after_another(self) -> None:
        """The lines equal those of a collection of the whole API."""
        alone = collect_api(self.framework(deadly=False), "m.f", self.calls(), {}, self.SETTINGS)
        self.assertEqual(self.collected(2, deadly=False)["lines"], alone["lines"])


class Elements(unittest.TestCase):
    def test_the_table(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            framework = Fake(only_small)
            self.assertIs(elements.gentle(framework, folder), framework)
            elements.note(folder, "m.f", is_small=True)
            elements.note(folder, "m.g", is_small=False)
            self.assertEqual(elements.small(folder), {"m.f"})
            asked = elements.gentle(framework, folder)
            self.assertEqual(asked.run(asked.compile("m.f", []), (3, 4), "wild3"), (((3,), "float32"),))
            with self.assertRaises(Rejected):
                asked.run(asked.compile("m.g", []), (3, 4), "wild2")
            elements.note(folder, "m.f", is_small=False)
            self.assertEqual(elements.small(folder), set())


if __name__ == "__main__":
    unittest.main()

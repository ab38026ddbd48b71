"""Own functions by a made-up framework: what depends on elements is found, floats apart, and how they were asked is kept."""

import argparse
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from rulefuzz import own
from rulefuzz.framework import Rejected
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Output
from traces.collect.judge.workers import LIMITS
from traces.collect.own import __main__ as collector
from traces.collect.own import elements
from traces.collect.own.notation import BadCall

Rule = Callable[[Values, str, list[str]], tuple[int, ...]]


class Fake:
    """A function of one tensor and maybe one float, whose output has one dimension."""

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
        """It always is."""
        return True


def threshold(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
    """Rows that are alike are left out below a threshold of 1."""
    if len(values) != 2 or values[1] != 4:
        raise Rejected("no boxes")
    return (values[0] if fill != "rows" or float([*floats, "1.0"][0]) >= 1 else min(1, values[0]),)


def only_small(values: Values, fill: str, floats: list[str]) -> tuple[int, ...]:
    """Large elements are refused."""
    if fill.startswith("wild") or len(values) != 2 or values[1] < 2:
        raise Rejected("too large")
    return (values[0],)


class Collect(unittest.TestCase):
    def collect(self, rule: Rule, call: str) -> Json:
        """The answer of a collection."""
        options = argparse.Namespace(call=[call], calls=None, elements="auto", framework="fake", seed=1)
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

        with self.assertRaisesRegex(BadCall, "nothing to learn of m.f: with wild elements: fails when replayed"):
            self.collect(never, "f(x: f32[5, 4])")

    def test_another_function_than_that_asked_for(self) -> None:
        with self.assertRaisesRegex(BadCall, "a call of g, not of m.f"):
            self.collect(threshold, "g(x: f32[5, 4])")


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

"""Near misses: the reference must refuse the last call, and so must the target."""

from __future__ import annotations

import unittest
from types import ModuleType
from typing import Any

try:
    import numpy as np  # noqa: F401
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz.model import Json, Reader
from rulefuzz.oracle import tolerance
from rulefuzz.oracle.near import ELEMENTS
from rulefuzz.oracle.tiers import Tiers
from rulefuzz.targets import Target
from tests.python.fake import Fake
from tests.python.test_check import chain
from tests.python.test_tiers import Tier


def lax() -> Target:
    """A target that drops a check: it returns whatever it is given."""
    module = ModuleType("target")
    module.compile = lambda subject, example, stage: lambda *inputs: list(inputs)  # type: ignore[attr-defined]
    return Target("lax", module)


def verdict(target: Target, item: Json, **more: Any) -> Json:
    """What is said of a model."""
    framework = Fake()
    model = Reader(framework).model({**item, **more})
    (answer,) = Tiers(framework, [target], lambda target, stage: None, tolerance.MEASURED).run([model])
    return answer


class NearMisses(unittest.TestCase):
    """By what reference and target do."""

    def test_both_refuse(self) -> None:
        self.assertEqual(verdict(Tier("a").target, chain("fake.copy", "fake.raises"), near_miss=True)["verdict"], "ok")

    def test_a_dropped_check(self) -> None:
        answer = verdict(lax(), chain("fake.copy", "fake.raises"), near_miss=True)
        self.assertEqual((answer["verdict"], answer["api"], answer["error"]["message"]), ("accepts", "fake.raises", "no"))

    def test_not_without_the_mark(self) -> None:
        self.assertEqual(verdict(lax(), chain("fake.copy", "fake.raises"))["verdict"], "invalid")

    def test_a_rule_too_strict(self) -> None:
        self.assertEqual(verdict(lax(), chain("fake.copy", "fake.copy"), near_miss=True)["verdict"], "rule")

    def test_an_earlier_call(self) -> None:
        self.assertEqual(verdict(lax(), chain("fake.raises", "fake.copy"), near_miss=True)["verdict"], "invalid")

    def test_elements_are_apart(self) -> None:
        self.assertTrue(ELEMENTS.search("index 7 is out of bounds for dimension 0"))
        self.assertFalse(ELEMENTS.search("expected src to have a size equal to the slice of self"))


if __name__ == "__main__":
    unittest.main()

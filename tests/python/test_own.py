"""User-defined functions: only those of the modules in the environment variable are available. Needs no framework."""

from __future__ import annotations

import sys
import types
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from rulefuzz import own


@contextmanager
def named(text: str) -> Iterator[None]:
    """Runs the test with these modules in the environment."""
    own.modules.cache_clear()
    own.functions.cache_clear()
    with mock.patch.dict("os.environ", {own.VARIABLE: text}):
        yield
    own.modules.cache_clear()
    own.functions.cache_clear()


class Own(unittest.TestCase):
    def setUp(self) -> None:
        module = types.ModuleType("own_toy")
        module.double = lambda x: 2 * x  # type: ignore[attr-defined]
        module.number = 7  # type: ignore[attr-defined]
        patched = mock.patch.dict(sys.modules, {"own_toy": module})
        patched.start()
        self.addCleanup(patched.stop)

    def test_nothing_is_available_by_default(self) -> None:
        with named(""):
            self.assertEqual(own.functions(), {})
            self.assertEqual(own.imports(["own_toy.double", "os.system"]), [])

    def test_named_functions(self) -> None:
        with named("own_toy:double"):
            self.assertEqual(own.functions()["own_toy.double"](4), 8)
            self.assertEqual(own.imports(["torch.add", "own_toy.double"]), ["import own_toy"])

    def test_unavailable_functions(self) -> None:
        for text, why in {
            "own_toy:number": "not callable", "own_toy:none": "AttributeError", "no.such_module:f": "ModuleNotFoundError",
            "own_toy.double": "expected package.module", "a:b:c": "expected package.module", "os:_exit": "public names",
            "own_toy:double;x": "expected package.module",
        }.items():  # fmt: skip
            with self.subTest(text), named(text), self.assertRaisesRegex(own.BadOwn, why):
                own.functions()


if __name__ == "__main__":
    unittest.main()

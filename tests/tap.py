"""Runs the unit tests of a folder and prints TAP.   usage: python -m tests.tap FOLDER [PREFIX [PATTERN…]]"""

from __future__ import annotations

import sys
import unittest


class Tap(unittest.TestResult):
    """A line a test."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def _line(self, test: unittest.TestCase, ok: bool, note: str = "") -> None:
        name = test.id().removeprefix("tests.")
        print(f"{'ok' if ok else 'not ok'} {self.testsRun} - {self._prefix}{name}{note}", flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        """See unittest.TestResult."""
        self._line(test, ok=True)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """See unittest.TestResult."""
        super().addSkip(test, reason)
        self._line(test, ok=True, note=f" # SKIP {reason}")

    def _failed(self, test: unittest.TestCase, text: str) -> None:
        self._line(test, ok=False)
        print("\n".join(f"# {line}" for line in text.splitlines()), flush=True)

    def addFailure(self, test: unittest.TestCase, err: object) -> None:
        """See unittest.TestResult."""
        super().addFailure(test, err)  # type: ignore[arg-type]
        self._failed(test, self.failures[-1][1])

    def addError(self, test: unittest.TestCase, err: object) -> None:
        """See unittest.TestResult."""
        super().addError(test, err)  # type: ignore[arg-type]
        self._failed(test, self.errors[-1][1])

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: object) -> None:
        """See unittest.TestResult: of subtests, those that fail."""
        super().addSubTest(test, subtest, err)  # type: ignore[arg-type]
        if err is not None:
            self._failed(subtest, (self.failures + self.errors)[-1][1])


def main() -> int:
    """See the module."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    result = Tap(sys.argv[2] if len(sys.argv) > 2 else "")
    for pattern in sys.argv[3:] or ["test*.py"]:
        unittest.defaultTestLoader.discover(sys.argv[1], pattern, ".").run(result)
    print(f"1..{result.testsRun}")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())

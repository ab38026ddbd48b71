"""Asks the rules and the framework itself about ordinary calls, as its documentation has them:

    PYTHONPATH=runtime/python:. python -m tests.bench.calls FRAMEWORK [--library FILE]    (a Python with the framework)

Prints the counts of answers, then each that is not right. Exit codes: 0 none is wrong; 1 some are; 2 usage."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.answers import asking
from traces.collect.judge.framework import Output


def _shapes(shapes: Iterable[Sequence[int]]) -> str:
    return " ".join(f"[{','.join(map(str, shape))}]" for shape in shapes)


def described(outputs: Sequence[Output]) -> str:
    """The shapes of a framework's outputs."""
    return _shapes(dims for dims, _ in outputs)


def told(found: dict[str, Any]) -> str:
    """The shapes of an answer."""
    return _shapes(found["outputs"]) if found.get("valid") else asking.UNKNOWN


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    return asking.main(Path(__file__).parent, described, told, argv)


if __name__ == "__main__":
    sys.exit(main())

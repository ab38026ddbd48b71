"""Asks the rules and the framework itself the same questions about dtypes:

    python -m tests.bench.dtypes FRAMEWORK [--library FILE]

Prints the counts of answers, then each that is not right. Exit codes: 0 none is wrong; 1 some are; 2 usage."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.answers import asking
from traces.collect.judge.framework import Output


def described(outputs: Sequence[Output]) -> str:
    """The dtypes of a framework's outputs."""
    return " ".join(dtype for _, dtype in outputs)


def told(found: dict[str, Any]) -> str:
    """The dtypes of an answer."""
    return " ".join(found["dtypes"]) if "dtypes" in found else asking.UNKNOWN


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    return asking.main(Path(__file__).parent, described, told, argv)


if __name__ == "__main__":
    sys.exit(main())

"""Eager mode, as in the reference: a check of the oracle, which must report no difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.session import compilers

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)
SESSION = compilers.by_eager


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function itself."""
    stage("run")

    def call(*inputs: Any) -> Any:
        return function(*inputs)

    return call

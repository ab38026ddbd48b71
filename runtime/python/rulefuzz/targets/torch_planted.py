"""Eager mode with a planted optimizer fault, which RULEFUZZ_PLANTED names: a test of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
PURPOSE = "test"
REQUIRES = ("torch",)
MAY_DIFFER = True
STRIDES = True
ENVIRONMENT = ("RULEFUZZ_PLANTED",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The function, with the fault."""
    import os

    from rulefuzz.faults import torch as torch_faults

    stage("run")
    return torch_faults.planted(function, example, os.environ.get("RULEFUZZ_PLANTED", ""))


def session(function: Any, stage: Callable[[str], None]) -> Callable[..., Any]:
    """A program, with the fault."""
    import os

    from rulefuzz.faults import torch_sessions

    stage("run")
    return torch_sessions.planted(function, os.environ.get("RULEFUZZ_PLANTED", ""))


SESSION = session

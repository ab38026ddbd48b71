"""What a second opinion on a call is, and what a framework must offer to give one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from rulefuzz.sandbox import Limits
from traces.collect.call.spec import Values
from traces.collect.judge.oracle import Subject

SAME, DIFFERS, NOISE, NONE = "same", "differs", "noise", "none"
"""Outcomes; NONE: there is nothing to compare."""


@dataclass(frozen=True)
class Opinion:
    """What came of asking."""

    outcome: str
    what: str = ""
    """accepts, refuses, shape, dtype, strides, values; for noise the row's name."""
    live: str = ""
    said: str = ""
    form: str = ""
    """Which other form of the call it is."""


def difference(live: Any, said: Any) -> str:
    """What the live call and what is said of it differ in, "" for nothing that both know. Each is a refusal's text, or
    dimensions and dtype of each output; what is said may leave dimensions, all or some, and dtypes open (None, "")."""
    if isinstance(live, str) or isinstance(said, str):
        if isinstance(live, str) == isinstance(said, str):
            return ""
        return "accepts" if isinstance(live, str) else "refuses"
    for (dims, dtype), (true, kind) in zip(said, live, strict=False):
        if dims is not None and (len(dims) != len(true) or any(d not in (None, t) for d, t in zip(dims, true, strict=True))):
            return "shape"
        if dtype and kind and dtype != kind:
            return "dtype"
    return ""


class Asker(Protocol):
    """Asks for second opinions of one kind. Made in the mother; `ask` is called in a child."""

    limits: Limits

    def compile(self, subject: Subject) -> Any:
        """What `ask` takes."""

    def ask(self, call: Any, values: Values) -> list[Opinion]:
        """Opinions on an input, one for each other form."""

    def script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        """A script that needs the framework alone and ends with 1 while the opinions differ."""

    def tiers(self) -> tuple[str, ...]:
        """The kinds to confirm by, in order."""

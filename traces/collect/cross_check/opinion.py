"""The result of a cross-check, and the interface that a framework implements to give one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from rulefuzz.sandbox import Limits
from traces.collect.call.spec import Values
from traces.collect.judge.oracle import Subject

SAME, DIFFERS, NOISE, NONE = "same", "differs", "noise", "none"
"""Outcomes; NONE: nothing to compare."""


@dataclass(frozen=True)
class Opinion:
    """One result."""

    outcome: str
    what: str = ""
    """accepts, rejects, shape, dtype, strides, values; for noise the name of its row."""
    live: str = ""
    said: str = ""
    form: str = ""
    """The other form of the call."""


def difference(live: Any, said: Any) -> str:
    """The difference between the live call and the other answer; "" if all parts that both know are equal. Each is an error
    message, or dimensions and dtype of each output. The other answer may leave dimensions (all or some) and dtypes open
    (None, "")."""
    if isinstance(live, str) or isinstance(said, str):
        if isinstance(live, str) == isinstance(said, str):
            return ""
        return "accepts" if isinstance(live, str) else "rejects"
    for (dims, dtype), (true, kind) in zip(said, live, strict=False):
        if dims is not None and (len(dims) != len(true) or any(d not in (None, t) for d, t in zip(dims, true, strict=True))):
            return "shape"
        if dtype and kind and dtype != kind:
            return "dtype"
    return ""


class Asker(Protocol):
    """Gives cross-checks of one kind. Constructed in the parent; `ask` is called in a child."""

    limits: Limits

    def compile(self, subject: Subject) -> Any:
        """The input of `ask`."""

    def ask(self, call: Any, values: Values) -> list[Opinion]:
        """Results for an input, one per other form."""

    def script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        """A script that needs the framework alone and exits with 1 while the answers differ."""

    def tiers(self) -> tuple[str, ...]:
        """The kinds that confirm it, in order."""

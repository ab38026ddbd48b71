"""What an API looks like from outside: which there are, and what arguments each takes."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Signature:
    """The arguments of an API by name, in order (of all its overloads), and the overloads as text, sorted."""

    arguments: Sequence[str]
    overloads: Sequence[str]


class Public(Protocol):
    """One framework's."""

    def versions(self) -> dict[str, str]:
        """The distributions that an answer depends on."""

    def apis(self) -> list[str]:
        """The names of its public APIs, sorted."""

    def signature(self, api: str) -> Signature | None:
        """None: nothing tells it, or there is no such API."""


def load(framework: str) -> Public | None:
    """A framework's; None where nobody wrote it."""
    name = f"traces.collect.upgrade.{framework}"
    if importlib.util.find_spec(name) is None:
        return None
    public: Public = importlib.import_module(name).load()
    return public


def joined(lists: Sequence[Sequence[str]]) -> list[str]:
    """All names, each once, in the order in which they are met."""
    return list(dict.fromkeys(name for names in lists for name in names))

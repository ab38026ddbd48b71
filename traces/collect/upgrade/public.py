"""The public API of a framework: its names, and the arguments of each."""

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
        """The distributions that answers depend on."""

    def apis(self) -> list[str]:
        """The names of its public APIs, sorted."""

    def signature(self, api: str) -> Signature | None:
        """None if unknown, or if there is no such API."""

    def overloads(self, api: str) -> Sequence[str]:
        """Its parameters as text (overloads.py), one for each overload, in the order in which the framework tries them."""


def load(framework: str) -> Public | None:
    """A framework's implementation, or None."""
    name = f"traces.collect.upgrade.{framework}"
    if importlib.util.find_spec(name) is None:
        return None
    public: Public = importlib.import_module(name).load()
    return public


def joined(lists: Sequence[Sequence[str]]) -> list[str]:
    """All names without duplicates, in order of appearance."""
    return list(dict.fromkeys(name for names in lists for name in names))

"""The excuses, found by name: every class with a name in the modules of this package."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator
from typing import TypeVar

from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Result
from rulefuzz.oracle.excuses.excuse import Excuse

Kind = TypeVar("Kind", bound=Excuse)


def _below(kind: type[Kind]) -> Iterator[type[Kind]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


@functools.cache
def every() -> dict[str, Excuse]:
    """All excuses by name. Raises ValueError if two have one name."""
    for info in pkgutil.iter_modules(__path__):
        if not info.name.startswith("_"):
            importlib.import_module(f"{__name__}.{info.name}")
    found: dict[str, Excuse] = {}
    for kind in _below(Excuse):
        if kind.name and found.setdefault(kind.name, kind()).__class__ is not kind:
            raise ValueError(f"two excuses are named {kind.name}")
    return dict(sorted(found.items()))


def load() -> None:
    """Imports all excuses and reads their table, for the parent of processes that need them."""
    every()
    unspecified.rows("")


def of_kind(kind: type[Kind]) -> list[Kind]:
    """The excuses of one kind, by name."""
    return [excuse for excuse in every().values() if isinstance(excuse, kind)]


@functools.lru_cache(1 << 14)
def of_results(operation: str) -> tuple[tuple[Result, tuple[unspecified.Row, ...]], ...]:
    """The excuses that look at calls of this operation, and its rows in the table for each."""
    found = [excuse for excuse in of_kind(Result) if excuse.concerns(operation)]
    return tuple((excuse, unspecified.found(excuse.name, operation)) for excuse in found)

"""The table unspecified.tsv: operators whose results a specification leaves open, and where.

One row is an excuse or a trait, a regular expression that an operation's whole name matches, the arguments that the excuse
looks at or what it requires (outside.py), and the source. Operations are named as Framework.operation does.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One row."""

    excuse: str
    operations: re.Pattern[str]
    requirement: str
    """Also the text of `arguments`."""
    source: str

    @functools.cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that the excuse looks at."""
        return tuple(self.requirement.split())


@functools.cache
def rows(excuse: str) -> tuple[Row, ...]:
    """The rows of an excuse or trait, in the table's order."""
    return tuple(row for row in _table() if row.excuse == excuse)


@functools.lru_cache(1 << 14)
def found(excuse: str, operation: str) -> tuple[Row, ...]:
    """The rows of an excuse or trait for an operation."""
    return tuple(row for row in rows(excuse) if row.operations.fullmatch(operation))


def has(excuse: str, operation: str) -> bool:
    """Whether an operation has a row."""
    return bool(found(excuse, operation))


@functools.cache
def _table() -> tuple[Row, ...]:
    lines = Path(__file__).with_name("unspecified.tsv").read_text(encoding="ascii").splitlines()[1:]
    fields = [line.split("\t") for line in lines]
    return tuple(Row(excuse, re.compile(names), told, source) for excuse, names, told, source in fields)

"""Elements for the tensors of user-defined operators. They include equal rows, since with random elements alone many
results seem independent of them (boxes hardly overlap). Some operators get small elements only: with elements up to a
million they read beyond their inputs or do not end.

A record folder lists its APIs in ELEMENTS.tsv as `wild` or `small`; all later runs fill tensors accordingly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import ROWS, WILD, Framework, Output, Wishing
from traces.collect.records import write

TABLE = "ELEMENTS.tsv"
SMALL = "small"
INSTEAD = dict(zip(WILD, (ROWS, *WILD[:2]), strict=True))
"""Replacements of the groups of elements to a million: one of rows, and the first two."""
SMALLER = dict(zip(WILD, (ROWS, "small", "ones"), strict=True))
"""The same for an API with small elements."""


def small(folder: Path) -> frozenset[str]:
    """The APIs of a record folder with small elements."""
    try:
        lines = (folder / TABLE).read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return frozenset()
    return frozenset(line.partition("\t")[0] for line in lines[1:] if line.endswith("\t" + SMALL))


def note(folder: Path, api: str, *, is_small: bool) -> None:
    """Records the elements of an API."""
    known = small(folder) - {api} | ({api} if is_small else frozenset())
    write.write_file(folder / TABLE, write.table(("api", "elements"), [(name, SMALL) for name in known]))


class Gentle:
    """A framework that fills the tensors of user-defined operators so. See judge.framework.Framework."""

    def __init__(self, inner: Framework, apis: frozenset[str]) -> None:
        self._inner, self._apis = inner, apis
        self.name, self.version = inner.name, inner.version

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """As Framework.compile."""
        return api in self._apis, self._inner.compile(api, args)

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """As Framework.run."""
        return self._inner.run(call[1], values, (SMALLER if call[0] else INSTEAD).get(fill, fill))

    def deterministic(self, call: Any, values: Values) -> bool:
        """As Framework.deterministic."""
        return self._inner.deterministic(call[1], values)

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """As Wishing.wishes; empty if the framework has none."""
        return self._inner.wishes(api, args) if isinstance(self._inner, Wishing) else []


def gentle(framework: Framework, folder: Path) -> Framework:
    """The framework for a record folder; other folders have no table."""
    return Gentle(framework, small(folder)) if (folder / TABLE).exists() else framework

"""The record files of a folder: they answer questions and accept new records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from traces.collect.records import write
from traces.collect.records.recorded import BadLine, Recorded, integers

APIS = 256
"""Unchanged record files held in memory."""


class RecordFiles:
    """The record files of a folder, each read when one of its operators is requested."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._apis: dict[str, dict[str, Recorded]] = {}
        self._changed: set[str] = set()

    def find(self, name: Any) -> Recorded:
        """The operator of that name; raises BadLine."""
        try:
            return self.operators(name.rpartition("-")[0] if isinstance(name, str) else "")[name]
        except (KeyError, TypeError):
            raise BadLine(f"unknown operator {name!r}") from None

    def operators(self, api: str) -> dict[str, Recorded]:
        """The operators of an API by name; empty if it has no records."""
        if api not in self._apis:
            if len(self._apis) > APIS:
                self._apis = {known: self._apis[known] for known in self._changed}
            self._apis[api] = self._read(api)
        return self._apis[api]

    def _read(self, api: str) -> dict[str, Recorded]:
        path = self._folder / f"{api}.jsonl"
        if not api or "/" in api or not path.exists():
            return {}
        records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return {record["op"]: Recorded.of(record) for record in records}

    def keep(self, name: Any, passing: Any, failing: Any) -> int:
        """Adds records to an operator; returns the number of new ones. Raises BadLine."""
        operator = self.find(name)
        try:
            pairs = [(integers(values), list(integers(out))) for values, out in passing]
        except (TypeError, ValueError):
            raise BadLine('"pass" is not a list of [in, out]') from None
        if not isinstance(failing, list):
            raise BadLine('"fail" is not a list')
        fails = [integers(values) for values in failing]
        if any(len(values) != operator.symbols for values in [*fails, *(values for values, _ in pairs)]):
            raise BadLine(f"{name} has {operator.symbols} symbols")
        count = operator.keep(pairs, fails)
        if count:
            self.touch(name)
        return count

    def touch(self, name: str) -> None:
        """Marks the file of a changed operator for the next save."""
        self._changed.add(name.rpartition("-")[0])

    def save(self) -> int:
        """Writes the changed files; returns their number."""
        for api in sorted(self._changed):
            lines = [operator.line() + "\n" for operator in self._apis[api].values()]
            write.write_file(self._folder / f"{api}.jsonl", "".join(lines))
        count = len(self._changed)
        self._changed.clear()
        return count

"""The list of bugs: `list.tsv`, one line per script."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

KINDS = {"inconsistency": "inconsistency", "error": "error", "accepts": "accepts-invalid", "accepts-invalid": "accepts-invalid",
         "crash": "crash", "hang": "hang", "memory": "memory"}  # fmt: skip
"""Kinds in a list, and in a database."""
BY_DESIGN = "by design"
COLUMNS = 6
"""Columns that a line must have; the remark is optional."""


class Malformed(Exception):
    """A list that cannot be read: `path:line: error: message`."""


@dataclass(frozen=True)
class Case:
    """A line of a list."""

    script: str
    backend: str
    has: str
    """A version with the bug."""
    fixed: str
    """The first version without it; "" if there is none."""
    kind: str
    """As in a database."""
    calls: tuple[str, ...]
    """API names, without the framework's module; a name that occurs twice is called twice."""
    remark: str

    @property
    def by_design(self) -> bool:
        """True if a tool must not report it."""
        return self.remark.startswith(BY_DESIGN)

    @property
    def group(self) -> str:
        """The campaign in which it may be found."""
        return f"{self.backend}@{self.has}"


def _unless_dash(text: str) -> str:
    """The text; "" for a dash."""
    return "" if text == "-" else text


def _case(where: str, line: str) -> Case:
    """One line."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) < COLUMNS:
        raise Malformed(f"{where}: error: expected at least {COLUMNS} columns separated by tabs, got {len(parts)}")
    script, backend, has, fixed, kind, calls = parts[:COLUMNS]
    if kind not in KINDS:
        raise Malformed(f"{where}: error: expected a kind of {', '.join(KINDS)}, got {kind!r}")
    for name, text in (("script", script), ("backend", backend), ("version", has)):
        if not text or text == "-" or "/" in text:
            raise Malformed(f"{where}: error: {name}: expected a name, got {text!r}")
    named = tuple(call.strip() for call in _unless_dash(calls).split(",") if call.strip())
    return Case(script, backend, has, _unless_dash(fixed), KINDS[kind], named, " ".join(parts[COLUMNS:]))


def read(folder: Path) -> list[Case]:
    """All lines of a folder's list, in order. Raises Malformed or OSError."""
    path = folder / "list.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_case(f"{path}:{i}", line) for i, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]


def grouped(cases: list[Case]) -> dict[str, list[Case]]:
    """The cases of each campaign, in order."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return groups

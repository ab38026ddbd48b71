"""Tables that the C programs share: frameworks.def, tolerances.def, and the APIs with records."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_TREE = _HERE.parents[2]
"""The source tree, if this is part of one."""
_ROW = re.compile(r'^FRAMEWORK\((\w+), "([^"]*)", "([^"]*)", "([^"]*)"\)$', re.MULTILINE)

_TOLERANCE = re.compile(r"^([A-Z]+)\(([^()]*)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """One framework; see the columns in frameworks.def."""

    name: str
    module: str
    requirements: tuple[str, ...]
    dialect: str

    @property
    def has_files(self) -> bool:
        """Whether models are files with fixed seeds. Models contain random operators then, marked as such."""
        return not self.dialect


def _place(installed: Path, tree: Path) -> Path:
    return installed if installed.exists() else tree


@functools.cache
def frameworks() -> dict[str, Row]:
    """All frameworks by name, in the table's order."""
    text = _place(_HERE / "frameworks.def", _TREE / "runtime" / "rules" / "frameworks.def").read_text(encoding="ascii")
    rows = [Row(name, module, tuple(needs.split()), dialect) for name, module, needs, dialect in _ROW.findall(text)]
    return {row.name: row for row in rows}


@functools.cache
def tolerances() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rows of tolerances.def: the macro's name and its fields."""
    text = _place(_HERE / "tolerances.def", _TREE / "runtime" / "ort" / "tolerances.def").read_text(encoding="ascii")
    return tuple((name, tuple(fields.split(", "))) for name, fields in _TOLERANCE.findall(text))


@functools.cache
def apis(framework: str) -> frozenset[str]:
    """The names of APIs with records; models call no others. A wheel has the names (APIS), not the records."""
    folder = _place(_HERE.parent / "traces", _TREE / "traces") / framework
    if (folder / "APIS").exists():
        return frozenset((folder / "APIS").read_text(encoding="ascii").split())
    return frozenset(path.name.removesuffix(".jsonl") for path in folder.glob("*.jsonl"))


@functools.cache
def unspecified(framework: str) -> tuple[tuple[str, ...], ...]:
    """The rows of traces/FRAMEWORK/UNSPECIFIED.tsv: operation, argument, class of input, answers. None without the file."""
    path = _place(_HERE.parent / "traces", _TREE / "traces") / framework / "UNSPECIFIED.tsv"
    lines = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
    return tuple(tuple(line.split("\t")) for line in lines)

"""Writes record files: one operator's line, and files that appear complete or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from traces.collect.call.spec import Json, Values


def line(framework: str, version: str, name: str, api: str, args: Sequence[Json], types: Sequence[tuple[int, str]],
         passing: Sequence[tuple[Values, Sequence[Values]]], failing: Sequence[Values], dtypes: Sequence[Json],
         sources: Iterable[str], random: bool = False) -> str:  # fmt: skip
    """One line of a record file, without its end of line; SCHEMA.md explains the keys."""
    outputs, next_dim = [], 0
    for rank, dtype in types:
        outputs.append({"tensor": [f"o{next_dim + i}" for i in range(rank)], "dtype": dtype})
        next_dim += rank
    record = {
        "op": name,
        "api": api,
        "framework": framework,
        "version": version,
        "args": list(args),
        "outputs": outputs,
        "dtypes": list(dtypes),
        **({"random": True} if random else {}),
        "source": sorted(sources),
        "pass": [[list(values), [d for dims in outs for d in dims]] for values, outs in sorted(passing)],
        "fail": [list(values) for values in sorted(failing)],
    }
    return json.dumps(record, separators=(",", ":"), ensure_ascii=True)


def operator_line(operator: Json) -> str:
    """The line of a changed record, its records last as always."""
    order = [key for key in operator if key not in ("pass", "fail")] + ["pass", "fail"]
    return json.dumps({key: operator[key] for key in order}, separators=(",", ":"), ensure_ascii=True)


def write_file(path: Path, text: str) -> None:
    """Writes beside the file and renames, so that readers never see a partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="ascii")
    os.replace(beside, path)


def write_models(path: Path, models: Iterable[Json]) -> None:
    """Writes models, one in a line."""
    write_file(path, "".join(json.dumps(model, separators=(",", ":")) + "\n" for model in models))


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Tab-separated text, sorted; tabs, line ends and non-ASCII in cells are escaped."""
    cells = sorted([_cell(value) for value in row] for row in rows)
    return "".join("\t".join(row) + "\n" for row in [list(header), *cells])


def _cell(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    return text.encode("ascii", "replace").decode()

"""How often each input of a call is a constant in real models: WEIGHTS.tsv."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from traces.collect.records.write import write_file

HEADER = "api\tinput\tconstant\tcalls\n"
Weights = Counter[tuple[str, int, bool]]
"""How often an API's input was a constant, and how often not. A call without inputs counts as one of NO_INPUT."""
NO_INPUT = -1


def apis_of(folder: Path) -> set[str]:
    """The APIs with records."""
    return {path.name.removesuffix(".jsonl") for path in folder.glob("*.jsonl")}


def write(folder: Path, weights: Weights) -> None:
    """A line for each input of an API with records."""
    apis = apis_of(folder)
    rows = []
    for api, place in sorted({(api, place) for api, place, _ in weights if api in apis}):
        constant = weights[api, place, True]
        rows.append(f"{api}\t{place}\t{constant}\t{constant + weights[api, place, False]}\n")
    write_file(folder / "WEIGHTS.tsv", HEADER + "".join(rows))

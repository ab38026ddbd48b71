"""Writes a collection's record files and tables."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.cli.state import State
from traces.collect.records import write


def publish(out: Path, names: Sequence[str], state: State, plan: dict[str, Json], *, whole: bool,
             tables: bool) -> list[Path]:  # fmt: skip
    """Writes the record files and the tables; returns the files. A full collection removes files of APIs that no longer
    exist; a partial one keeps the tables' rows of other APIs."""
    dropped: list[Sequence[object]] = []
    findings: list[Sequence[object]] = []
    totals = {"apis": 0, "operators": 0, "pass": 0, "fail": 0, "found": 0, "tried": 0}
    written = set()
    answered = {api for api in names if not plan[api]["calls"] or state.get(api) is not None}
    for api in sorted(answered):
        for signature, reason, count in plan[api]["dropped"]:
            dropped.append((api, reason, count, signature))
        findings += [(api, how, call.replace("\t", " ")) for how, call in plan[api].get("deaths", ())]
        answer = state.get(api) if plan[api]["calls"] else None
        if answer is None:
            continue
        dropped += _dropped_rows(api, answer["dropped"])
        findings += [(api, how, call.replace("\t", " ")) for how, call in answer["deaths"]]
        findings += [(api, message, f"{signature} {values}") for signature, values, message in answer["assertions"]]
        if answer["lines"]:
            write.write_file(out / f"{api}.jsonl", "".join(line + "\n" for line in answer["lines"]))
            written.add(f"{api}.jsonl")
            totals["apis"] += 1
            for key in answer["counts"]:
                totals[key] += answer["counts"][key]
    if whole:
        for path in sorted(out.glob("*.jsonl")):
            if path.name not in written:
                path.unlink()
    if tables:
        write_table(out / "DROPPED.tsv", ("api", "reason", "calls", "first signature"), dropped, answered, whole)
        write_table(out / "FINDINGS.tsv", ("api", "what", "call"), findings, answered, whole)
    size = sum(path.stat().st_size for path in out.glob("*")) / 1e6 if out.exists() else 0.0
    print(
        f"{totals['apis']} APIs, {totals['operators']} operators (of {totals['found']} found), "
        f"{totals['pass']} passing and {totals['fail']} failing records, "
        f"{totals['tried']} inputs tried, {size:.1f} MB in {out}"
    )
    return [out / name for name in sorted(written)]


def write_table(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]], answered: Container[str],
                 whole: bool) -> None:  # fmt: skip
    """The new rows and, unless the collection is full, existing rows of other APIs."""
    text = write.table(header, rows)
    if not whole and path.exists():
        kept = [line for line in path.read_text(encoding="ascii").splitlines()[1:] if line.split("\t")[0] not in answered]
        first, *new = text.splitlines()
        text = "".join(line + "\n" for line in [first, *sorted([*kept, *new], key=lambda line: line.split("\t"))])
    write.write_file(path, text)


def _dropped_rows(api: str, dropped: Sequence[Json]) -> list[tuple[object, ...]]:
    """One row per reason: the number of calls, and the first signature."""
    rows: dict[str, tuple[int, str]] = {}
    for signature, reason, count in dropped:
        calls, first = rows.get(reason, (0, signature))
        rows[reason] = (calls + count, first)
    return [(api, reason, calls, first[:160]) for reason, (calls, first) in rows.items()]

"""The result as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.bench.bugs.cases import Case
from tests.bench.bugs.matching import Finding, Outcome

SHOWN = 10
"""Candidates of a line that are printed; JSON has all."""


def clock(seconds: float) -> str:
    """A time as 3m05s."""
    return f"{int(seconds) // 60}m{int(seconds) % 60:02}s"


def _row(outcome: Outcome) -> str:
    """The line of a case."""
    case, first = outcome.case, outcome.first
    said = f"{case.script:38} {case.group:30} {outcome.result:8}"
    if outcome.failed:
        return f"{said} {outcome.failed}"
    return f"{said} {clock(first.after):>7} #{first.id} {first.title}  {first.script}" if first else said.rstrip()


def _details(outcome: Outcome) -> Iterable[str]:
    """All findings that a person should check."""
    if not outcome.matches and not outcome.candidates:
        return
    case = outcome.case
    yield f"{case.script}: {case.group}, {case.kind}, {','.join(case.calls)}: {outcome.result}"
    for finding in outcome.matches:
        yield f"  match      {_place(finding)}"
    for candidate in outcome.candidates[:SHOWN]:
        yield f"  candidate  {_place(candidate.finding)}  ({candidate.why})"
    if len(outcome.candidates) > SHOWN:
        yield f"  and {len(outcome.candidates) - SHOWN} more candidates"


def _place(finding: Finding) -> str:
    """A finding in one line."""
    reduced = "" if finding.reduced else "  (not fully reduced)"
    return f"{clock(finding.after):>7} #{finding.id} {len(finding.apis)} calls  {finding.title}  {finding.script}{reduced}"


def totals(outcomes: Iterable[Outcome]) -> dict[str, dict[str, int]]:
    """Counts of each backend, and of all."""
    counts: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        for name in (outcome.case.backend, "all"):
            row = counts.setdefault(name, {"bugs": 0, "found": 0, "by_design": 0, "silent": 0, "not_run": 0})
            row["by_design" if outcome.case.by_design else "bugs"] += 1
            key = outcome.result.replace(" ", "_")
            if key in row:
                row[key] += 1
    counts["all"] = counts.pop("all", {"bugs": 0, "found": 0, "by_design": 0, "silent": 0, "not_run": 0})
    return counts


def _share(part: int, whole: int) -> str:
    """A percentage."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def text(outcomes: list[Outcome]) -> str:
    """The whole report."""
    lines = [f"{'line':38} {'group':30} {'result':8} {'after':>7} finding"]
    lines += [_row(outcome) for outcome in outcomes]
    details = [line for outcome in outcomes for line in _details(outcome)]
    if details:
        lines += ["", "To be checked by a person:", *details]
    lines += ["", f"{'backend':22} {'bugs':>5} {'found':>6} {'share':>6} {'by design':>10} {'silent':>7} {'not run':>8}"]
    for name, row in totals(outcomes).items():
        share = _share(row["found"], row["bugs"])
        line = f"{name:22} {row['bugs']:5} {row['found']:6} {share:>6}"
        lines.append(f"{line} {row['by_design']:10} {row['silent']:7} {row['not_run']:8}")
    return "\n".join(lines) + "\n"


def _finding_json(finding: Finding) -> dict[str, Any]:
    """A finding."""
    return {"id": finding.id, "kind": finding.kind, "title": finding.title, "after": round(finding.after, 1),
            "reduced": finding.reduced, "apis": list(finding.apis), "also": list(finding.also),
            "script": str(finding.script)}  # fmt: skip


def _case_json(case: Case) -> dict[str, Any]:
    """A line of the list."""
    return {"script": case.script, "backend": case.backend, "version": case.has, "fixed": case.fixed or None, "kind": case.kind,
            "calls": list(case.calls), "remark": case.remark, "by_design": case.by_design}  # fmt: skip


def document(outcomes: list[Outcome], groups: dict[str, Any]) -> dict[str, Any]:
    """The result file."""
    lines = []
    for outcome in outcomes:
        first = outcome.first
        candidates = [{**_finding_json(c.finding), "why": c.why} for c in outcome.candidates]
        lines.append({**_case_json(outcome.case), "result": outcome.result, "after": round(first.after, 1) if first else None,
                      "failed": outcome.failed or None, "matches": [_finding_json(f) for f in outcome.matches],
                      "candidates": candidates})  # fmt: skip
    return {"schema": 1, "groups": groups, "lines": lines, "totals": totals(outcomes)}


def write(path: Path, found: dict[str, Any]) -> None:
    """Writes the result file beside its place, then renames it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    new.rename(path)

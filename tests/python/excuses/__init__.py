"""Tests of the oracle's excuses. cases.tsv names the cases of each: models with a difference that it excuses, alone or with
others, and faults of the same shape that must be reported. Without faults, each case has one beside it."""

from __future__ import annotations

from pathlib import Path


def rows() -> list[list[str]]:
    """The rows of cases.tsv: excuse, "case" or "fault", name."""
    lines = Path(__file__).with_name("cases.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


def cases_of(excuse: str) -> set[str]:
    """The cases of an excuse."""
    return {name for owner, kind, name in rows() if (owner, kind) == (excuse, "case")}

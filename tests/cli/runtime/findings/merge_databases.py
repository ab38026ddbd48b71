"""Databases to merge, with different contents in every column, compared as dumps. Usage: make DIR | dump DB | same DB DB |
columns DB DB"""

from __future__ import annotations

import random
import sqlite3
import sys
from pathlib import Path

STATUSES = ("open", "known", "fixed", "flaky", "not-a-bug", "unsupported")
TIMES = [f"2026-11-{day:02}T{hour:02}:00:00Z" for day in range(1, 5) for hour in (3, 17)]


def columns(base: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    """Names and types of the columns of a table."""
    return [(row[1], row[2]) for row in base.execute(f"PRAGMA table_info({table})")]


def value(draw: random.Random, name: str, kind: str) -> int | float | str:
    """A value for a column, out of few, so that databases share some and differ in others."""
    if name == "status":
        return draw.choice(STATUSES)
    if name in ("found", "checked"):
        return draw.choice(TIMES)
    if name == "short_script":
        return draw.choice(["", "print(1)", "print(22)"])
    if kind == "INTEGER":
        return draw.randint(1, 3)
    if kind == "REAL":
        return draw.choice([0.1, 0.1 + 2**-54, 1 / 3, 7.25])
    return f"{name} {draw.randint(1, 3)}"


def insert(base: sqlite3.Connection, table: str, row: dict[str, int | float | str]) -> None:
    """Inserts a row, unless its key exists."""
    marks = ",".join("?" * len(row))
    base.execute(f"INSERT OR IGNORE INTO {table}({','.join(row)}) VALUES({marks})", list(row.values()))


def fill(path: Path, draw: random.Random) -> None:
    """Adds findings, keys, rechecks and runs to a database that rulefuzz made."""
    base = sqlite3.connect(path)
    with base:
        for table in ("findings", "keys", "rechecks", "runs", "settings", "counters", "stages", "troubles"):
            base.execute(f"DELETE FROM {table}")
        for table, count in (("findings", 6), ("runs", 4)):
            for _ in range(count):
                row = {name: value(draw, name, kind) for name, kind in columns(base, table) if name != "id"}
                if table == "findings":
                    row["bucket"] = f"bucket {draw.randint(1, 9)}"
                insert(base, table, row)
        for table, parent in (("keys", "finding"), ("rechecks", "finding"), ("settings", "run"), ("counters", "run")):
            refer(base, draw, table, parent)
        for table in ("stages", "troubles"):
            refer(base, draw, table, "run")
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def refer(base: sqlite3.Connection, draw: random.Random, table: str, parent: str) -> None:
    """Rows that refer to findings or runs."""
    ids = [row[0] for row in base.execute(f"SELECT id FROM {parent}s ORDER BY id")]
    for _ in range(9):
        row = {name: value(draw, name, kind) for name, kind in columns(base, table) if name != "id"}
        row[parent] = draw.choice(ids)
        insert(base, table, row)


def dump(path: str) -> str:
    """A database as SQL, and its header."""
    base = sqlite3.connect(path)
    marks = [base.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version", "integrity_check")]
    return "\n".join([*map(str, marks), *base.iterdump()])


def kept(one: str, other: str) -> bool:
    """Whether both databases have the same findings in all columns."""
    bases = [sqlite3.connect(one), sqlite3.connect(other)]
    names = [name for name, _ in columns(bases[0], "findings") if name != "id"]
    rows = [sorted(base.execute(f"SELECT {','.join(names)} FROM findings")) for base in bases]
    return rows[0] == rows[1] and bool(rows[0])


def main() -> int:
    """Runs a subcommand; 0 if it holds."""
    what, *paths = sys.argv[1:]
    if what == "make":
        for i, path in enumerate(sorted(Path(paths[0]).glob("*.db"))):
            fill(path, random.Random(i))
        return 0
    if what == "dump":
        print(dump(paths[0]))
        return 0
    if what == "columns":
        return 0 if kept(*paths) else 1
    return 0 if dump(paths[0]) == dump(paths[1]) else 1


if __name__ == "__main__":
    sys.exit(main())

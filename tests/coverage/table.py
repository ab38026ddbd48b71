"""Coverage by folder: branches and lines of C (llvm-cov) and of the Python package (coverage.py).

usage: python -m tests.coverage.table BUILD [PYTHON.json]

A branch is one outcome of a condition, true or false, as clang counts them. Writes BUILD/index.html: the same
folders and files, each with its lines (llvm-cov's own pages, below BUILD/html)."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("synth", "codegen", "runtime")
LOWEST = 12  # files listed in the table
INCLUDES_SOURCE = re.compile(r'^#include ".*\.c"$', re.MULTILINE)


@dataclass
class Part:
    """Branches and lines of a file or folder, and how many of them are covered."""

    branches: int = 0
    taken: int = 0
    lines: int = 0
    run: int = 0

    def add(self, other: Part) -> None:
        """Both together."""
        self.branches += other.branches
        self.taken += other.taken
        self.lines += other.lines
        self.run += other.run

    def shown(self, name: str) -> str:
        """A row."""
        return (
            f"{name:36} {self.branches:8} {100 * self.taken / max(self.branches, 1):7.1f} % "
            f"{self.lines:8} {100 * self.run / max(self.lines, 1):7.1f} %"
        )


def _merged(build: Path) -> Path:
    profile = build / "all.profdata"
    tests = sorted(str(p) for p in (build / "profiles").glob("*.profdata"))
    subprocess.run(["llvm-profdata", "merge", "--sparse", "-o", str(profile), *tests], check=True)
    return profile


def compiled_again(build: Path) -> list[Path]:
    """Unit test programs that compile a source themselves, because this processor would select another variant
    (test_column)."""
    units = sorted(u for u in Path("tests/unit").rglob("test_*.c") if INCLUDES_SOURCE.search(u.read_text()))
    return [build / "tests" / u.relative_to("tests/unit").with_suffix("") for u in units]


def of_c(build: Path) -> dict[str, Part]:
    """Each C file, and its page below BUILD/html. If a line is compiled twice, the compilation with more coverage
    counts."""
    objects = [str(build / "rulefuzz")]
    for program in (build / "rulesmith", *compiled_again(build)):
        objects += ["--object", str(program)]
    profile = f"--instr-profile={_merged(build)}"
    root = str(Path.cwd())
    sources = [str(Path(root, f)) for f in FOLDERS]
    subprocess.run(
        ["llvm-cov", "show", "--format=html", f"--output-dir={build}/html", "--show-branches=count", "--show-expansions=false",
         profile, *objects, *sources], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    told = subprocess.run(
        ["llvm-cov", "export", "--summary-only", profile, *objects, *sources], check=True, capture_output=True
    ).stdout
    found = {}
    for file in json.loads(told)["data"][0]["files"]:
        s = file["summary"]
        name = file["filename"].removeprefix(root + "/")
        found[name] = Part(s["branches"]["count"], s["branches"]["covered"], s["lines"]["count"], s["lines"]["covered"])
    return found


def of_python(report: Path) -> dict[str, Part]:
    """Each file of the package, from `coverage json`."""
    found = {}
    for name, file in json.loads(report.read_text())["files"].items():
        s = file["summary"]
        found[name] = Part(s["num_branches"], s["covered_branches"], s["num_statements"], s["covered_lines"])
    return found


def by_folder(files: dict[str, Part]) -> dict[str, Part]:
    """Added up."""
    found: dict[str, Part] = defaultdict(Part)
    for name, part in files.items():
        found[str(Path(name).parent)].add(part)
    return dict(sorted(found.items()))


def total(files: dict[str, Part]) -> Part:
    """The sum of all."""
    whole = Part()
    for part in files.values():
        whole.add(part)
    return whole


def show(what: str, files: dict[str, Part]) -> None:
    """Prints the table of one language."""
    print(f"\n{what:36} {'branches':>8} {'reached':>9} {'lines':>8} {'reached':>9}")
    for name, part in by_folder(files).items():
        print(part.shown(name))
    print(total(files).shown("all"))
    print("lowest:")
    for name, part in sorted(files.items(), key=lambda f: f[1].taken - f[1].branches)[:LOWEST]:
        print(part.shown("  " + name))


def page(build: Path, groups: dict[str, dict[str, Part]]) -> None:
    """Writes BUILD/index.html beside its place and renames it."""
    rows = []
    for what, files in groups.items():
        rows.append(f"<h2>{what}</h2><table><tr><th>file<th>branches<th>reached, %<th>lines<th>reached, %")
        for name, part in [*by_folder(files).items(), *sorted(files.items()), ("all", total(files))]:
            at = build / "html" / "coverage" / f"{Path.cwd()}/{name}.html".lstrip("/")
            text = html.escape(name)
            link = f'<a href="{html.escape(str(at.relative_to(build)))}">{text}</a>' if at.exists() else text
            rows.append(
                f"<tr><td>{link}<td>{part.branches}<td>{100 * part.taken / max(part.branches, 1):.1f}"
                f"<td>{part.lines}<td>{100 * part.run / max(part.lines, 1):.1f}"
            )
        rows.append("</table>")
    style = "<style>body{font:16px sans-serif}td+td,th+th{text-align:right;padding-left:1em}th,td{text-align:left}</style>"
    fresh = build / "index.html.new"
    fresh.write_text(f"<!doctype html><html lang=en><meta charset=utf-8><title>Coverage</title>{style}{''.join(rows)}\n")
    fresh.rename(build / "index.html")


def main() -> int:
    """See the module."""
    build = Path(sys.argv[1])
    groups = {"C": of_c(build)}
    report = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if report and report.exists():
        groups["Python"] = of_python(report)
    for what, files in groups.items():
        show(what, files)
    page(build, groups)
    print(f"\n{build}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())

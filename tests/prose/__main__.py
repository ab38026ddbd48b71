"""Checks the project's English and prints each fault as `path:line: error: what`, sorted.

  word       a private word (words.tsv) in documentation, comments or messages; synth/ and codegen/ are not checked yet
  sentence   a page whose sentences are too long: median over 16 words, or one in ten over 28
  paragraph  a paragraph of more than 120 words
  page       a page of more than 2,500 words, README of more than 600, or more than 30,000 words in all
  figure     a measured figure, a date or a seed outside docs/measurements, docs/findings and docs/upgrades

usage: python3 -m tests.prose [--figures] [FILE…]      all tracked files by default; --figures prints each page's figures
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.prose.prose_of import Passage, of_file, sentences

MEDIAN, NINTH, PARAGRAPH, PAGE, README, ALL = 16, 28, 120, 2500, 600, 30_000
RECORDS = ("docs/measurements/", "docs/findings/", "docs/upgrades/", "CHANGELOG.md")
"""Pages that hold figures and history."""
UNCHECKED = ("synth/", "codegen/", "generated/", "tests/prose/", "tests/cli/house/prose.sh", "tests/data/",
             "tests/golden/", "tests/bad/", "docs/examples/")  # fmt: skip
"""The first two have their text rewritten with the rule language; the others are data, or name words on purpose."""
QUOTE = "prose: quote"
"""A line of source with this comment quotes another program, or an older version of this one."""

MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
FIGURE = re.compile(
    rf"\b\d[\d,.]* ?%|\b\d[\d,.]* (?:models|operators|calls|records) (?:a|per) (?:CPU )?second|\b\d[\d,.]* CPU s\b|"
    rf"\bseeds? \d+|\b\d{{1,2}} (?:{MONTH})\b|\b(?:{MONTH}) \d{{1,2}}\b"
)


@dataclass
class Report:
    """What is wrong, and the figures of pages."""

    faults: set[tuple[str, int, str]] = field(default_factory=set)
    figures: list[str] = field(default_factory=list)
    words: int = 0

    def add(self, path: str, line: int, what: str) -> None:
        self.faults.add((path, line, what))


def banned(path: Path) -> list[tuple[re.Pattern[str], str]]:
    """The rows of words.tsv."""
    rows = []
    for line in path.read_text().split("\n"):
        if line and not line.startswith("#"):
            word, better = line.split("\t")
            rows.append((re.compile(word.replace(" ", r"\s+"), re.IGNORECASE), better))
    return rows


def check_words(
    path: str, passages: Iterable[Passage], rows: Sequence[tuple[re.Pattern[str], str]], lines: Sequence[str], report: Report
) -> None:
    for passage in passages:
        if passage.kind == "message" and len(passage.text.split()) == 1:
            continue  # a key, an option's name, a file's
        for word, better in rows:
            for m in word.finditer(passage.text):
                before = passage.text.count("\n", 0, m.start())
                if QUOTE not in lines[passage.line + before - 1]:
                    report.add(path, passage.line + before, f"word: '{' '.join(m[0].split())}': write {better}")


def check_lengths(path: str, passages: Sequence[Passage], report: Report) -> None:
    """Sentences and paragraphs of a page, and its words; those of tables count as words alone."""
    prose = [p for p in passages if p.kind == "markdown"]
    lengths = sorted(n for p in prose for n in sentences(p))
    words = sum(len(p.text.split()) for p in passages)
    if len(lengths) >= 5:
        median, ninth = statistics.median(lengths), lengths[int(len(lengths) * 0.9)]
        if median > MEDIAN or ninth > NINTH:
            report.add(path, 1, f"sentence: median {median:.0f} words, one in ten over {ninth}: at most {MEDIAN} and {NINTH}")
        report.figures.append(f"{path}: {words} words, sentences median {median:.0f}, 90 % {ninth}")
    for p in prose:
        if len(p.text.split()) > PARAGRAPH:
            report.add(path, p.line, f"paragraph: {len(p.text.split())} words, at most {PARAGRAPH}")
    if path.startswith(RECORDS):
        return
    report.words += words
    most = README if path == "README.md" else PAGE
    if words > most:
        report.add(path, 1, f"page: {words} words, at most {most}")


def check_figures(path: str, passages: Iterable[Passage], report: Report) -> None:
    for p in passages:
        for m in FIGURE.finditer(p.text):
            report.add(path, p.line + p.text.count("\n", 0, m.start()), f"figure: '{m[0]}' belongs in docs/measurements")


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def check(paths: Iterable[str], root: Path) -> Report:
    report, rows = Report(), banned(Path(__file__).with_name("words.tsv"))
    for path in paths:
        if path.startswith(UNCHECKED) or not (root / path).is_file():
            continue
        text = (root / path).read_text(errors="replace")
        passages = of_file(path, text)
        check_words(path, passages, rows, text.split("\n"), report)
        if path.endswith(".md"):
            check_lengths(path, passages, report)
            if not path.startswith(RECORDS):
                check_figures(path, passages, report)
    if report.words > ALL:
        report.add("docs", 1, f"page: {report.words} words in all, at most {ALL}")
    return report


def main() -> int:
    options = argparse.ArgumentParser(prog="tests.prose")
    options.add_argument("--figures", action="store_true")
    options.add_argument("files", nargs="*")
    told = options.parse_args()
    report = check(told.files or tracked(), Path())
    if told.figures:
        print("\n".join(report.figures), f"{report.words} words in all", sep="\n")
    for path, line, what in sorted(report.faults):
        print(f"{path}:{line}: error: {what}")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Generates a program's manual page (section 1) from its help: `PROGRAM --help` lists the commands, and `PROGRAM
COMMAND --help` describes each. Other sections (environment, other pages) come from docs/man/NAME.in.

usage: command_manual.py PROGRAM    (PROGRAM is a path; the page goes to standard output)"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import completion
from manual import escaped

from installation import number

TREE = Path(__file__).resolve().parent.parent
_OPTION = re.compile(r"^ {2,6}(-\w, )?(--?[a-z][a-z-]*(?:\[?[ =][^ ]+)*?)(?: {2,}(\S.*))?$")
_PLACE = re.compile(r"^ {2,4}([A-Z][A-Z|…]*) {2,}(\S.*)$")


def _verbatim(lines: list[str]) -> str:
    return ".PP\n.EX\n" + "".join(f"{escaped(line)}\n" for line in lines) + ".EE\n"


def _item(name: str, lines: list[str]) -> str:
    text = " ".join(line.strip() for line in lines if line)
    return f".TP\n\\fB{escaped(name)}\\fR\n{escaped(text)}\n"


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Paragraphs, which empty lines separate."""
    block: list[str] = []
    for line in [*lines, ""]:
        if line:
            block.append(line)
        elif block:
            yield block
            block = []


def _options(block: list[str]) -> Iterator[str]:
    """Splits a block with options: the text before the first option, then an item per option with its continuation
    lines."""
    name, text = "", [""]
    for line in block:
        found = _OPTION.match(line) or _PLACE.match(line)
        if found:
            yield _item(name, text) if name else _prose(text)
            name, text = "".join(found.groups("")[:-1]), [found.groups("")[-1]]
        else:
            text.append(line)
    yield _item(name, text) if name else _prose(text)


def _prose(lines: list[str]) -> str:
    text = " ".join(line.strip() for line in lines if line)
    return f".PP\n{escaped(text)}\n" if text else ""


def render(lines: list[str]) -> str:
    """A help text as roff, without its usage lines."""
    out: list[str] = []
    for block in _blocks(lines):
        if any(_OPTION.match(line) for line in block) or _PLACE.match(block[0]):
            out += _options(block)
        elif block[0].startswith("Examples:"):
            out.append(".PP\nExamples:\n" + _verbatim(block[1:]))
        elif any(line.startswith("  ") for line in block):
            out += [
                _prose([line for line in block if not line.startswith("  ")]),
                _verbatim([s for s in block if s.startswith("  ")]),
            ]
        else:
            out.append(_prose(block))
    return "".join(out)


def split_usage(lines: list[str]) -> tuple[list[str], list[str]]:
    """The usage lines without "usage:", and the rest of the text."""
    usage = []
    while lines and lines[0].strip():
        usage.append(lines[0].removeprefix("usage:").strip())
        lines = lines[1:]
    return usage, lines


def page(program: Path, version: str) -> str:
    """The whole page."""
    name = program.name
    usage, rest = split_usage(completion.said(program))
    about = list(_blocks(rest))
    summary = about[0][0].rstrip(".")
    out = [
        f'.TH {name.upper()} 1 "" "rulesmith {version}"\n',
        f".SH NAME\n{name} \\- {escaped(summary[0].lower() + summary[1:])}\n",
        ".SH SYNOPSIS\n" + "".join(f".B {escaped(line)}\n.br\n" for line in usage),
        f".SH DESCRIPTION\n{escaped(summary)}.\n",
        ".SH COMMANDS\n",
    ]
    for command in completion.commands(program):
        usage, rest = split_usage(completion.said(program, command))
        out.append(
            f".SS {escaped(f'{name} {command}')}\n"
            + "".join(f"\\fB{escaped(line)}\\fR\n.br\n" for line in usage)
            + render(rest)
        )
    codes = next((block for block in about if block[0].startswith("Exit codes:")), [])
    out.append(f".SH EXIT STATUS\n{escaped(' '.join(codes).removeprefix('Exit codes: '))}\n")
    return "".join(out) + (TREE / f"docs/man/{name}.in").read_text(encoding="utf-8")


def main() -> None:
    """The command."""
    if len(sys.argv) != 2:
        sys.exit("usage: command_manual.py PROGRAM")
    try:
        sys.stdout.write(page(Path(sys.argv[1]), number("RS_VERSION")))
    except completion.NoHelp as error:
        sys.exit(f"completion: error: {error}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Generates command-line completion from a program's help.

`PROGRAM --help` names its commands, and `PROGRAM COMMAND --help` their options. PROGRAM is a path; the completion is for
its last part.

usage: completion.py PROGRAM bash|zsh >FILE
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_COMMAND = re.compile(r"^  ([a-z][a-z-]*) +(\S.*)$")
_OPTION = re.compile(r"^ +(?:-\w(?: \w+)?, )?(--[a-z][a-z-]*)(?: [^ ]+)*?(?:  +(\S.*))?$")
_ALL_OF = re.compile(r"every option of `\w+ ([a-z-]+)`")
_ANY_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

NAMES = {"rulefuzz": ("--backend", "rulefuzz backends --names 2>/dev/null")}
"""An option whose values a command lists, by program."""


class NoHelp(Exception):
    """A program that prints no help."""


def said(program: Path, *words: str) -> list[str]:
    """The lines of a help text. Raises NoHelp if there is none."""
    try:
        answer = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise NoHelp(str(error)) from error
    if answer.returncode != 0:
        raise NoHelp(f"{program} {' '.join(words)} --help ended with {answer.returncode}")
    return answer.stdout.splitlines()


def commands(program: Path) -> dict[str, str]:
    """Each command with its description."""
    return {found[1]: found[2] for line in said(program) if (found := _COMMAND.match(line))}


def options(program: Path, command: str) -> dict[str, str]:
    """Each option of a command with its description; "" if it is only named in a usage line."""
    known: dict[str, str] = {}
    lines = said(program, command)
    for line in lines:
        found = _OPTION.match(line)
        if found and not known.get(found[1]):
            known[found[1]] = found[2] or ""
    for line in lines:
        if line.startswith("usage:") or line.startswith(" "):
            for name in _ANY_OPTION.findall(line):
                known.setdefault(name, "")
        if whole := _ALL_OF.search(line):  # "and every option of `rulefuzz run`"
            known |= options(program, whole[1])
    known.setdefault("--help", "")
    return known


def bash(name: str, every: dict[str, str], of: dict[str, dict[str, str]]) -> str:
    """A script for bash-completion, which can also be sourced."""
    cases = "\n".join(f"\t{command}) options='{' '.join(of[command])}' ;;" for command in every)
    named = ""
    if name in NAMES:
        option, lister = NAMES[name]
        named = f"""
	if [ "${{COMP_WORDS[COMP_CWORD - 1]}}" = {option} ]; then
		mapfile -t COMPREPLY < <(compgen -W "$({lister})" -- "$word")
		return
	fi"""
    return f"""# Completion of {name} for bash: made of its --help by packages/completion.py.
_{name}() {{
	local word=${{COMP_WORDS[COMP_CWORD]}} options=
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W '{" ".join(every)} --help --version' -- "$word")
		return
	fi{named}
	case ${{COMP_WORDS[1]}} in
{cases}
	esac
	case $word in -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;; esac
}}
complete -o default -F _{name} {name}
"""


def _item(name: str, text: str) -> str:
    text = text.replace("'", "’")
    return f"'{name}:{text}'" if text else f"'{name}'"


def zsh(name: str, every: dict[str, str], of: dict[str, dict[str, str]]) -> str:
    """A file for a folder of zsh's fpath."""
    listed = " ".join(_item(command, text) for command, text in every.items())
    cases = "\n".join(
        f"{command}) options=({' '.join(_item(option, text) for option, text in of[command].items())}) ;;" for command in every
    )
    named = ""
    if name in NAMES:
        option, lister = NAMES[name]
        named = f"""
if [[ $words[CURRENT-1] == {option} ]]; then
	names=(${{(f)"$({lister})"}})
	_describe name names
	return
fi"""
    return f"""#compdef {name}
# Completion of {name} for zsh: made of its --help by packages/completion.py.
local -a commands options names
commands=({listed})
if (( CURRENT == 2 )); then
	_describe command commands
	return
fi{named}
case $words[2] in
{cases}
esac
if [[ $words[CURRENT] == -* ]]; then _describe -o option options; else _files; fi
"""


def main() -> None:
    """The program."""
    if len(sys.argv) != 3 or sys.argv[2] not in ("bash", "zsh"):
        sys.exit("usage: completion.py PROGRAM bash|zsh")
    program = Path(sys.argv[1])
    try:
        every = commands(program)
        of = {command: options(program, command) for command in every}
    except NoHelp as error:
        sys.exit(f"completion: error: {error}")
    sys.stdout.write((bash if sys.argv[2] == "bash" else zsh)(program.name, every, of))


if __name__ == "__main__":
    main()

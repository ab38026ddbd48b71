"""Runs each command of a program with bad or missing values for each option that its --help names.

usage: options.py PROGRAM FOLDER    (FOLDER: the working directory)

A word that no command accepts follows, so that none does its work: it must end with exit code 1, 2 or 5, a reason,
and nothing written. Exit code 1 if one ends otherwise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"^\s+(?:-\w, +)?(--[a-z][a-z-]*)(?: ([A-Z][\w|.…]*))?", re.MULTILINE)
COMMAND = re.compile(r"^  ([a-z][a-z-]*) {2,}\S", re.MULTILINE)
REASON = re.compile(r"error: |option '")  # ours, getopt's
VALUES = ("x/y", "1..x/y", "-1", "99999999999999999999", "")
WORDS = ("no/such/thing.so", "neither/this")


def help_of(program: str, *command: str) -> str:
    """The output of --help."""
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True, timeout=20).stdout


def fault(words: list[str], folder: str) -> str:
    """Describes a wrong end of a command line that must fail; "" if it is right."""
    try:
        child = subprocess.run(words, capture_output=True, cwd=folder, stdin=subprocess.DEVNULL, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return f"{words[1:]}: it runs"
    told = child.stderr.decode(errors="replace")
    left = sorted(p.name for p in Path(folder).rglob("*"))
    for name in left:
        Path(folder, name).unlink()
    if left and words[1] != "ci":  # ci opens the database before it parses the options of `run`
        return f"{words[1:]}: leaves {left}"
    if child.returncode not in (1, 2, 5) or not REASON.search(told):
        return f"{words[1:]}: exit {child.returncode}: {told[:200]!r}, {child.stdout[:80]!r}"
    if re.search(r"^\w+ -\S*: error: ", told, re.MULTILINE):
        return f"{words[1:]}: says that it is an option's error, not a command's: {told[:200]!r}"
    if "unknown option" in told and told.count(words[2].partition("=")[0]) != 1:
        return f"{words[1:]}: does not name the option, or names it twice: {told[:200]!r}"
    return ""


def main() -> int:
    """See the module."""
    program, folder = sys.argv[1:]
    at = Path(folder, "options")
    at.mkdir(exist_ok=True)
    commands = COMMAND.findall(help_of(program))
    tried, faults = 0, []
    for command in commands:
        ways: list[list[str]] = [["--no-such-option"], list(WORDS)]
        for option, value in sorted(set(OPTION.findall(help_of(program, command)))):
            if option != "--help":
                ways += [[option, v, *WORDS] for v in VALUES] if value else [[option, *WORDS]]
                ways += [[option]] if value else [[f"{option}=x"]]
        tried += len(ways)
        faults += [f for way in ways if (f := fault([program, command, *way], str(at)))]
    print(f"{len(commands)} commands, {tried} ways")
    print("\n".join(faults))
    return 1 if faults or len(commands) < 5 or tried < 50 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares code without its comments between two commits, or a commit and the working tree.

usage: python3 -m tests.prose.same_code OLD [NEW]      exit code 1 and a line for each file whose code differs

For commits that change comments and docstrings only. C is compared token by token, Python by its syntax tree, shell scripts
as bash prints them. Files of other kinds must be the same, byte for byte, unless they are Markdown."""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

from tests.prose.prose_of import C_TOKEN

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|\S')


def c_code(text: str) -> object:
    """Its tokens. A preprocessor line is one list, since its end counts."""
    bare = C_TOKEN.sub(lambda m: " " if m[0].startswith("/") else m[0], text)
    code: list[object] = []
    for line in bare.replace("\\\n", " ").split("\n"):
        tokens = _TOKEN.findall(line)
        if tokens[:1] == ["#"]:
            code.append(tokens)
        else:
            code += tokens
    return code


def python_code(text: str) -> object:
    """The syntax tree without bare strings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                kept = [s for s in block if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
                                                 and isinstance(s.value.value, str))]  # fmt: skip
                setattr(node, name, kept)
    return ast.dump(tree)


def shell_code(text: str) -> object:
    """As bash prints it; its functions and here-documents keep what matters."""
    shown = subprocess.run(["bash", "--pretty-print"], input=text, capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 else text


def code_of(path: str, text: str) -> object:
    """What of a file must stay the same. A fuzzer's or golden file's bytes are all code."""
    suffix = PurePosixPath(path).suffix
    if suffix in (".c", ".h", ".def"):
        return c_code(text)
    if suffix == ".py":
        return python_code(text)
    if suffix == ".sh" or text.startswith(("#!/bin/sh", "#!/bin/bash")):
        return shell_code(text)
    return text


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def at(commit: str | None, path: str) -> str:
    if commit:
        return git("show", f"{commit}:{path}")
    return Path(path).read_text()


def differing(old: str, new: str | None) -> list[str]:
    """The changed files whose code differs."""
    names = git("diff", "--no-renames", "--name-status", old, *([new] if new else [])).split("\n")[:-1]
    found = []
    for status, path in (line.split("\t", 1) for line in names):
        if path.endswith(".md"):
            continue
        if status != "M" or code_of(path, at(old, path)) != code_of(path, at(new, path)):
            found.append(path)
    return found


def main() -> int:
    options = argparse.ArgumentParser(prog="tests.prose.same_code")
    options.add_argument("old")
    options.add_argument("new", nargs="?")
    told = options.parse_args()
    paths = differing(told.old, told.new)
    for path in paths:
        print(f"{path}: error: the code differs, not only the comments")
    return 1 if paths else 0


if __name__ == "__main__":
    sys.exit(main())

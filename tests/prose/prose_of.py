"""The prose of a file: Markdown text, comments, docstrings and string literals, each with the line it begins at."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import PurePosixPath

C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
"""A comment, string or character of C."""
_DECORATION = re.compile(r"^[ \t]*\*?(?!/)[ \t]?", re.MULTILINE)
_SHELL_COMMENT = re.compile(r"(?:^|[ \t])#(?!!)(.*)$")
_SHELL_WORDS = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'([^\'\n]*)\'')
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"``[^`]*``|`[^`]*`")
_TAG = re.compile(r"<[^<>\n]*>")


@dataclass(frozen=True)
class Passage:
    """A run of prose. `text` keeps the line breaks of the file; `kind` is markdown, cell, comment or message."""

    line: int
    text: str
    kind: str


def of_markdown(text: str) -> list[Passage]:
    """Paragraphs and list items (markdown) and table rows and headings (cell) without code, link targets and HTML tags."""
    found: list[Passage] = []
    block: list[str] = []
    start, fence = 0, ""

    def flush() -> None:
        nonlocal block
        if any(part.strip() for part in block):
            found.append(Passage(start, "\n".join(block), "markdown"))
        block = []

    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if fence or bare.startswith(("```", "~~~")):
            flush()
            if not fence:
                fence = bare[:3]
            elif bare.startswith(fence):
                fence = ""
            continue
        if line.startswith(("    ", "\t")) and not block:
            continue  # an indented code block
        clean = _TAG.sub(" ", _CODE.sub("x", _LINK.sub(r"\1", line)))
        if bare.startswith(("|", "#", "---", "!!!", "???")) or not bare:
            flush()
            if bare and not re.fullmatch(r"[|\s:-]*", bare):
                found.append(Passage(number, clean.strip("#| "), "cell"))
            continue
        if re.match(r"(?:[-*+]|\d+\.)\s", bare):
            flush()
        if not block:
            start = number
        block.append(re.sub(r"^\s*(?:[-*+]|\d+\.)\s+", "", clean))
    flush()
    return found


def of_c(text: str) -> list[Passage]:
    """Comments, and string literals; adjacent literals are one."""
    found: list[Passage] = []
    end = -1  # of the literal before
    for m in C_TOKEN.finditer(text):
        line = text.count("\n", 0, m.start()) + 1
        if m[0].startswith("//"):
            found.append(Passage(line, m[0][2:], "comment"))
        elif m[0].startswith("/*"):
            found.append(Passage(line, _DECORATION.sub("", m[0][2:-2]), "comment"))
        elif m[0].startswith('"'):
            words = m[0][1:-1].replace("\\n", " ").replace('\\"', '"')
            between = text[end : m.start()] if end >= 0 else "-"
            if between.isspace() or not between:
                last = found.pop()
                found.append(Passage(last.line, last.text + "\n" * between.count("\n") + words, "message"))
            else:
                found.append(Passage(line, words, "message"))
            end = m.end()
            continue
        end = -1
    return found


def _docstrings(tree: ast.Module) -> set[int]:
    """The lines at which bare strings stand: docstrings, and the notes below constants."""
    return {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}


def of_python(text: str) -> list[Passage]:
    """Comments, docstrings and other string literals. A file that does not parse has no prose; its compiler says why."""
    try:
        bare = _docstrings(ast.parse(text))
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return []
    found = []
    for token in tokens:
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            found.append(Passage(token.start[0], token.string.lstrip("# "), "comment"))
        elif token.type == tokenize.STRING:
            kind = "comment" if token.start[0] in bare else "message"
            found.append(Passage(token.start[0], token.string.strip("rbfuRBFU").strip("\"'"), kind))
        elif token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
            found.append(Passage(token.start[0], token.string, "message"))
    return found


def of_shell(text: str) -> list[Passage]:
    """Comments and quoted words."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        comment = _SHELL_COMMENT.search(line)
        if comment:
            found.append(Passage(number, comment[1].strip(), "comment"))
        code = line[: comment.start()] if comment else line
        found += [Passage(number, m[1] or m[2] or "", "message") for m in _SHELL_WORDS.finditer(code)]
    return found


def of_file(path: str, text: str) -> list[Passage]:
    """The prose of a file by its name; none of a kind that is not known."""
    suffix = PurePosixPath(path).suffix
    if suffix == ".md":
        return of_markdown(text)
    if suffix in (".c", ".h", ".def"):
        return of_c(text)
    if suffix == ".py":
        return of_python(text)
    if suffix in (".sh", ".mk") or PurePosixPath(path).name in ("run", "Makefile"):
        return of_shell(text)
    return []


_END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'(`x0-9])|\n\s*\n|:\s*$")


def sentences(passage: Passage) -> list[int]:
    """The words of each sentence; those of one or two words are labels."""
    return [n for n in (len(part.split()) for part in _END.split(passage.text)) if n > 2]

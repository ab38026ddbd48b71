"""Mutation operators for C: each mutant is the text of one line before and after.

Only lines within functions are changed, and nothing within comments, strings and preprocessor directives. Files are
expected in .clang-format's style (spaces around operators, one statement per line)."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from tests.prose.prose_of import C_TOKEN

_RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_ARITHMETIC = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "+=": "-=", "-=": "+=",
}  # fmt: skip
_LOGICAL = {"&&": "||", "||": "&&"}
_BINARY = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|[-+*/%<>&|])(?= )")
_NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
_CONDITION = re.compile(r"^(\t+(?:\} else )?(?:if|while) )\((.*)\)( \{|;)?$")
_STATEMENT = re.compile(r"^\t+(?:[a-z_][\w.>\[\]+*-]*(?: [-+*/|&]?= .*|\(.*\)|\+\+|--)|\*[a-z]\w* = .*);$")
_LEAVE = re.compile(r"^(\t+)(break|continue|return);$")
_CALL = re.compile(r"\b[a-z]\w*\(([a-z][\w.>-]*), ([a-z][\w.>-]*)(?=[,)])")
_TRUTH = re.compile(r"\b(true|false)\b")


@dataclass(frozen=True)
class Mutant:
    """In `path`, line `line` (from 1) changes from `before` to `after`."""

    path: str
    line: int
    kind: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """Its key, which does not depend on the line number."""
        return f"{self.path}\t{self.before.strip()}\t{self.after.strip()}"

    @property
    def shown(self) -> str:
        """A line for people."""
        return f"{self.path}:{self.line}: {self.before.strip()} -> {self.after.strip()}"


def _mask(text: str) -> str:
    """The text with comments and strings blanked out, of the same length."""
    return C_TOKEN.sub(lambda m: "".join(c if c == "\n" else "~" for c in m[0]), text)


def _balanced(text: str) -> bool:
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def _of_line(line: str, masked: str) -> list[tuple[str, str]]:
    """(kind, changed line) of each possible mutant of a line."""
    found: list[tuple[str, str]] = []

    def put(kind: str, start: int, end: int, text: str) -> None:
        found.append((kind, line[:start] + text + line[end:]))

    for m in _BINARY.finditer(masked):
        for kind, table in (("relation", _RELATIONS), ("arithmetic", _ARITHMETIC), ("logic", _LOGICAL)):
            if m[1] in table:
                put(kind, m.start(1), m.end(1), table[m[1]])
    for m in _NUMBER.finditer(masked):
        put("constant", m.start(1), m.end(1), str(int(m[1]) + 1))
        if int(m[1]) > 0:
            put("constant", m.start(1), m.end(1), str(int(m[1]) - 1))
    for m in _TRUTH.finditer(masked):
        put("constant", m.start(1), m.end(1), "false" if m[1] == "true" else "true")
    condition = _CONDITION.match(masked)
    if condition and _balanced(condition[2]):
        inner = line[condition.start(2) : condition.end(2)]
        found.append(("condition", f"{condition[1]}(!({inner})){condition[3] or ''}"))
    if _STATEMENT.match(masked) and _balanced(masked):
        found.append(("statement", re.match(r"\t*", line)[0] + ";"))  # type: ignore[index]
    leave = _LEAVE.match(masked)
    if leave:
        found.append(("leave", leave[1] + ";"))
    for m in _CALL.finditer(masked):
        if m[1] != m[2]:
            put("arguments", m.start(1), m.end(2), f"{m[2]}, {m[1]}")
    return found


def mutants_of(path: str) -> list[Mutant]:
    """All mutants of a file, by line."""
    text = Path(path).read_text()
    masked = _mask(text).split("\n")
    found = []
    for i, line in enumerate(text.split("\n")):
        if line.startswith("\t") and not line.lstrip().startswith(("#", "static ", "assert(", "case ")):
            found += [Mutant(path, i + 1, kind, line, after) for kind, after in _of_line(line, masked[i])]
    return found


def shuffled(found: list[Mutant], seed: str) -> list[Mutant]:
    """An order drawn from the seed in which the kinds alternate, so that every prefix has some of each."""
    by_kind = defaultdict(list)
    for m in sorted(found, key=lambda m: (m.path, m.line, m.after)):
        by_kind[m.kind].append(m)
    order = random.Random(seed)
    for each in by_kind.values():
        order.shuffle(each)
    kinds = sorted(by_kind)
    order.shuffle(kinds)
    return [by_kind[k][i] for i in range(max(map(len, by_kind.values()), default=0)) for k in kinds if i < len(by_kind[k])]


def sample(count: int, seed: int) -> list[Mutant]:
    """`count` mutants over all folders: three per folder, the rest by lines. A smaller count gives a prefix of a larger
    one."""
    folders: dict[str, list[str]] = defaultdict(list)
    for root in ("synth", "codegen", "runtime"):
        for path in sorted(Path(root).rglob("*.c")):
            folders[str(path.parent)].append(str(path))
    lines = {f: sum(len(Path(p).read_text().splitlines()) for p in ps) for f, ps in folders.items()}
    queues = {f: shuffled([m for p in ps for m in mutants_of(p)], f"{seed} {f}") for f, ps in folders.items()}
    taken: dict[str, int] = dict.fromkeys(folders, 0)
    chosen: list[Mutant] = []
    while len(chosen) < count:
        left = [f for f in folders if taken[f] < len(queues[f])]
        if not left:
            break
        f = min(left, key=lambda f: (min(taken[f], 3), taken[f] / lines[f], f))
        chosen.append(queues[f][taken[f]])
        taken[f] += 1
    return chosen

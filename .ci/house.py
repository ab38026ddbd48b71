#!/usr/bin/env python3
"""Checks the structure of the C sources, and prints each fault as `path:line: error: what`, sorted.

  circle       files that include each other, directly or not; a .c counts with the .h of its name.
  folders      folders that do.
  export       a symbol of the archive that does not begin with rs_.
  framework    a framework's name (runtime/rules/frameworks.def: names and modules) in an identifier or a string outside
               *.def, tests and generated code. A file named after one (write_onnx.c) may use it, as may callers of a
               function in that file or of a public header.
  length       a function of more than 60 lines, from its first to its closing brace's.
  declaration  foo.h declares a function that foo.c beside it does not define. Exempt: public headers, tests, and
               macros that declare (COMMANDS(X) declares cmd_NAME, each defined by cmd_NAME.c on purpose).
  twin         two headers of one name.
  crowd        a folder of more than a dozen concepts (files without their endings). All cmd_NAME, the rows of a
               program's list of commands, count as one; so do all targets, the rows of `rulefuzz backends`.
  make         Makefile has more than 250 lines. A recipe in it or in mk/*.mk has more than 8. `make help` has a target
               without its duration, "(2 min)", or with another one than CONTRIBUTING.md.

The sources must be formatted as .clang-format has it: a top-level block ends with a brace in the first column."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

KINDS = ("circle", "folders", "export", "framework", "length", "declaration", "twin", "crowd", "make")
FOLDERS = ("synth", "codegen", "runtime", "traces", "tests")
PROGRAM = FOLDERS[:3]
PUBLIC = "runtime/include"
TABLE = "runtime/rules/frameworks.def"
TARGETS = "runtime/python/rulefuzz/targets"
LONGEST, CROWD = 60, 12
MAKEFILE_LINES, RECIPE_LINES = 250, 8

_COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.|\\\n)*", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
_MACRO_CALL = re.compile(r"^[A-Z][A-Z0-9_]*\([^;{}\n]*\)[ \t]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
_CALLABLE = re.compile(r"\b(\w+)\s*\((?!\s*\*)")
_ROW = re.compile(r'^FRAMEWORK\(\s*(\w+)\s*,\s*"([^"]*)"', re.MULTILINE)
_TARGET = re.compile(r"^([a-z-]+):.*## .*?(?: \(([^()]*)\))?$")
_DURATIONS = re.compile(r"^\| ([^|`]+) \| (`make .*) \|$", re.MULTILINE)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, order=True)
class Fault:
    """One line of the answer."""

    path: str
    line: int
    what: str
    kind: str


@dataclass
class Function:
    """A definition or a declaration, from its first line on."""

    name: str
    line: int
    lines: int
    static: bool


@dataclass
class Source:
    """One .c or .h file."""

    path: PurePosixPath
    includes: list[tuple[str, int]] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)
    """Identifiers, also within strings and directives (except includes), with their lines."""
    defined: list[Function] = field(default_factory=list)
    declared: list[Function] = field(default_factory=list)

    @property
    def concept(self) -> str:
        """Its path without the ending, which a .c and its .h share."""
        return str(self.path.with_suffix(""))


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _words(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.split("\n"), 1):
        for word in re.findall(r"[A-Za-z_]\w*", line):
            yield word, number


def _top_level(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """The items of a file without comments, strings and directives: (text before a body, its start, its end, whether
    the body is a function's)."""
    head, begin, depth, body = "", 0, 0, False
    for at, c in enumerate(text):
        if c == "{":
            if depth == 0 and re.fullmatch(r'\s*extern\s*""\s*', head):
                head = ""
                continue
            if depth == 0:
                body = body or (head.rstrip().endswith(")") and "=" not in head)
            depth += 1
        elif c == "}":
            depth = 0 if at == 0 or text[at - 1] == "\n" else max(depth - 1, 0)
            if depth == 0 and body:
                yield head, begin, at, True
                head, body = "", False
        elif depth == 0 and c == ";" and head.count("(") == head.count(")"):
            yield head, begin, at, False
            head = ""
        elif depth == 0:
            if not head.strip():
                begin = at
                head = "" if c.isspace() else c
            else:
                head += c


def read(path: PurePosixPath, text: str) -> Source:
    """A file's includes, words and functions."""
    source = Source(path)
    plain = _COMMENT_OR_TEXT.sub(lambda m: _blank(m[0]) if m[0].startswith("/") else m[0], text)
    for m in _INCLUDE.finditer(plain):
        source.includes.append((m[1], _line(plain, m.start())))
    source.words = list(_words(_INCLUDE.sub("", plain)))
    bare = _COMMENT_OR_TEXT.sub(lambda m: m[0][0] + m[0][0] + _blank(m[0])[2:], plain)
    for noise in (_DIRECTIVE, _MACRO_CALL):
        bare = noise.sub(lambda m: _blank(m[0]), bare)
    for raw, begin, end, body in _top_level(bare):
        head = _ATTRIBUTE.sub("", raw)
        name = _CALLABLE.search(head)
        if name is None or re.match(r"\s*(typedef|_Static_assert)\b", head) or (not body and "=" in head):
            continue
        first = _line(bare, begin)
        static = re.search(r"\bstatic\b", head[: name.start()]) is not None
        function = Function(name[1], first, _line(bare, end) - first + 1, static)
        (source.defined if body else source.declared).append(function)
    return source


def read_tree(root: Path) -> list[Source]:
    """All C sources except generated ones, sorted by path."""
    found = [p for folder in FOLDERS for p in (root / folder).rglob("*.[ch]") if p.is_file()]
    return [read(PurePosixPath(p.relative_to(root).as_posix()), p.read_text(encoding="utf-8")) for p in sorted(found)]


# ---- circles

Edges = dict[str, dict[str, tuple[str, int]]]
"""For each node the nodes it includes, with the first place of each."""


def _resolve(name: str, includer: PurePosixPath, headers: dict[str, list[PurePosixPath]]) -> PurePosixPath | None:
    near = headers.get(PurePosixPath(name).name, [])
    beside = [p for p in near if p.parent == includer.parent]
    same_top = [p for p in near if p.parts[0] == includer.parts[0]]
    return next(iter(beside or same_top or near), None)


def edges_of(sources: Iterable[Source]) -> Edges:
    """Includes between concepts."""
    sources = list(sources)
    headers: dict[str, list[PurePosixPath]] = defaultdict(list)
    for s in sources:
        if s.path.suffix == ".h":
            headers[s.path.name].append(s.path)
    edges: Edges = defaultdict(dict)
    for s in sources:
        for name, line in s.includes:
            to = _resolve(name, s.path, headers)
            if to is not None and str(to.with_suffix("")) != s.concept:
                edges[s.concept].setdefault(str(to.with_suffix("")), (str(s.path), line))
    return edges


def by_folder(edges: Edges) -> Edges:
    """Includes between folders."""
    folders: Edges = defaultdict(dict)
    for a, targets in edges.items():
        for b, place in targets.items():
            from_folder, to_folder = str(PurePosixPath(a).parent), str(PurePosixPath(b).parent)
            if from_folder != to_folder:
                folders[from_folder].setdefault(to_folder, place)
    return folders


def _shortest_circle(edges: Edges, start: str) -> list[str] | None:
    came: dict[str, str] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for to in sorted(edges.get(at, {})):
            if to == start:
                path = [at]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return path[::-1]
            if to not in came:
                came[to] = at
                queue.append(to)
    return None


def circles(edges: Edges, kind: str, what: str) -> Iterator[Fault]:
    """The shortest circle through each node of one, each circle once."""
    seen = set()
    for start in sorted(edges):
        circle = _shortest_circle(edges, start)
        if circle is None or frozenset(circle) in seen:
            continue
        seen.add(frozenset(circle))
        path, line = edges[circle[0]][circle[1 % len(circle)]]
        yield Fault(path, line, f"{what}: {' -> '.join([*circle, circle[0]])}", kind)


# ---- the other checks


def exports(archive: Path, root: Path, sources: Iterable[Source]) -> Iterator[Fault]:
    """Symbols of the archive that could collide with a C user's."""
    command = ["nm", "-A", "-g", "--defined-only", "-f", "posix", str(archive)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    shown = str(archive.relative_to(root)) if archive.is_relative_to(root) else str(archive)
    if ran.returncode != 0:
        yield Fault(shown, 1, f"nm cannot read it: {ran.stderr.strip()}", "export")
        return
    places = {f.name: (str(s.path), f.line) for s in sources if s.path.parts[0] in PROGRAM for f in s.defined}
    for line in ran.stdout.splitlines():
        where, _, rest = line.partition(": ")
        name = rest.split(" ", 1)[0]
        if not name.startswith("rs_"):
            path, number = places.get(name, (shown, 1))
            member = where[where.rfind("[") + 1 : -1]
            yield Fault(path, number, f"{name} is exported by {member}, and does not begin with rs_", "export")


def framework_names(root: Path) -> set[str]:
    """Names and modules of the table, in lower case."""
    try:
        rows = _ROW.findall((root / TABLE).read_text(encoding="ascii"))
    except FileNotFoundError:
        return set()
    return {name.lower() for row in rows for name in row}


def _parts(word: str) -> set[str]:
    return {part.lower() for part in _PART.findall(word)}


def frameworks(root: Path, sources: Iterable[Source]) -> Iterator[Fault]:
    """Code that names a framework."""
    names = framework_names(root)
    if not names:
        yield Fault(TABLE, 1, 'no FRAMEWORK(name, "module", …) here: whose names are to be looked for?', "framework")
        return
    own = [s for s in sources if s.path.parts[0] in PROGRAM]
    writers = [s for s in own if _parts(s.path.stem) & names]
    public = [s for s in own if str(s.path.parent) == PUBLIC]
    callable_ = {f.name for s in writers for f in s.defined} | {f.name for s in public for f in s.declared}
    for s in own:
        if s in writers:
            continue
        for word, line in s.words:
            known = _parts(word) & names
            if known and word not in callable_:
                what = f"'{word}' names a framework ({', '.join(sorted(known))}): only {TABLE} knows them"
                yield Fault(str(s.path), line, what, "framework")


def lengths(sources: Iterable[Source]) -> Iterator[Fault]:
    """Functions that are too long."""
    for s in sources:
        for f in s.defined:
            if f.lines > LONGEST:
                yield Fault(str(s.path), f.line, f"{f.name} has {f.lines} lines, more than {LONGEST}", "length")


def declarations(sources: Iterable[Source]) -> Iterator[Fault]:
    """Headers that declare functions of other files."""
    sources = list(sources)
    defined: dict[str, set[str]] = defaultdict(set)
    for s in sources:
        if s.path.suffix == ".c":
            for f in s.defined:
                if not f.static:
                    defined[f.name].add(s.concept)
    for s in sources:
        if s.path.suffix != ".h" or str(s.path.parent) == PUBLIC or s.path.parts[0] not in PROGRAM:
            continue
        for f in s.declared:
            if not f.static and not f.name.isupper() and s.concept not in defined[f.name]:
                there = ", ".join(f"{c}.c" for c in sorted(defined[f.name])) or "no file"
                what = f"{f.name} is declared here and defined in {there}, not in {s.concept}.c"
                yield Fault(str(s.path), f.line, what, "declaration")


def twins(sources: Iterable[Source]) -> Iterator[Fault]:
    """Headers of the same name: which one is included would depend on the folder."""
    first: dict[str, str] = {}
    for s in sources:
        if s.path.suffix == ".h" and first.setdefault(s.path.name, str(s.path)) != str(s.path):
            yield Fault(str(s.path), 1, f"has the name of {first[s.path.name]}", "twin")


def crowds(root: Path) -> Iterator[Fault]:
    """Folders with too many concepts."""
    concepts: dict[str, set[str]] = defaultdict(set)
    for folder in FOLDERS:
        for p in (root / folder).rglob("*"):
            if p.suffix in {".c", ".h", ".py", ".sh"} and not p.stem.startswith("__"):
                where = p.parent.relative_to(root).as_posix()
                concepts[where].add("*" if where == TARGETS else "cmd_*" if p.stem.startswith("cmd_") else p.stem)
    for folder, stems in sorted(concepts.items()):
        if len(stems) > CROWD:
            yield Fault(folder, 1, f"{len(stems)} concepts, more than {CROWD}: {', '.join(sorted(stems))}", "crowd")


def stated_durations(root: Path) -> dict[str, str]:
    """The duration of each target in CONTRIBUTING.md: rows `| 2 min | `make all`, `make deb` |`."""
    guide = root / "CONTRIBUTING.md"
    rows = _DURATIONS.findall(guide.read_text(encoding="utf-8")) if guide.is_file() else []
    return {target: duration for duration, targets in rows for target in re.findall(r"`make ([a-z-]+)`", targets)}


def recipes(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The recipes of a makefile: (line of the first command, number of lines)."""
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        continued = number > 1 and lines[number - 2].endswith("\\")
        if line.startswith("\t") or (first and continued):
            first = first or number
        elif first:
            yield first, number - first
            first = 0


def makefiles(root: Path) -> Iterator[Fault]:
    """Makefiles that are too long, and targets without a duration."""
    stated = stated_durations(root)
    for path in [root / "Makefile", *sorted((root / "mk").glob("*.mk"))]:
        if not path.is_file():
            continue
        shown, lines = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8").splitlines()
        if path.name == "Makefile" and len(lines) > MAKEFILE_LINES:
            yield Fault(shown, 1, f"has {len(lines)} lines, more than {MAKEFILE_LINES}: move targets to mk/", "make")
        for first, count in recipes(lines):
            if count > RECIPE_LINES:
                yield Fault(shown, first, f"a recipe of {count} lines, more than {RECIPE_LINES}: make it a script", "make")
        for number, line in enumerate(lines, 1):
            target = _TARGET.match(line)
            if target and not target[2]:
                yield Fault(shown, number, f"make {target[1]}: its help states no duration, such as (2 min)", "make")
            elif target and stated.get(target[1]) != target[2]:
                what = f"make {target[1]} takes {target[2]} here and {stated.get(target[1], 'no time')} in CONTRIBUTING.md"
                yield Fault(shown, number, what, "make")


def check(root: Path, archive: Path | None, kinds: set[str]) -> list[Fault]:
    """All faults of the given kinds, sorted."""
    sources = read_tree(root)
    edges = edges_of(sources)
    found = [
        *circles(edges, "circle", "include circle"),
        *circles(by_folder(edges), "folders", "circle of folders"),
        *(exports(archive, root, sources) if archive and "export" in kinds else ()),
        *frameworks(root, sources),
        *lengths(sources),
        *declarations(sources),
        *twins(sources),
        *crowds(root),
        *makefiles(root),
    ]
    return sorted(fault for fault in found if fault.kind in kinds)


def main() -> int:
    """Exit code 1 if there is a fault, 2 for wrong usage."""
    here = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=here, help="the tree (default: this one)")
    parser.add_argument("--archive", type=Path, help="the archive whose symbols are looked at (build/librulesmith.a)")
    parser.add_argument("--only", metavar="KIND,…", default=",".join(KINDS), help="these kinds of faults only")
    parser.add_argument("--but", metavar="KIND,…", default="", help="not these kinds")
    parser.add_argument("--summary", action="store_true", help="also print a count for each kind")
    options = parser.parse_args()
    root = options.root.resolve()
    kinds = set(options.only.split(",")) - set(options.but.split(","))
    if unknown := (set(options.only.split(",")) | set(filter(None, options.but.split(",")))) - set(KINDS):
        parser.error(f"no such kind: {', '.join(sorted(unknown))} (there are {', '.join(KINDS)})")
    if not any((root / folder).is_dir() for folder in FOLDERS):
        parser.error(f"{root}: none of the folders {', '.join(FOLDERS)} is here")
    archive = (options.archive or root / "build" / "librulesmith.a").resolve()
    faults = check(root, archive, kinds)
    for f in faults:
        print(f"{f.path}:{f.line}: error: {f.what}")
    if options.summary:
        counts = Counter(f.kind for f in faults)
        for kind in KINDS:
            if kind in kinds:
                print(f"{counts[kind]:6} {kind}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

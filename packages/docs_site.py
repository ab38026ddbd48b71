"""MkDocs hooks: the parts of the documentation site that are not Markdown files in docs/.

A folder in `nav` stands for its pages. Links to files outside docs/ lead to copies in the site.
reference/commands.md gets the `--help` of each command of the programs in $RULESMITH_BUILD (default: build).

usage: docs_site.py BUILD    prints reference/commands.md for the programs in BUILD
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

import completion

TREE = Path(__file__).resolve().parent.parent
COMMANDS = "reference/commands.md"
COPIES = "source"
PROGRAMS = ("rulefuzz", "rulesmith")

_FENCE = re.compile(r"^ *(```|~~~)")
_ITEM = re.compile(r"^ {0,3}([-*+]|\d+\.) ")
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")

_log = logging.getLogger("mkdocs.hooks.docs_site")


def commands_page(build: Path) -> str:
    """reference/commands.md: a table of the commands of each program."""
    lines = [
        "# Commands",
        "",
        "Generated from `--help`; `make docs` updates this page.",
        "`rulefuzz COMMAND --help` prints all options of a command. The site has these texts below the tables.",
        "",
    ]
    for name in PROGRAMS:
        lines += [f"## {name}", "", "| command | purpose |", "| --- | --- |"]
        lines += [f"| `{name} {command}` | {purpose} |" for command, purpose in completion.commands(build / name).items()]
        lines += [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _with_help(page: str, build: Path) -> str:
    """The page with a section for each command, and links to them in its tables."""
    sections: list[str] = []
    for name in PROGRAMS:
        for command in completion.commands(build / name):
            page = page.replace(f"| `{name} {command}` |", f"| [`{name} {command}`](#{name}-{command}) |")
            sections += [f"### {name} {command}", "", "```output", *completion.said(build / name, command), "```", ""]
    return page + "\n## All options\n\n" + "\n".join(sections)


def _outside(markdown: str, page: str) -> dict[str, str]:
    """Link targets of a page that are outside docs/: as written, and as a path in the tree."""
    found: dict[str, str] = {}
    for _, target, _, _ in _LINK.findall(markdown):
        if "://" in target or target.startswith(("mailto:", "/")):
            continue
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if not path.startswith(("docs/", "..")):
            found[target] = path
    return found


def _separate_lists(markdown: str) -> str:
    """Inserts the empty line that Python-Markdown needs between a paragraph and a list, and GitHub does not."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        before = lines[-1] if lines else ""
        in_paragraph = before.strip() and not before.startswith((" ", "\t", "#")) and not _ITEM.match(before)
        if not fenced and _ITEM.match(line) and in_paragraph:
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def _listed(entry: Any) -> set[str]:
    """The pages that an entry of `nav` names."""
    if isinstance(entry, str):
        return {entry}
    return set().union(*(_listed(e) for e in (entry.values() if isinstance(entry, dict) else entry)))


def _expanded(entry: Any, docs: Path, listed: set[str]) -> Any:
    """An entry of `nav` with each folder replaced by its pages that are not listed, its README first."""
    if isinstance(entry, dict):
        return {name: _expanded([value] if _is_folder(value) else value, docs, listed) for name, value in entry.items()}
    if isinstance(entry, str):
        return entry
    pages: list[Any] = []
    for e in entry:
        if _is_folder(e):
            names = sorted((p.name for p in (docs / e).glob("*.md")), key=lambda name: (name != "README.md", name))
            pages += [e + name for name in names if e + name not in listed]
        else:
            pages.append(_expanded(e, docs, listed))
    return pages


def _is_folder(value: Any) -> bool:
    return isinstance(value, str) and value.endswith("/")


def _build() -> Path:
    return TREE / os.environ.get("RULESMITH_BUILD", "build")


# ---- MkDocs hooks


def on_config(config: Any) -> Any:
    config.nav = _expanded(config.nav, Path(config.docs_dir), _listed(config.nav))
    return config


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    known: set[str] = set()
    for page in files.documentation_pages():
        for target, path in _outside(page.content_string, page.src_uri).items():
            if not (TREE / path).is_file():
                _log.warning("%s: link to %s, which is no file of the tree", page.src_uri, target)
            elif path not in known:
                known.add(path)
                files.append(File.generated(config, f"{COPIES}/{path}.txt", abs_src_path=str(TREE / path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    here = page.file.src_uri
    if here.startswith("findings/"):
        page.meta["search"] = {"boost": 0.2}  # hundreds of pages that would hide all others
    if here == COMMANDS:
        try:
            markdown = _with_help(markdown, _build())
        except completion.NoHelp as error:
            _log.warning("%s: cannot ask the programs for --help: %s", here, error)
    outside = _outside(markdown, here)

    def to_copy(link: re.Match[str]) -> str:
        if link[2] not in outside:
            return link[0]
        return link[1] + posixpath.relpath(f"{COPIES}/{outside[link[2]]}.txt", posixpath.dirname(here) or ".") + link[4]

    markdown = _LINK.sub(to_copy, markdown)
    return _separate_lists(markdown)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        sys.stdout.write(commands_page(Path(sys.argv[1])))
    except completion.NoHelp as failure:
        sys.exit(f"docs_site.py: error: {failure}")

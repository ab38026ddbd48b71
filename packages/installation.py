#!/usr/bin/env python3
"""The list of installed files, used by `make install`, `make uninstall` and the packages.

usage: installation.py install|uninstall|list PART… --build DIR --prefix DIR [--destdir DIR]

PART is `library` (headers, archive, shared library, pkg-config file) or `programs` (rulesmith, rulefuzz, the
Python package with the collector and the records, manual pages, completion). Files come from this script's tree.
Each is written beside its place and renamed, so that running programs are not disturbed. `uninstall` removes
these files and folders that become empty, and ignores missing ones. Exit code 1, with a line on standard error,
if that fails."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import manual

TREE = Path(__file__).resolve().parent.parent
PYTHON = "share/rulefuzz/python"
LIBRARIES = "libcjson libxxhash libprotobuf-c"
"""pkg-config names of the libraries that librulesmith.a needs besides libc."""


@dataclass(frozen=True)
class Item:
    """One installed file."""

    place: str
    """Path below the prefix."""
    mode: int
    source: Path | None = None
    text: str = ""
    """The content, if there is no source; the target, for a link."""
    link: bool = False

    def content(self) -> bytes:
        """The content of a regular file."""
        return self.source.read_bytes() if self.source else self.text.encode()


def number(name: str) -> str:
    """A number or a string that rulesmith.h defines."""
    header = (TREE / "runtime/include/rulesmith.h").read_text()
    found = re.search(rf'^#define {name} "?([^"\s]+)', header, re.MULTILINE)
    if not found:
        raise SystemExit(f"installation: error: rulesmith.h has no {name}")
    return found[1]


def pkg_config(prefix: str) -> str:
    """rulesmith.pc."""
    return f"""prefix={prefix}
libdir=${{prefix}}/lib
includedir=${{prefix}}/include/rulesmith

Name: rulesmith
Description: Compiled rules of deep-learning operators, and valid models built from them
Version: {number("RS_VERSION")}
Requires.private: {LIBRARIES}
Libs: -L${{libdir}} -lrulesmith
Libs.private: -ldl -lpthread -lm
Cflags: -I${{includedir}}
"""


def library(build: Path, prefix: str) -> Iterator[Item]:
    """Files for C and C++ users."""
    version = f"librulesmith.so.{number('RS_LIBRARY_ABI')}"
    yield Item("lib/librulesmith.a", 0o644, build / "librulesmith.a")
    yield Item(f"lib/{version}", 0o755, build / "librulesmith.so")
    yield Item("lib/librulesmith.so", 0o777, text=version, link=True)
    for header in sorted((TREE / "runtime/include").glob("*.h")):
        yield Item(f"include/rulesmith/{header.name}", 0o644, header)
    yield Item("lib/pkgconfig/rulesmith.pc", 0o644, text=pkg_config(prefix))
    for name, text in manual.pages():
        yield Item(f"share/man/man3/{name}.3", 0o644, text=text)


def workers(records: bool) -> Iterator[Item]:
    """The Python package, the collector that `rulefuzz verify` uses, and the records; or only the names of the APIs
    with records, which running models needs."""
    package = TREE / "runtime/python"
    data = (f"rulefuzz/**/*.{kind}" for kind in ("py", "tsv", "txt"))
    sources = [*(path for one in data for path in package.glob(one)), package / "rulefuzz/py.typed"]
    for source in sorted(sources):
        yield Item(f"{PYTHON}/{source.relative_to(package)}", 0o644, source)
    yield Item(f"{PYTHON}/rulefuzz/frameworks.def", 0o644, TREE / "runtime/rules/frameworks.def")
    yield Item(f"{PYTHON}/rulefuzz/tolerances.def", 0o644, TREE / "runtime/ort/tolerances.def")
    own = [*(TREE / "traces/collect").glob("**/*.py"), TREE / "traces/backends.sh", *TREE.glob("traces/*/UNSPECIFIED.tsv")]
    names: dict[str, list[str]] = {}
    for source in sorted((TREE / "traces").glob("*/*.jsonl")):
        names.setdefault(source.parent.name, []).append(source.name.removesuffix(".jsonl"))
        own += [source] if records else []
    for source in sorted(own):
        yield Item(f"{PYTHON}/{source.relative_to(TREE)}", 0o644, source)
    for framework in sorted(names) if not records else ():
        yield Item(f"{PYTHON}/traces/{framework}/APIS", 0o644, text="\n".join(names[framework]) + "\n")


def programs(build: Path, prefix: str) -> Iterator[Item]:
    """Files for users of the command line."""
    del prefix
    for name in ("rulefuzz", "rulesmith"):
        yield Item(f"bin/{name}", 0o755, build / name)
        yield Item(f"share/bash-completion/completions/{name}", 0o644, build / f"completion/{name}.bash")
        yield Item(f"share/zsh/site-functions/_{name}", 0o644, build / f"completion/{name}.zsh")
        yield Item(f"share/man/man1/{name}.1", 0o644, build / f"man/{name}.1")
    yield from workers(records=True)


PARTS = {"library": library, "programs": programs}


def put(item: Item, root: Path) -> None:
    """Writes one file."""
    place = root / item.place
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".rulesmith-", dir=place.parent)
    beside = Path(name)
    try:
        if item.link:
            beside.unlink()
            beside.symlink_to(item.text)
        else:
            beside.write_bytes(item.content())
            beside.chmod(item.mode)
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def take_away(items: list[Item], root: Path) -> None:
    """Removes the files, and folders that become empty."""
    folders = {folder for item in items for folder in Path(item.place).parents if folder != Path()}
    for item in items:
        (root / item.place).unlink(missing_ok=True)
    for folder in sorted(folders, reverse=True):
        place = root / folder
        for cache in place.glob("__pycache__/*.pyc"):  # Python's caches
            cache.unlink()
        for empty in (place / "__pycache__", place):
            if empty.is_dir() and not any(empty.iterdir()):
                empty.rmdir()


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="installation.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["install", "uninstall", "list"])
    parser.add_argument("parts", nargs="+", choices=sorted(PARTS), metavar="PART")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--destdir", default="")
    told = parser.parse_args()
    if not told.prefix.startswith("/"):
        parser.error("--prefix takes an absolute path")
    items = [item for part in told.parts for item in PARTS[part](told.build, told.prefix.rstrip("/"))]
    root = Path(told.destdir + told.prefix)
    try:
        if told.what == "install":
            for item in items:
                put(item, root)
        elif told.what == "uninstall":
            take_away(items, root)
        else:
            print(*(item.place for item in items), sep="\n")
    except OSError as fault:
        sys.exit(f"installation: error: {fault}")


if __name__ == "__main__":
    main()

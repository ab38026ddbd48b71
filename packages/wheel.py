#!/usr/bin/env python3
"""Makes the wheel: the Python module rulesmith, librulesmith.so, the static rulefuzz, and the workers' package.

usage: wheel.py --rulefuzz FILE --library FILE --out DIR    prints the path of the wheel

The output is reproducible: entries are sorted, times are fixed. Its platform tag is that of the library: the
newest glibc version that one of its symbols needs. pip gives `rulefuzz` the Python that it is installed in."""

from __future__ import annotations

import argparse
import base64
import hashlib
import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from installation import TREE, Item, number, workers

MODULE = TREE / "runtime/python/rulesmith"
INSIDE = "rulesmith"
"""The folder used as prefix: bin/rulefuzz looks for ../share/rulefuzz/python."""


def platform_tag(library: Path) -> str:
    """For example manylinux_2_34_x86_64. Ends the program if the library needs more than libc."""
    said = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    needs = set(re.findall(r"NEEDED\s+(\S+)", said)) - {"libc.so.6", "libm.so.6"}
    if needs:
        sys.exit(f"wheel: error: {library} needs {', '.join(sorted(needs))}, which a user may not have")
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", said)]
    major, minor = max(version[:2] for version in versions)
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def metadata(version: str) -> str:
    """The METADATA of the distribution."""
    return f"""Metadata-Version: 2.1
Name: rulesmith
Version: {version}
Summary: Compiled rules of deep-learning operators, and a fuzzer of their compilers
License: Apache-2.0
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.10
Provides-Extra: hypothesis
Requires-Dist: hypothesis>=6; extra == 'hypothesis'
Description-Content-Type: text/markdown

`rulefuzz run --backend torch-jit` fuzzes the framework that is installed in the same environment; `import rulesmith` answers
which calls of an operator are valid and with which shapes, draws calls and models, and has calls for Hypothesis.
"""


def items(rulefuzz: Path, library: Path, tag: str) -> Iterator[Item]:
    """All files except RECORD."""
    version = number("RS_VERSION")
    info = f"rulesmith-{version}.dist-info"
    for source in [*MODULE.glob("*.py"), MODULE / "py.typed"]:
        yield Item(f"{INSIDE}/{source.name}", 0o644, source)
    yield Item(f"{INSIDE}/lib/librulesmith.so", 0o755, library)
    yield Item(f"{INSIDE}/bin/rulefuzz", 0o755, rulefuzz)
    for item in workers(records=False):
        yield Item(f"{INSIDE}/{item.place}", item.mode, item.source, item.text)
    yield Item(f"{info}/METADATA", 0o644, text=metadata(version))
    yield Item(f"{info}/WHEEL", 0o644, text=f"Wheel-Version: 1.0\nGenerator: rulesmith\nRoot-Is-Purelib: false\nTag: {tag}\n")
    yield Item(f"{info}/entry_points.txt", 0o644, text="[console_scripts]\nrulefuzz = rulesmith.launcher:main\n")
    yield Item(f"{info}/licenses/LICENSE", 0o644, TREE / "LICENSE")


def record(files: list[Item], place: str) -> str:
    """The RECORD: each file with its digest and size in bytes."""
    lines = []
    for item in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(item.content()).digest()).rstrip(b"=").decode()
        lines.append(f"{item.place},sha256={digest},{len(item.content())}\n")
    return "".join(lines) + f"{place},,\n"


def write(path: Path, files: list[Item]) -> None:
    """Writes the archive beside its place and renames it."""
    beside = path.with_suffix(".new")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for item in files:
            entry = zipfile.ZipInfo(item.place, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.create_system = (0o100000 | item.mode) << 16, 3
            archive.writestr(entry, item.content(), zipfile.ZIP_DEFLATED)
    beside.replace(path)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="wheel.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rulefuzz", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args()
    try:
        version, tag = number("RS_VERSION"), f"py3-none-{platform_tag(told.library)}"
        files = sorted(items(told.rulefuzz, told.library, tag), key=lambda item: item.place)
        place = f"rulesmith-{version}.dist-info/RECORD"
        told.out.mkdir(parents=True, exist_ok=True)
        path = told.out / f"rulesmith-{version}-{tag}.whl"
        write(path, [*files, Item(place, 0o644, text=record(files, place))])
    except (OSError, subprocess.SubprocessError) as fault:
        sys.exit(f"wheel: error: {fault}")
    print(path)


if __name__ == "__main__":
    main()

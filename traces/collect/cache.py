"""Keys of what earlier runs left under build/: equal keys, equal bytes.

A key covers the sources that the work goes through, by their imports, in this package and in rulefuzz; the tables that these
read; the versions of all that is installed beside the framework; and what the run was asked for.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path

OURS = ("traces", "rulefuzz")
"""Packages whose files may change; all others have a version."""

def digest(*parts: object) -> str:
    """A short text that differs when the parts do."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def key(modules: Sequence[str], *parts: object) -> str:
    """The key of work that begins in these modules; `parts`: what it was asked for besides."""
    return digest(sys.version, installed(), sources(modules), parts)


@functools.cache
def installed() -> list[str]:
    """Names and versions of what is installed, sorted."""
    return sorted({f"{found.metadata['Name']} {found.version}" for found in importlib.metadata.distributions()})


def sources(modules: Sequence[str]) -> dict[str, str]:
    """The modules' files and those that they import, directly or not, with their digests; by module or file name."""
    found: dict[str, str] = {}
    left = list(modules)
    while left:
        name = left.pop()
        path = _file(name)
        if name in found or path is None:
            continue
        data = path.read_bytes()
        found[name] = hashlib.sha256(data).hexdigest()
        left += _imports(ast.parse(data), name, is_package=path.name == "__init__.py")
    return dict(sorted(found.items()))


def _file(module: str) -> Path | None:
    """The file of a module of ours; None for another's, and for a name that is no module. Imports nothing of it."""
    package, *parts = module.split(".")
    spec = importlib.util.find_spec(package) if package in OURS else None
    if spec is None or spec.submodule_search_locations is None:
        return None
    for folder in spec.submodule_search_locations:
        place = Path(folder, *parts)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None


def _imports(tree: ast.Module, module: str, *, is_package: bool) -> list[str]:
    """The names that may be modules which a module imports, the packages that hold them among them."""
    found = [module.rpartition(".")[0]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                base = ".".join([*parts[: len(parts) - node.level + is_package], *filter(None, [node.module])])
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found

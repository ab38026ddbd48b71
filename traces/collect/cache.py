"""Cache keys for files of earlier runs under build/: equal keys, equal bytes.

A key covers the sources that the work imports, in this package and in rulefuzz; the tables that these read; the versions
of everything installed beside the framework; and the run's parameters.
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
"""Packages whose files may change; others are covered by their version."""

def digest(*parts: object) -> str:
    """A short digest of the parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def key(modules: Sequence[str], *parts: object) -> str:
    """The key of work that starts in these modules, with `parts` as further parameters."""
    return digest(sys.version, installed(), sources(modules), parts)


@functools.cache
def installed() -> list[str]:
    """Names and versions of installed distributions, sorted."""
    return sorted({f"{found.metadata['Name']} {found.version}" for found in importlib.metadata.distributions()})


def sources(modules: Sequence[str]) -> dict[str, str]:
    """The files of the modules and of everything they import, with their digests; by module or file name."""
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
    """The file of one of our modules, else None. Does not import it."""
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
    """The names that a module imports and that may be modules, with the packages that hold them."""
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

"""The Python of a backend's version: a virtual environment that traces/backends.sh makes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "runtime" / "python"))

from rulefuzz import table, targets

SCRIPT = Path(__file__).parents[3] / "traces" / "backends.sh"


class Missing(Exception):
    """No environment can be made for a version."""


@dataclass(frozen=True)
class Environment:
    """Where a version of a backend runs."""

    backend: str
    """Its name for `rulefuzz run --backend`, which finds the same Python."""
    python: Path


def venvs() -> Path:
    """The folder of all environments, as in traces/backends.sh."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("RULESMITH_VENVS") or f"{cache}/rulesmith/venv")


def _same(one: str, other: str) -> bool:
    """Whether two versions are equal, post releases aside."""
    return re.sub(r"\.post\d+$", "", one) == re.sub(r"\.post\d+$", "", other)


class Environments:
    """Makes the environments, each once."""

    def __init__(self, script: Path = SCRIPT) -> None:
        self._script = script
        self._known: dict[tuple[str, str], Environment | Missing] = {}

    def of(self, backend: str, version: str) -> Environment:
        """The environment of a version. Raises Missing."""
        key = (backend, version)
        if key not in self._known:
            try:
                self._known[key] = self._make(backend, version)
            except Missing as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, Missing):
            raise found
        return found

    def _make(self, backend: str, version: str) -> Environment:
        """The backend's own environment if that has the version, else one of the version."""
        if backend not in targets.names():
            raise Missing(f"unknown backend {backend!r}")
        pinned, folder, other = _pinned(backend)
        named = backend
        if not _same(pinned, version):
            named, folder = f"{backend}@{version}", f"{other}@{version}"
        made = subprocess.run(["sh", str(self._script), named], capture_output=True, text=True, check=False)
        python = venvs() / folder / "bin" / "python"
        if made.returncode or not python.exists():
            said = (made.stderr or made.stdout).strip().splitlines()
            raise Missing(said[-1] if made.returncode and said else f"{self._script.name} {named} made no {python}")
        return Environment(named, python)


def _pinned(backend: str) -> tuple[str, str, str]:
    """The version of a backend that this tree is tested with, its environment, and how those of other versions begin."""
    module = targets.load(backend).module
    framework = table.frameworks()[module.FRAMEWORK]
    for need in module.REQUIRES:
        if "==" in need:
            return need.partition("==")[2], backend, backend
    pins = dict(need.partition("==")[::2] for need in framework.requirements if "==" in need)
    first = next(iter(pins))
    name = next((need for need in module.REQUIRES if need in pins), first)
    return pins[name], framework.name, framework.name if name == first else name

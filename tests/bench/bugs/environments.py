"""The Python of a backend's version: a virtual environment that traces/backends.sh makes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """Whether two versions are equal, post releases and builds (+cpu) aside."""
    return re.sub(r"\.post\d+$|\+.*$", "", one) == re.sub(r"\.post\d+$|\+.*$", "", other)


class Environments:
    """Makes the environments, each once. `rulefuzz backends` knows the versions, so that no framework is imported here."""

    def __init__(self, rulefuzz: str, script: Path = SCRIPT) -> None:
        self._rulefuzz, self._script = rulefuzz, script
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
        own = self._about(backend)
        has = [*own["versions"].values(), *(need.partition("==")[2] for need in own["missing"])]
        named = backend if any(_same(one, version) for one in has) else f"{backend}@{version}"
        made = subprocess.run(["sh", str(self._script), named], capture_output=True, text=True, check=False)
        python = venvs() / self._about(named)["environment"] / "bin" / "python"
        if made.returncode or not python.exists():
            said = (made.stderr or made.stdout).strip().splitlines()
            raise Missing(said[-1] if made.returncode and said else f"{self._script.name} {named} made no {python}")
        return Environment(named, python)

    def _about(self, name: str) -> Any:
        """What `rulefuzz backends` prints of a backend. Raises Missing for an unknown one."""
        made = subprocess.run([self._rulefuzz, "backends", name, "--json"], capture_output=True, text=True, check=False)
        try:
            return json.loads(made.stdout)["backends"][0]
        except (ValueError, LookupError):
            raise Missing((made.stderr.strip().splitlines() or [f"unknown backend {name!r}"])[-1]) from None

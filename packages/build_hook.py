"""The build of the Python distribution: a hook of hatchling (pyproject.toml) that runs make and lists the files of the wheel.

`pip install .` builds with the libraries of the system and needs no network but a package index. With RULESMITH_STATIC=1,
as for `make wheel`, the program and the library need nothing but libc, so that auditwheel can give the wheel a tag for other
machines. RULESMITH_BUILD is the build folder (build)."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TREE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TREE / "packages"))

from installation import workers  # noqa: E402 (hatchling loads this file by its path)

MODULE = TREE / "runtime/python/rulesmith"
INSIDE = "rulesmith"
"""The folder used as prefix: bin/rulefuzz looks for ../share/rulefuzz/python."""


def targets(build: str, static: bool) -> tuple[str, str]:
    """The program and the library, as make calls them."""
    if static:
        return f"{build}/static/rulefuzz", f"{build}/wheel/librulesmith.so"
    return f"{build}/rulefuzz", f"{build}/librulesmith.so"


class Hook(BuildHookInterface[Any]):  # type: ignore[misc]  # hatchling is in the environment of the build only
    """See the module."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds what the wheel contains. Raises RuntimeError if make fails; make has printed why."""
        if version == "editable":
            raise RuntimeError("rulesmith cannot be installed in editable mode: set PYTHONPATH=runtime/python in a checkout")
        build = os.environ.get("RULESMITH_BUILD", "build")
        program, library = targets(build, bool(os.environ.get("RULESMITH_STATIC")))
        jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
        command = ["make", "-s", f"-j{jobs}", f"B={build}", "checked-runtime", program, library]
        if subprocess.run(command, cwd=TREE, check=False).returncode != 0:
            raise RuntimeError(f"failed: {' '.join(command)}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        self._include(build_data["force_include"], TREE / program, TREE / library)

    def _include(self, places: dict[str, str], program: Path, library: Path) -> None:
        places[str(program)] = f"{INSIDE}/bin/rulefuzz"
        places[str(library)] = f"{INSIDE}/lib/librulesmith.so"
        for source in [*MODULE.glob("*.py"), MODULE / "py.typed"]:
            places[str(source)] = f"{INSIDE}/{source.name}"
        self._texts = tempfile.TemporaryDirectory()  # removed with the hook, after the build
        for number, item in enumerate(workers(records=False)):
            source = item.source or Path(self._texts.name) / str(number)
            if not item.source:
                source.write_text(item.text, encoding="utf-8")
            places[str(source)] = f"{INSIDE}/{item.place}"

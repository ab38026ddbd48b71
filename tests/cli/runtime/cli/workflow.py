"""Writes the `run:` steps of a GitHub Actions workflow, in order, as one shell script.

usage: workflow.py WORKFLOW.yml SCRIPT

`uses:` steps are omitted, since GitHub runs them. A step must not contain ${{ … }}, which GitHub pastes into the
script's text; in `env:` it is a value.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml


def steps(workflow: dict[str, Any]) -> list[str]:
    """All run steps."""
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


def main() -> int:
    """Writes the script."""
    source, target = map(Path, sys.argv[1:])
    found = steps(yaml.safe_load(source.read_text(encoding="utf-8")))
    assert found and not any("${{" in step for step in found), "an expression within a step's shell"
    target.write_text("\n".join(found) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

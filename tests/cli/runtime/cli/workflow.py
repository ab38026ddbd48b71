"""The shell of a workflow: the `run:` steps of a GitHub Actions file, in their order, as one script.

usage: workflow.py WORKFLOW.yml SCRIPT

Only what the shell does: `uses:` steps are the host's. ${{ … }} must not stand in a step, since there it would be pasted into
the shell's text; in `env:` it is a value.
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

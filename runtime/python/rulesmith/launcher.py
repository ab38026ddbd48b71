"""The wheel's command `rulefuzz`: runs the static program in the wheel, with this Python's frameworks."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Executes rulefuzz. $RULEFUZZ_PYTHON selects another Python's frameworks. Exit code 5 if the program is missing."""
    program = Path(__file__).parent / "bin/rulefuzz"
    os.environ.setdefault("RULEFUZZ_PYTHON", sys.executable)
    try:
        os.execv(program, ["rulefuzz", *sys.argv[1:]])
    except OSError as fault:
        print(f"rulefuzz: error: {program}: {fault.strerror}; install the wheel again", file=sys.stderr)
        sys.exit(5)

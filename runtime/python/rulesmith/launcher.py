"""The command `rulefuzz` of the wheel: the static program that is in it, for the frameworks of this very Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes rulefuzz. $RULEFUZZ_PYTHON, where it is set, says whose frameworks instead. Exit code 5: it is not there."""
    program = Path(__file__).parent / "bin/rulefuzz"
    os.environ.setdefault("RULEFUZZ_PYTHON", sys.executable)
    try:
        os.execv(program, ["rulefuzz", *sys.argv[1:]])
    except OSError as fault:
        print(f"rulefuzz: error: {program}: {fault.strerror}; install the wheel again", file=sys.stderr)
        sys.exit(5)

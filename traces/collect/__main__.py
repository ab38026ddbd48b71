"""Entry of `python -m traces.collect`."""

import os
import sys

from traces.collect.cli.collect import main

if os.environ.get("PYTHONHASHSEED") != "0":  # PyTorch's tests iterate over sets: their order must not change
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONHASHSEED": "0"})

if __name__ == "__main__":
    sys.exit(main())

"""Entry of `python -m traces.collect`."""

import sys

from traces.collect.main import main

if __name__ == "__main__":
    sys.exit(main())

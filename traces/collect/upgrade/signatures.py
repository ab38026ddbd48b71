"""Writes the framework's own signatures of the APIs that have records.

    python -m traces.collect.upgrade.signatures FRAMEWORK [--traces DIR] [--out FILE]

writes DIR/SIGNATURES.tsv: one line per API and overload, in the framework's order (docs/reference/file-formats.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from traces.collect.frameworks import registry
from traces.collect.records import write
from traces.collect.upgrade import public

HEADER = "api\tparameters\n"


def text(known: public.Public, apis: Sequence[str]) -> str:
    """The table: the overloads of each API, in order. APIs without a known signature have no line."""
    lines = [f"{api}\t{overload}\n" for api in sorted(apis) for overload in known.overloads(api)]
    return HEADER + "".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.upgrade.signatures",
        description="Records the signatures of the APIs that have records.",
        epilog="Exit codes: 0 done; 2 usage; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the table (default: DIR/SIGNATURES.tsv)")
    args = parser.parse_args(argv)
    folder = args.traces or Path("traces") / args.framework
    try:
        known = public.load(args.framework)
    except ImportError as fault:
        print(f"{parser.prog}: error: {args.framework} is not installed: {fault}", file=sys.stderr)
        return 5
    if known is None:
        print(f"{parser.prog}: error: no signatures known for {args.framework}", file=sys.stderr)
        return 2
    names = [path.name.removesuffix(".jsonl") for path in folder.glob("*.jsonl")]
    write.write_file(args.out or folder / "SIGNATURES.tsv", text(known, names))
    return 0


if __name__ == "__main__":
    sys.exit(main())

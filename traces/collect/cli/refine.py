"""Runs calls that the rules accept in the framework, and adds wrong predictions to the records.

    rulefuzz gen --count N | python -m traces.collect.cli.refine FRAMEWORK [FOLDER]

Each call of the models on standard input runs alone, with its operator's own dtypes. A rejected call becomes a
failing record. A call that returns another shape than predicted becomes a passing record with the true shape: a
counterexample for the next synthesis. Correct predictions are not recorded, nor are calls that depend on elements or
kill their process (see ask). Prints the numbers of calls and of wrong predictions.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine
from traces.collect.repair.refine import read_guesses, refine_operator


def main() -> int:
    """The command."""
    name = sys.argv[1] if len(sys.argv) > 1 else "torch"
    build = Path("build/traces") / name
    build.mkdir(parents=True, exist_ok=True)
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else f"traces/{name}")
    asked = read_guesses(sys.stdin, frozenset(path.name.removesuffix(".jsonl") for path in folder.glob("*.jsonl")))
    records = RecordFiles(folder)
    oracle = Oracle(registry.load(name), build / "findings.jsonl", build / "ask.log", registry.limits(name))
    wrong: Counter[str] = Counter()
    for api in sorted(asked):
        for op, guesses in asked[api].items():
            try:
                wrong[op] += refine_operator(oracle, records, op, guesses)
            except BadLine as error:
                print(f"refine: error: {error}", file=sys.stderr)
        records.save()
    oracle.end()
    count = sum(len(guesses) for ops in asked.values() for guesses in ops.values())
    print(f"refine: {count} calls run, {wrong.total()} wrong predictions, of {len(+wrong)} operators")
    for op, times in (+wrong).most_common(20):
        print(f"  {times:5} {op}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

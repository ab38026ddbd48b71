"""Asks the framework about calls that the rules accept, and adds what they got wrong to the records.

    rulefuzz gen --count N | python -m traces.collect.cli.refine FRAMEWORK [FOLDER]

Each call of the models on standard input runs live by itself, with its operator's own dtypes. A call that the framework
refuses becomes a failing record, one that returns another shape than predicted a passing one with the true shape: a
counterexample that the next synthesis must respect. Calls that the rules foretold right are not recorded, and neither
are those that depend on elements or kill their process (see ask). Prints how many calls were asked and were wrong.
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
    print(f"refine: {count} calls asked, {wrong.total()} not as the rules said, of {len(+wrong)} operators")
    for op, times in (+wrong).most_common(20):
        print(f"  {times:5} {op}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

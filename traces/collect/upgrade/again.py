"""Runs the recorded calls of some APIs again in the framework of this Python, and corrects records with another answer.

    python -m traces.collect.upgrade.again FRAMEWORK [--folder DIR] API…

`rulesmith diff` names the APIs whose acceptance differs between two versions; this makes their records those of the new one.
Calls without an answer, or whose answer depends on elements, keep theirs. Prints a line per API.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from traces.collect.call.spec import Values
from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle
from traces.collect.judge.verdict import FAIL, OTHER, PASS
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import Recorded


def ask_again(oracle: Oracle, operator: Recorded) -> tuple[int, int]:
    """Runs all calls of an operator and corrects its records; returns the numbers of calls and of changes."""
    calls: list[Values] = [values for values in (*operator.passing, *sorted(operator.failing)) if not operator.settled(values)]
    changed = 0
    for values, text in zip(calls, oracle.answers([operator.question(values) for values in calls]), strict=True):
        found = json.loads(f"{{{text}}}")
        before = operator.passing.get(values)
        if found["outcome"] in (FAIL, OTHER) and before is not None:
            del operator.passing[values]
            operator.failing.add(values)
        elif found["outcome"] == PASS and found["out"] != before:
            operator.failing.discard(values)
            operator.passing[values] = found["out"]
        else:
            continue
        changed += 1
    return len(calls), changed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.upgrade.again",
        description="Asks the framework the recorded calls of some APIs again, and corrects the records.",
        epilog="Exit codes: 0 done; 1 an API has no records; 2 usage; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("apis", nargs="+", metavar="API", help="APIs whose records are corrected: onnx.Split")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the record files (default: traces/FRAMEWORK)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    folder, build = options.folder or Path("traces") / options.framework, Path("build/traces") / options.framework
    try:
        framework = registry.load(options.framework)
    except ImportError as error:
        print(f"traces.collect.upgrade.again: error: {error}", file=sys.stderr)
        return 5
    build.mkdir(parents=True, exist_ok=True)
    oracle = Oracle(framework, build / "findings.jsonl", build / "again.log", registry.limits(options.framework))
    records = RecordFiles(folder)
    for api in options.apis:
        operators = records.operators(api)
        if not operators:
            print(f"traces.collect.upgrade.again: error: {folder} has no records of {api}", file=sys.stderr)
            return 1
        counts = {name: ask_again(oracle, operator) for name, operator in operators.items()}
        for name in (name for name, (_, changed) in counts.items() if changed):
            records.touch(name)
        asked, changed = (sum(numbers) for numbers in zip(*counts.values(), strict=True))
        print(f"{api}: {asked} calls asked, {changed} answered otherwise", flush=True)
        records.save()
    oracle.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Finds why calls failed in models: runs each alone in the framework.

    python -m traces.collect.cli.causes FRAMEWORK FAILURES... [--traces DIR] [--out DIR]

FAILURES come from `rulefuzz validity --failures`. Each distinct call runs four times: with its operator's own dtypes
and constants, with the call's constants, with its dtypes, and with both. The first deviation from the rule's
prediction is the cause:

    rule      rejected, or another shape: a record that refine must add
    constants rejected with these floats, or another shape
    dtypes    rejected with these dtypes (and floats), or other output dtypes: a tuple to drop from the operator's table
    layout    accepted, and in the model accepted with a contiguous copy of each input
    values accepted, or dependent on elements: the elements in the model cause the failure
    lost      kills its process, hangs, or is too large: no answer

Prints the number of calls and operators per cause, and the operators with most; DIR gets CAUSE.jsonl with the calls.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle
from traces.collect.records.files import RecordFiles
from traces.collect.repair.causes import CAUSES, distinct, judged

SHOWN = 12


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m traces.collect.cli.causes", description="Why calls failed in models.")
    parser.add_argument("framework", choices=registry.NAMES)
    parser.add_argument("failures", nargs="+", type=Path)
    parser.add_argument("--traces", type=Path, help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--out", type=Path, help="folder for the calls of each cause")
    options = parser.parse_args(argv)
    build = Path("build/traces") / options.framework
    build.mkdir(parents=True, exist_ok=True)
    found = distinct(line for path in options.failures for line in path.read_text(encoding="ascii").splitlines())
    records = RecordFiles(options.traces or Path("traces") / options.framework)
    oracle = Oracle(registry.load(options.framework), build / "findings.jsonl", build / "ask.log",
                    registry.limits(options.framework))  # fmt: skip
    calls: Counter[str] = Counter()
    operators: defaultdict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], str] = {}
    lists: defaultdict[str, list[Json]] = defaultdict(list)
    times = {id(call): count for call, count in found.values()}
    ordered = [call for call, _ in found.values()]
    for call in ordered:
        call["times"] = times[id(call)]
    for name, call in judged(records, oracle, ordered):
        calls[name] += call["times"]
        operators[name][call["op"]] += call["times"]
        examples.setdefault((name, call["op"]), call["found"].get("message") or call["error"])
        lists[name].append(call)
    oracle.end()
    for name in CAUSES:
        if not calls[name]:
            continue
        print(f"{name:10} {calls[name]:6} failures, {len(lists[name])} calls, {len(operators[name])} operators")
        for op, count in operators[name].most_common(SHOWN):
            print(f"  {count:6} {op}: {examples[(name, op)][:150]}")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name in CAUSES:
            text = "".join(json.dumps(call) + "\n" for call in lists[name])
            (options.out / f"{name}.jsonl").write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())

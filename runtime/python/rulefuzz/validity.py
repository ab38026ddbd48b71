"""Runs models on a framework's reference and reports which are valid.

    rulefuzz gen --framework F --count 1000 | python -m rulefuzz.validity F [OPTION…]

Reads models as JSON lines (docs/reference/file-formats.md) and writes one line each, in order
(docs/explanation/models.md). The summary on standard error counts valid models and the most frequent failures.
FILE gets every failed call.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulefuzz import framework, model
from rulefuzz.framework import Framework, Unavailable
from rulefuzz.model import BadModel, Json
from rulefuzz.protocol import UNAVAILABLE
from rulefuzz.sandbox import Limits
from rulefuzz.validate.reference import LIMITS, Fleet


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of a proportion."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class Tally:
    """The counts of the summary."""

    models: int = 0
    nodes: int = 0
    valid: int = 0
    finite: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    example: dict[str, str] = field(default_factory=dict)
    origins: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    apis: set[str] = field(default_factory=set)

    def add(self, item: Json, answer: Json) -> None:
        """Adds one model."""
        self.models += 1
        self.apis.update(node["api"] for node in item["nodes"])
        if answer["valid"]:
            self.nodes += len(item["nodes"])
            self.valid += 1
            self.finite += answer["finite"]
            self.calls.update(node["op"] for node in item["nodes"])
            self.origins.update(item["nodes"][i]["op"] for i in answer.get("nonfinite", ()))
            return
        self.nodes += answer["node"] + 1
        how = " alone" if answer.get("alone") else " by layout" if answer.get("layout") else ""
        self.kinds[answer["kind"] + how] += 1
        self.failed[answer["op"]] += 1
        self.example.setdefault(answer["op"], f"model {answer['index']}, node {answer['node']}: {answer['error'][:200]}")

    def write_nonfinite(self, path: str) -> None:
        """Writes a line for each operator that first made non-finite elements of finite ones: models and calls."""
        with open(path, "w", encoding="ascii") as file:
            file.write("op\tnonfinite\tcalls\n")
            file.writelines(f"{op}\t{count}\t{self.calls[op]}\n" for op, count in sorted(self.origins.items()))

    def print(self, show: int, notes: Counter[str]) -> None:
        """Prints the summary."""
        low, high = interval(self.valid, self.models)
        share = self.valid / self.models if self.models else 1.0
        out = functools.partial(print, file=sys.stderr)
        out(f"{self.valid} of {self.models} models valid ({100 * share:.2f} %, 95 % interval {100 * low:.2f} to "
            f"{100 * high:.2f} %), {100 * self.finite / max(self.models, 1):.1f} % finite, {len(self.apis)} APIs, "
            f"{self.models - self.valid} failures in {self.nodes} calls")  # fmt: skip
        for kind, count in self.kinds.most_common():
            out(f"{count:6} {kind}")
        for operator, count in self.failed.most_common(show):
            out(f"{count:6} {operator}: {self.example[operator]}")
        if self.origins:
            worst = ", ".join(f"{op} {count}" for op, count in self.origins.most_common(show))
            out(f"non-finite first from: {worst}")
        if notes:
            out("run otherwise: " + ", ".join(f"{what} {count}" for what, count in notes.most_common()))


def failed_call(reader: model.Reader, item: Json, answer: Json) -> Json:
    """A line for the file of failed calls."""
    try:
        numbers, dtypes, constants = model.symbols(reader.model(item), answer["node"])
    except BadModel:
        numbers, dtypes, constants = [], [], []
    call = {"op": answer["op"], "in": numbers, "dtypes": dtypes, "constants": constants}
    call["out"] = [dim for out in item["nodes"][answer["node"]]["outputs"] for dim in out["shape"]]
    call |= {key: value for key, value in answer.items() if key not in ("op", "valid", "api")}
    return {**call, "values": item["values"]}


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="python -m rulefuzz.validity", description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    made.add_argument("--show", type=int, default=10, help="number of operators to list, most failures first")
    made.add_argument("--failures", help="write each failed call to this file")
    made.add_argument("--nonfinite", help="write the operators that return infinities or NaN for finite elements to this file")
    made.add_argument("--quiet", action="store_true", help="print the summary only")
    made.add_argument("--jobs", type=int, default=1, help="processes")
    return made


def judge_all(adapter: Framework, options: argparse.Namespace, limits: Limits = LIMITS) -> int:
    """Runs the models of standard input. Returns the exit code."""
    tally, fleet, reader = Tally(), Fleet(adapter, max(options.jobs, 1), limits), model.Reader(adapter)
    with contextlib.ExitStack() as stack:
        failures = stack.enter_context(open(options.failures, "w", encoding="ascii")) if options.failures else None
        for line, answer in fleet.answers(sys.stdin):
            item = json.loads(line)
            tally.add(item, answer)
            if not options.quiet:
                print(json.dumps(answer))
            if failures and not answer["valid"]:
                failures.write(json.dumps(failed_call(reader, item, answer)) + "\n")
    if options.nonfinite:
        tally.write_nonfinite(options.nonfinite)
    tally.print(options.show, fleet.notes)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    made = parser()
    made.add_argument("framework", help="whose models")
    options = made.parse_args(argv)
    try:
        adapter = framework.load(options.framework)
    except Unavailable as error:
        print(f"rulefuzz.validity: error: {error}", file=sys.stderr)
        return UNAVAILABLE
    return judge_all(adapter, options)


if __name__ == "__main__":
    sys.exit(main())

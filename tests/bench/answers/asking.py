"""Asks the rules and the framework itself the same questions, and compares the answers.

`right`: both accept the call with equal outputs, or both reject it; `wrong`; `unknown`: the rules do not decide;
`unanswered`: the framework does not."""

from __future__ import annotations

import argparse
import collections
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.written import Question, questions
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Framework, NotTensors, Output

REJECTED, UNKNOWN = "rejected", "unknown"
FILLS = ("ones", "normal")
"""A call is accepted if it is with either: some read elements, such as the inverse of a matrix."""


Described = Callable[[Sequence[Output]], str]
"""The text of a framework's outputs."""
Told = Callable[[dict[str, Any]], str]
"""The text of the rules' outputs."""


def live(framework: Framework, asked: Question, described: Described) -> str:
    """The framework's answer: its outputs described, REJECTED, or UNKNOWN if it has none."""
    call, answer = framework.compile(asked.api, asked.args), UNKNOWN
    for fill in FILLS:
        try:
            return described(framework.run(call, asked.values, fill))
        except Rejected:
            answer = REJECTED
        except (Unanswered, NotTensors):
            continue
    return answer


def ruled(asked: Question, told: Told) -> str:
    """The rules' answer."""
    from rulesmith import answers  # RULESMITH_LIBRARY is set by then

    found = answers.told(asked.text)
    return REJECTED if found.get("valid") is False else told(found)


def main(folder: Path, described: Described, told: Told, argv: Sequence[str] | None) -> int:
    """The command of a folder with a file of questions for each framework."""
    names = sorted(path.stem for path in folder.glob("*.txt"))
    parser = argparse.ArgumentParser(prog=f"python -m tests.bench.{folder.name}", description="Asks rules and framework.")
    parser.add_argument("framework", choices=names)
    parser.add_argument("--library", default="build/librulesmith.so", metavar="FILE", help="the rules (default: %(default)s)")
    options = parser.parse_args(argv)
    os.environ["RULESMITH_LIBRARY"] = options.library
    framework, counts, rest = registry.load(options.framework), collections.Counter[str](), []
    for asked in questions(folder / f"{options.framework}.txt"):
        want, got = live(framework, asked, described), ruled(asked, told)
        verdict = "unanswered" if want == UNKNOWN else "unknown" if got == UNKNOWN else "right" if got == want else "wrong"
        counts[verdict] += 1
        if verdict != "right":
            rest.append(f"{verdict:10} {asked.text}: {options.framework} {want}, rule {got}")
    total = sum(counts.values())
    print(", ".join(f"{counts[v]} {v} ({100 * counts[v] / total:.1f} %)" for v in ("right", "wrong", "unknown", "unanswered")))
    print("\n".join(rest))
    return int(counts["wrong"] > 0)

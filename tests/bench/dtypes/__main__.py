"""Asks the rules and the framework itself the same questions about dtypes:

    python -m tests.bench.dtypes FRAMEWORK [--library FILE]

`right`: both accept the call with the same dtypes of the outputs, or both reject it; `wrong`; `unknown`: the rules do not
decide. Prints the counts, then each question that is not right. Exit codes: 0 none is wrong; 1 some are; 2 usage."""

from __future__ import annotations

import argparse
import collections
import os
import sys
from collections.abc import Sequence

from rulefuzz.framework import Rejected, Unanswered
from tests.bench.dtypes.questions import Question, questions
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Framework, NotTensors

REJECTED, UNKNOWN = "rejected", "unknown"


def live(framework: Framework, asked: Question) -> str:
    """The framework's answer: the dtypes of the outputs, or REJECTED. UNKNOWN if it has none."""
    try:
        outputs = framework.run(framework.compile(asked.api, asked.args), asked.values, "ones")
    except Rejected:
        return REJECTED
    except (Unanswered, NotTensors):
        return UNKNOWN
    return " ".join(dtype for _, dtype in outputs)


def ruled(asked: Question) -> str:
    """The rules' answer."""
    from rulesmith import answers  # RULESMITH_LIBRARY is set by then

    told = answers.told(asked.text)
    if "dtypes" in told:
        return " ".join(told["dtypes"])
    return REJECTED if told.get("valid") is False else UNKNOWN


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.dtypes", description="Asks rules and framework about dtypes.")
    parser.add_argument("framework", choices=("torch", "onnx", "tensorflow"))
    parser.add_argument("--library", default="build/librulesmith.so", metavar="FILE", help="the rules (default: %(default)s)")
    options = parser.parse_args(argv)
    os.environ["RULESMITH_LIBRARY"] = options.library
    framework, counts = registry.load(options.framework), collections.Counter[str]()
    rest = []
    for asked in questions(options.framework):
        want, got = live(framework, asked), ruled(asked)
        verdict = "unanswered" if want == UNKNOWN else "unknown" if got == UNKNOWN else "right" if got == want else "wrong"
        counts[verdict] += 1
        if verdict != "right":
            rest.append(f"{verdict:10} {asked.text}: {options.framework} {want}, rule {got}")
    total = sum(counts.values())
    print(", ".join(f"{counts[v]} {v} ({100 * counts[v] / total:.1f} %)" for v in ("right", "wrong", "unknown", "unanswered")))
    print("\n".join(rest))
    return int(counts["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())

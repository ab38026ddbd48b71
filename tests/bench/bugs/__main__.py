"""Runs a campaign for each group of a list of public bugs, and tells which bugs it found.

A group is a backend in a version with the bug. Its campaign starts from nothing. A finished one is not run again unless
--again is given or its options differ. Exit codes: 0 all groups ran, 3 a by-design case was reported, 5 a group could
not run, 1 bad input, 2 usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
from pathlib import Path
from typing import Any

from tests.bench.bugs import cases as lists
from tests.bench.bugs import report
from tests.bench.bugs.campaign import Broken, Campaign, Plan
from tests.bench.bugs.cases import Case
from tests.bench.bugs.environments import Environments, Missing
from tests.bench.bugs.matching import Outcome, compare

EXIT_BAD, EXIT_REPORTED, EXIT_BROKEN = 1, 3, 5


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(prog="tests.bench.bugs", description=__doc__)
    parser.add_argument("bugs", type=Path, metavar="DIR", help="folder with list.tsv and its scripts")
    parser.add_argument("--rulefuzz", default="build/rulefuzz")
    parser.add_argument("--out", type=Path, default=Path("build/bench-bugs"), metavar="DIR", help="folder of the campaigns")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file (default: results.json in --out)")
    parser.add_argument("--budget", default="15m", help="time of each group (default 15m)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", default="*", metavar="GLOB", help="only groups that match, such as 'onnxruntime@*'")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only scripts that match")
    parser.add_argument("--options", default="", help="further options of rulefuzz run")
    parser.add_argument("--again", action="store_true", help="run finished groups again")
    parser.add_argument("--no-run", action="store_true", help="only compare the findings of finished groups")
    return parser


class Bench:
    """All groups."""

    def __init__(self, chosen: argparse.Namespace, environments: Environments) -> None:
        self._chosen = chosen
        self._environments = environments
        self._plan = Plan(chosen.budget, chosen.jobs, chosen.seed, tuple(chosen.options.split()))
        self.groups: dict[str, Any] = {}

    def group(self, name: str, cases: list[Case]) -> list[Outcome]:
        """Runs a group if it must be, and compares its findings with its cases."""
        campaign = Campaign(self._chosen.rulefuzz, self._chosen.out / name, self._environments, self._plan)
        try:
            if self._chosen.again or not campaign.is_done():
                if self._chosen.no_run:
                    raise Broken("not run yet")
                print(f"bench-bugs: {name}: {self._plan.budget}", file=sys.stderr, flush=True)
                campaign.run(cases[0].backend, cases[0].has)
            findings = campaign.findings()
        except (Broken, Missing) as error:
            self.groups[name] = {"failed": str(error)}
            return [Outcome(case, failed=str(error)) for case in cases]
        self.groups[name] = {"models": campaign.models(), "findings": len(findings)}
        return [self._compared(campaign, case, findings) for case in cases]

    def _compared(self, campaign: Campaign, case: Case, findings: list[Any]) -> Outcome:
        """Compares the findings with a case. The version without the bug may be missing."""
        try:
            script = self._chosen.bugs / case.script
            return compare(case, findings, campaign.run_script, script.read_text(encoding="utf-8") if script.exists() else "")
        except Missing as error:
            return Outcome(case, failed=str(error))


def main(given: list[str] | None = None, environments: Environments | None = None) -> int:
    """The command."""
    chosen = arguments().parse_args(given)
    try:
        every = lists.read(chosen.bugs)
    except (lists.Malformed, OSError) as error:
        print(error, file=sys.stderr)
        return EXIT_BAD
    every = [case for case in every if fnmatch.fnmatch(case.script, chosen.only)]
    groups = {name: cases for name, cases in lists.grouped(every).items() if fnmatch.fnmatch(name, chosen.groups)}
    bench = Bench(chosen, environments or Environments(chosen.rulefuzz))
    outcomes: list[Outcome] = []
    path = chosen.json or chosen.out / "results.json"
    for name, cases in groups.items():
        outcomes += bench.group(name, cases)
        report.write(path, report.document(outcomes, bench.groups))
    print(report.text(outcomes), end="")
    print(f"{path}: all matches and candidates")
    results = {outcome.result for outcome in outcomes}
    return EXIT_BROKEN if "not run" in results else EXIT_REPORTED if "reported" in results else 0


if __name__ == "__main__":
    sys.exit(main())

"""Records of attributes, and of values of attributes, that no record of an operator's version has.

    python -m traces.collect.frameworks.onnx.attributes traces/onnx [--jobs N] [--only GLOB]

Each version of an operator has few signatures, and most of them omit attributes. So the calls of other versions are replayed in
this one, and every attribute is given. String attributes and flags get every value, and each two of them every pair of values.
The values of a string are words of its description, or of the rejection of another word, that a call accepts. New signatures
follow the others in API.jsonl; those and the numbers of others stay. Prints the number of attributes and values that no record
has, before and after, and writes those after to UNRECORDED.tsv.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from rulefuzz.frameworks.domains import onnx as onnx_domains
from traces.collect.call import arglist
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks import registry
from traces.collect.frameworks.onnx import chance
from traces.collect.frameworks.onnx.adapter import OnnxAdapter
from traces.collect.frameworks.onnx.attributes import recorded
from traces.collect.frameworks.onnx.attributes.domain import GIVEN, Domain
from traces.collect.frameworks.onnx.attributes.finder import Finder
from traces.collect.frameworks.onnx.attributes.version import Version, versions
from traces.collect.frameworks.onnx.cases import Case, Found, node_cases
from traces.collect.judge import workers
from traces.collect.judge.framework import Framework
from traces.collect.judge.guard import Guarded
from traces.collect.judge.progress import Progress
from traces.collect.records import filter, write
from traces.collect.records.operators import explored
from traces.collect.records.settings import Budget, Settings

SETTINGS = Settings(1, Budget(trials=160, fruitless=60, passing=36, failing=36, passing_if_no_failure=20))
ROUNDS = 3
"""Searches of a version: a call may be accepted and have no record, since it depends on elements."""
REASON = 120
"""Characters of a reason."""
HEADER = ("api", "attribute", "value", "why")


def _unrecorded(domain: Domain, cases: Sequence[Case]) -> list[tuple[str, str]]:
    """The attributes that no call gives, and the values that none has."""
    given = {name for case in cases for name in case.attributes}
    have = {(name, text) for case in cases for name, texts in domain.features(case).items() for text in texts}
    found = [(name, GIVEN) for name in sorted(domain.schema.attributes) if name not in given]
    return found + [(name, text) for name, texts in sorted(domain.values.items()) for text in texts if (name, text) not in have]


def _short(message: str) -> str:
    """The end of a message, in one line, without paths."""
    return re.sub(r"\S*/\S+", "", " ".join(message.split()))[-REASON:]


def _lines(guarded: Guarded, version: Version, calls: Sequence[Call], records: Sequence[Json],
           reasons: Counter[tuple[str, str]]) -> list[str]:  # fmt: skip
    """The lines of the new signatures, numbered after the others."""
    api = version.api
    known = {arglist.signature(record["args"], keep_floats=True) for record in records}
    number = max((int(record["op"].rpartition("-")[2]) for record in records), default=-1) + 1
    lines: list[str] = []
    for call in calls:
        found = [o for o in filter.operators(guarded, api, [call], reasons) if o.sources != {RANKS}]
        for operator in found:
            text = arglist.signature(operator.args, keep_floats=True)
            if text in known:
                continue
            known.add(text)
            answer = explored(guarded, operator, SETTINGS, guarded.hangs)
            reasons.update({(text, reason): count for text, reason, count in answer["dropped"]})
            for line in answer["lines"]:
                lines.append(re.sub(r'"op":"[^"]*"', f'"op":"{api}-{number + len(lines)}"', line, count=1))
    return lines


def _work(records: dict[str, list[Json]], known: dict[str, Version], tests: dict[str, Any]) -> workers.Work:
    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        version, adapter = known[api], registry.load("onnx")
        name = onnx_domains.named(version.schema.domain, version.schema.name) if version.schema.domain else version.schema.name
        np.seterr(all="ignore")
        finder = Finder(version, records, tests[name].cases, cast(OnnxAdapter, adapter))
        guarded, dropped = guard(adapter), Counter[tuple[str, str]]()
        lines: list[str] = []
        new: list[Case] = []
        calls: list[Call] = []
        for turn in range(ROUNDS):
            finder.most = version.most if turn == 0 else 0
            found = finder.find(new, calls)
            calls += found
            stored = [*records.get(api, ()), *map(json.loads, lines)]
            more = _lines(guarded, version, found, stored, dropped) if found else []
            lines += more
            new += [case for line in more for case in recorded.cases(json.loads(line), version.schema.min_output)]
            if not found or not _unrecorded(finder.domain, [*finder.own, *new]):
                break
        before, after = _unrecorded(finder.domain, finder.own), _unrecorded(finder.domain, [*finder.own, *new])
        why = "; ".join(sorted({reason for _, reason in dropped}))
        return {"lines": lines, "before": before, "after": [(*row, _short(finder.reasons.get(row) or why)) for row in after]}

    return work


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m traces.collect.frameworks.onnx.attributes",
                                     description="Records attributes and values of attributes that no record has.")  # fmt: skip
    parser.add_argument("folder", type=Path, help="the record files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    parser.add_argument("--only", metavar="GLOB", default="*", help="only APIs whose name matches")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    warnings.simplefilter("ignore")
    options = _parser().parse_args(argv)
    folder = options.folder
    records = {path.stem: [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
               for path in sorted(folder.glob("*.jsonl"))}  # fmt: skip
    known = versions()
    adapter = cast(OnnxAdapter, registry.load("onnx"))
    names = [api for api in sorted(known) if fnmatch.fnmatch(api, options.only) and known[api].schema.attributes
             and (not known[api].schema.domain or (api in records and adapter.has_kernel(api)))]  # fmt: skip
    work = _work(records, known, defaultdict(Found, node_cases()))
    progress, written = Progress("attributes"), []
    counts, added, left = [0, 0], 0, []
    scratch = Path("build/traces/onnx/attributes")
    runs = workers.run(names, options.jobs, work, scratch, frozenset(), registry.limits("onnx"))
    for done, (api, answer, _) in enumerate(runs, 1):
        progress.show(done, len(names))
        if not answer:
            print(f"error: {api} failed: see {scratch}/{api}.log", file=sys.stderr)
            continue
        counts[0] += len(answer["before"])
        counts[1] += len(answer["after"])
        left += [(api, *row) for row in answer["after"]]
        if answer["lines"]:
            path = folder / f"{api}.jsonl"
            old = path.read_text(encoding="ascii") if path.exists() else ""
            write.write_file(path, old + "".join(f"{line}\n" for line in answer["lines"]))
            written.append(path)
            added += len(answer["lines"])
    progress.end()
    chance.judge_files(written, adapter)
    if options.only == "*":
        write.write_file(folder / "UNRECORDED.tsv", write.table(HEADER, left))
    print(f"{added} signatures of {len(written)} APIs added; attributes and values without a record: {counts[0]} before, "
          f"{counts[1]} after")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Cross-checks calls, given as JSON lines, against the live kernels: the oracle of `rulefuzz verify --cross-check`.

    python -m traces.collect.cross_check FRAMEWORK KIND [--traces DIR] [--work DIR] [--log FILE]

It writes one line per line, in order (docs/reference/file-formats.md):

    {"op":OP,"in":[5,5,0,2]}         the same, and "opinions": [{"outcome", "what", "live", "said", "form"}, …]
    {"op":OP,"fail":3}               the same for its fourth rejected record, modulo their number; "in" is added
    {"confirm":{…an answer…},"opinion":I}
                                     "script", a text, and "tiers": the ways by which a fresh process showed it

The calls run in child processes, like the collector's own (traces/collect/judge/oracle.py).
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rulefuzz import sandbox
from traces.collect.call.spec import Json, Values
from traces.collect.cli.ask import Lines
from traces.collect.cross_check.kinds import KINDS, asker_of
from traces.collect.cross_check.opinion import Asker, Opinion
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Framework
from traces.collect.judge.oracle import Oracle, Question, Subject
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine, integers

BATCH = 64
"""Questions per request to the child."""
SECONDS = 180
"""Seconds for a confirming process."""


def _work(asker: Asker, framework: Framework, inside: sandbox.Inside) -> None:
    """The child of an oracle (judge/oracle.py, Work)."""
    calls = {}
    for subjects, batch in inside.requests():
        for subject in subjects:
            calls[subject.name] = asker.compile(subject)
        for name, values in batch:
            inside.journal.note(f"{name}\t{','.join(map(str, values))}")
            opinions = [asdict(opinion) for opinion in asker.ask(calls[name], values)]
            inside.tell(f'"opinions":{json.dumps(opinions)}')


def confirmed(script: str) -> bool:
    """True if the script, in a fresh process, exits with 1 and has printed its expected line."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(script, encoding="utf-8")
        try:
            done = subprocess.run([sys.executable, "-P", str(path)], timeout=SECONDS, cwd=folder, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 1 and "actual:" in done.stdout


class Session:
    """Answers lines."""

    def __init__(self, oracle: Oracle, records: RecordFiles, asker: Asker) -> None:
        self._oracle, self._records, self._asker = oracle, records, asker

    def answer(self, lines: Sequence[bytes]) -> list[str]:
        """Answers line by line."""
        taken = [self._take(line) for line in lines]
        told = self._oracle.answers([question for _, question in taken if question])
        return [json.dumps(start)[:-1] + f",{next(told)}}}" if question else json.dumps(start) for start, question in taken]

    def _take(self, line: bytes) -> tuple[Json, Question | None]:
        """The start of an answer, and the question that completes it."""
        try:
            message = json.loads(line)
            if not isinstance(message, dict):
                raise BadLine("not an object")
            return self._confirm(message) if "confirm" in message else self._question(message)
        except BadLine as error:
            return {"error": str(error)}, None
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return {"error": f"not a question: {error}"}, None

    def _question(self, message: Json) -> tuple[Json, Question | None]:
        operator = self._records.find(message.get("op"))
        if "fail" in message:
            failing = sorted(operator.failing)
            if not failing:
                return {**message, "opinions": []}, None
            message["in"] = list(failing[message["fail"] % len(failing)])
        values = integers(message.get("in"))
        if len(values) != operator.symbols:
            raise BadLine(f"{message['op']} has {operator.symbols} symbols, not {len(values)}")
        if operator.settled(values):
            return {**message, "opinions": []}, None
        return message, operator.question(values)

    def _confirm(self, message: Json) -> tuple[Json, None]:
        told = message["confirm"]
        operator = self._records.find(told["op"])
        values, opinion = integers(told["in"]), Opinion(**told["opinions"][message["opinion"]])
        script = partial(self._script, operator.subject, values, opinion)
        tiers = []
        for kind in self._asker.tiers():
            if not confirmed(script(kind)):
                break
            tiers.append(kind)
        return {"script": script(self._asker.tiers()[0]), "tiers": tiers}, None

    def _script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        return self._asker.script(subject, values, opinion, kind)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m traces.collect.cross_check", description="Second opinions on calls.",
                                     epilog="Exit codes: 0 done; 2 usage; 5 framework not installed.")  # fmt: skip
    parser.add_argument("framework", choices=sorted(KINDS), help="whose calls")
    parser.add_argument("kind", help="the second opinion: " + ", ".join(kind for kinds in KINDS.values() for kind in kinds))
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for crash reports (default: build/traces/FRAMEWORK)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="the framework's output (default: DIR/against.log)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.kind not in KINDS[options.framework]:
        parser.error(f"{options.framework} has no kind '{options.kind}'; expected one of {', '.join(KINDS[options.framework])}")
    build = options.work or Path("build/traces") / options.framework
    try:
        framework = registry.load(options.framework)
        asker = asker_of(framework, options.kind, registry.limits(options.framework))
    except ImportError as error:
        print(f"traces.collect.cross_check: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the child is ended too
    build.mkdir(parents=True, exist_ok=True)
    oracle = Oracle(framework, build / "against.jsonl", options.log or build / "against.log", asker.limits,
                    partial(_work, asker))  # fmt: skip
    lines = Lines(sys.stdin.fileno(), sys.stdout.fileno())
    session = Session(oracle, RecordFiles(options.traces or Path("traces") / options.framework), asker)
    try:
        lines.serve(session.answer, BATCH)
    finally:
        oracle.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

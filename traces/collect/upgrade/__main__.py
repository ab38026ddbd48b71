"""Answers JSON lines about calls and APIs from the framework of this Python: a live side of `rulesmith diff`.

    python -m traces.collect.upgrade FRAMEWORK [--work DIR] [--log FILE]

It writes one line per line, in order (docs/reference/file-formats.md):

    {"about":true}                       "framework", "versions"
    {"apis":true}                        "apis": the names of the public APIs
    {"signature":API}                    "arguments" and "overloads", or "unknown":true
    {"know":{"op","api","args"}}         {"known":OP}: the subject of questions about OP
    {"op":OP,"in":[5,5,0,2]}             the same and "outcome", "outputs", "message"; with "alone":true from a fresh
                                         process
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from rulefuzz.framework import Unanswered
from traces.collect.call.spec import Json
from traces.collect.cli.ask import Lines
from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle, Question
from traces.collect.records.recorded import BadLine, Recorded, integers
from traces.collect.upgrade import public
from traces.collect.upgrade.answers import work

BATCH = 256
"""Questions per request to the child."""

Taken = tuple[Json, Question | None]
"""The start of an answer, and the question that completes it."""


class Session:
    """Answers lines."""

    def __init__(self, oracle: Oracle, framework: str, facade: public.Public | None) -> None:
        self._oracle, self._framework, self._public = oracle, framework, facade
        self._known: dict[str, Recorded] = {}

    def answer(self, lines: Sequence[bytes]) -> list[str]:
        """Answers line by line; questions with "alone" get a process of their own."""
        taken = [self._take(line) for line in lines]
        told: list[str] = []
        batch: list[Taken] = []
        for start, question in taken:
            if question and start.get("alone"):
                told += self._settle(batch)
                batch.clear()
                self._oracle.end()
                told += self._settle([(start, question)])
                self._oracle.end()
            else:
                batch.append((start, question))
        return told + self._settle(batch)

    def _settle(self, batch: Sequence[Taken]) -> list[str]:
        answers = self._oracle.answers([question for _, question in batch if question])
        texts = [json.dumps(start, separators=(",", ":")) for start, _ in batch]
        return [f"{text[:-1]},{next(answers)}}}" if question else text
                for text, (_, question) in zip(texts, batch, strict=True)]  # fmt: skip

    def _take(self, line: bytes) -> Taken:
        try:
            message = json.loads(line)
            if not isinstance(message, dict):
                raise BadLine("not an object")
            if "op" in message:
                return self._question(message)
            return self._fact(message), None
        except BadLine as error:
            return {"error": str(error)}, None
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return {"error": f"not a question: {error}"}, None

    def _fact(self, message: Json) -> Json:
        if "know" in message:
            record = message["know"]
            self._known[record["op"]] = Recorded.of({"pass": [[[0] * record["symbols"], []]], "fail": [], **record})
            return {"known": record["op"]}
        if message.get("about") is True:
            return {"framework": self._framework, "versions": self._public.versions() if self._public else {}}
        if message.get("apis") is True:
            return {"apis": self._public.apis() if self._public else []}
        signature = self._public.signature(message["signature"]) if self._public else None
        if signature is None:
            return {"signature": message["signature"], "unknown": True}
        return {"signature": message["signature"], "arguments": signature.arguments, "overloads": signature.overloads}

    def _question(self, message: Json) -> Taken:
        operator = self._known.get(message["op"])
        if operator is None:
            raise BadLine(f"unknown operator {message['op']!r}")
        values = integers(message.get("in"))
        if len(values) != operator.symbols:
            raise BadLine(f"{message['op']} has {operator.symbols} symbols, not {len(values)}")
        return message, operator.question(values)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.upgrade",
        description="Answers JSON lines about calls and APIs from the framework that this Python has.",
        epilog="Exit codes: 0 done; 2 usage; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("--work", type=Path, metavar="DIR",
                        help="folder for crash reports (default: build/diff/FRAMEWORK)")  # fmt: skip
    parser.add_argument("--log", type=Path, metavar="FILE", help="the framework's output (default: DIR/upgrade.log)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    build = options.work or Path("build/diff") / options.framework
    try:
        framework = registry.load(options.framework)
        facade = public.load(options.framework)
    except (ImportError, Unanswered) as error:
        print(f"traces.collect.upgrade: error: {error}", file=sys.stderr)
        return 5
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the child is ended too
    build.mkdir(parents=True, exist_ok=True)
    oracle = Oracle(framework, build / "findings.jsonl", options.log or build / "upgrade.log",
                    registry.limits(options.framework), work)  # fmt: skip
    lines = Lines(sys.stdin.fileno(), sys.stdout.fileno())
    session = Session(oracle, options.framework, facade)
    try:
        lines.serve(session.answer, BATCH)
    finally:
        oracle.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Answers questions about calls from the live framework: the oracle as a process that a client keeps running.

    python -m traces.collect.cli.ask FRAMEWORK [--traces DIR] [--work DIR] [--log FILE] [--jobs N]

Reads JSON lines and writes one answer line per line, in order (docs/reference/file-formats.md):

    {"op":OP,"in":[5,5,0,2]}                         the same and "outcome": pass ("out"), fail, mixed, other, lost
    {"keep":OP,"pass":[[in,out],…],"fail":[in,…]}    adds records to the operator, in memory; {"kept":N}
    {"save":true}                                    writes the changed record files; {"saved":N}

This process knows the records and never calls the framework. Questions that the records do not answer go to a child
in batches. If a child dies or hangs, only its current question is lost, and the next child continues after it:

    stdin ──► this process ──batch──► child: journal, call, journal, call, …      (judge/oracle.py)
    stdout ◄──            ◄─answer, answer, … (each at once, so that a death loses none)
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from traces.collect.call.spec import Json
from traces.collect.frameworks import registry
from traces.collect.judge.oracle import Oracle, Question
from traces.collect.records.files import RecordFiles
from traces.collect.records.recorded import BadLine, integers
from traces.collect.user_ops.elements import gentle

BATCH = 256
"""Questions per batch."""
CHUNK = 1 << 16


class Lines:
    """Lines in and out. It keeps reading while it waits to write, so that a client may write without reading."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._held, self._out = b"", bytearray()
        self._open = True

    def read(self) -> list[bytes]:
        """The complete lines received, after waiting for at least one; empty at the end."""
        self._flush()
        while self._open and b"\n" not in self._held:
            self._fill()
        *lines, self._held = self._held.split(b"\n")
        if not self._open and self._held:
            lines, self._held = [*lines, self._held], b""
        return lines

    def serve(self, answer: Callable[[Sequence[bytes]], Iterable[str]], most: int) -> None:
        """Answers lines in order, `most` at a time, until the input ends or the output is closed."""
        with contextlib.suppress(BrokenPipeError):
            while batch := self.read():
                whole = [line for line in batch if line.strip()]
                for first in range(0, len(whole), most):
                    for text in answer(whole[first : first + most]):
                        self.write(text)

    def write(self, text: str) -> None:
        """Queues a line; a full CHUNK is written at once, the rest before the next wait."""
        self._out += text.encode() + b"\n"
        if len(self._out) >= CHUNK:
            self._flush()

    def _fill(self) -> None:
        chunk = os.read(self._source, CHUNK)
        self._open = bool(chunk)
        self._held += chunk

    def _flush(self) -> None:
        while self._out:
            readable, writable, _ = select.select([self._source] if self._open else [], [self._sink], [])
            if writable:
                del self._out[: os.write(self._sink, self._out[: select.PIPE_BUF])]
            elif readable:
                self._fill()


class Session:
    """Answers lines. Questions wait until a batch is full, and later lines wait behind them."""

    def __init__(self, oracle: Oracle, records: RecordFiles, lines: Lines) -> None:
        self._oracle, self._records, self._lines = oracle, records, lines
        self._waiting: list[tuple[str, Question | None]] = []
        """A complete answer, or the start of an answer and the question that completes it."""

    def take(self, line: bytes) -> None:
        """One line."""
        try:
            self._waiting.append(self._dispatch(line))
        except BadLine as error:
            self._waiting.append((json.dumps({"error": str(error)}, separators=(",", ":")), None))
        if len(self._waiting) >= BATCH:
            self.settle()

    def _dispatch(self, line: bytes) -> tuple[str, Question | None]:
        try:
            message = json.loads(line)
        except ValueError as error:
            raise BadLine(f"not JSON: {error}") from None
        if not isinstance(message, dict):
            raise BadLine("not an object")
        if "keep" in message:
            count = self._records.keep(message["keep"], message.get("pass", []), message.get("fail", []))
            return f'{{"kept":{count}}}', None
        if message.get("save") is True:
            return f'{{"saved":{self._records.save()}}}', None
        return self._ask(message)

    def _ask(self, message: Json) -> tuple[str, Question | None]:
        operator = self._records.find(message.get("op"))
        values = integers(message.get("in"))
        if len(values) != operator.symbols:
            raise BadLine(f"{message['op']} has {operator.symbols} symbols, not {len(values)}")
        if "out" in message:
            message["predicted"] = message.pop("out")
        start = json.dumps(message, separators=(",", ":"))[:-1] + ","
        known = operator.known(values) or operator.settled(values)
        return (f"{start}{known}}}", None) if known else (start, operator.question(values))

    def settle(self) -> None:
        """Answers all waiting lines."""
        answers = self._oracle.answers([question for _, question in self._waiting if question])
        for text, question in self._waiting:
            self._lines.write(f"{text}{next(answers)}}}" if question else text)
        self._waiting.clear()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.cli.ask",
        description="Answers JSON lines about calls from the live framework.",
        epilog="Exit codes: 0 done; 2 usage; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to query")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--work", type=Path, metavar="DIR",
                        help="folder for crash reports (default: build/traces/FRAMEWORK)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="child processes (default: 1)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="the framework's output (default: DIR/ask.log)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    build = options.work or Path("build/traces") / options.framework
    folder = options.traces or Path("traces") / options.framework
    try:
        framework = gentle(registry.load(options.framework), folder)
    except ImportError as error:
        print(f"traces.collect.cli.ask: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the child is ended too
    build.mkdir(parents=True, exist_ok=True)
    oracle = Oracle(framework, build / "findings.jsonl", options.log or build / "ask.log",
                    registry.limits(options.framework), children=max(1, options.jobs))  # fmt: skip
    lines = Lines(sys.stdin.fileno(), sys.stdout.fileno())
    session = Session(oracle, RecordFiles(folder), lines)
    try:
        while batch := lines.read():
            for line in batch:
                if line.strip():
                    session.take(line)
            session.settle()
    except BrokenPipeError:
        return 0
    finally:
        oracle.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

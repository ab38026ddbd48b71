"""Answers questions about calls from the live framework: the oracle as a process that a client keeps.

    python -m traces.collect.cli.ask FRAMEWORK [--traces DIR] [--log FILE]

JSON lines on standard input, one line of answer for each on standard output, in order (docs/traces.md):

    {"op":OP,"in":[5,5,0,2]}                         the same and "outcome": pass ("out"), fail, mixed, other, lost
    {"keep":OP,"pass":[[in,out],…],"fail":[in,…]}    adds records to the operator, in memory; {"kept":N}
    {"save":true}                                    writes the record files that changed; {"saved":N}

The supervisor (this process) reads, knows the records, and never calls the framework. It hands what they do not answer
to a child, many questions at a time; the child notes each call in the journal before it runs it. A child that dies or
hangs costs the question that it was at, which is noted as a finding, and the next child goes on behind it:

    stdin ──► supervisor ──batch──► child: journal, call, journal, call, …
    stdout ◄──          ◄─answer, answer, … (each at once, so that a death loses none)
"""

from __future__ import annotations

import argparse
import contextlib
import json
import marshal
import math
import os
import select
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn

from traces.collect.call import symbolise
from traces.collect.call.symbolise import Json, Values
from traces.collect.frameworks import registry
from traces.collect.judge import supervise
from traces.collect.judge.framework import Framework
from traces.collect.judge.verdict import FAIL, LOST, PASS, judge
from traces.collect.records import write
from traces.collect.records.augment import Budget

BATCH = 256
"""Questions handed to the child at a time."""
LIFE = 20_000
"""Questions after which a child is replaced, so that what its calls did to memory does not last."""
APIS = 256
"""Record files held in memory, besides those that changed."""
CHUNK = 1 << 16
TICK = 0.05
"""Seconds between looks at a child that does not answer."""
MEMORY = tuple(f'"outcome":"{LOST}","message":"{what}' for what in ("out of memory", "MemoryError"))
"""How the answer to a call begins that memory did not suffice for."""
LONGEST = 300
"""Characters of a message."""

Answer = str
"""What an answer adds to its question: the inside of a JSON object."""


class BadLine(Exception):
    """A line that is not of the protocol; the message says why."""


def answer(kind: str, out: Sequence[int] = (), message: str = "") -> Answer:
    """The keys of an answer."""
    text = f'"outcome":"{kind}"'
    if kind == PASS:
        text += f',"out":[{",".join(map(str, out))}]'
    return f'{text},"message":{json.dumps(message[:LONGEST])}' if message else text


# ---- the records


@dataclass
class Operator:
    """One operator's record line, and what it says of inputs."""

    record: Json
    passing: dict[Values, list[int]] = field(default_factory=dict)
    failing: set[Values] = field(default_factory=set)
    tensors: list[list[int]] = field(default_factory=list)
    """For each input tensor the indices of its dimensions' symbols."""
    ranges: Sequence[tuple[Values, int, int]] = ()
    """As symbolise.ranges tells them."""
    symbols: int = 0
    elements: int = 0
    """Most elements that a tensor may have."""

    @staticmethod
    def of(record: Json) -> Operator:
        """From its line."""
        operator = Operator(record)
        operator.passing = {tuple(values): out for values, out in record["pass"]}
        operator.failing = {tuple(values) for values in record["fail"]}
        known = next(iter(operator.passing), None) or next(iter(operator.failing), ())
        operator.symbols = len(known)
        for tensor in symbolise.tensors(record["args"]):
            operator.tensors.append([int(symbol[1:]) for symbol in tensor["tensor"]])
        operator.ranges = symbolise.ranges(record["args"])
        most = max((operator.largest(values) for values in operator.passing), default=0)
        operator.elements = max(Budget.elements, 2 * most)
        return operator

    def largest(self, values: Values) -> int:
        """Elements of the largest input tensor."""
        return max((math.prod([values[i] for i in dims]) for dims in self.tensors), default=0)

    def known(self, values: Values) -> Answer | None:
        """The answer of the records."""
        if values in self.passing:
            return answer(PASS, self.passing[values]) + ',"seen":true'
        return answer(FAIL) + ',"seen":true' if values in self.failing else None

    def settled(self, values: Values) -> Answer | None:
        """The answer that needs no call: about what no tensor can be, and what is too large to try."""
        if any(values[i] < 0 for dims in self.tensors for i in dims):
            return answer(FAIL, message="a negative dimension")
        for dims, low, high in self.ranges:
            if values[low] > values[high]:
                return answer(FAIL, message="the range ends before it begins")
            empty = any(values[i] == 0 for i in dims)
            if (values[low], values[high]) != (0, 0) if empty else values[low] == values[high]:
                return answer(LOST, message="a range that is never asked")
        return answer(LOST, message="too large") if self.largest(values) > self.elements else None

    def keep(self, passing: Sequence[tuple[Values, list[int]]], failing: Sequence[Values]) -> int:
        """Adds records that are new; how many."""
        before = len(self.passing) + len(self.failing)
        for values, out in passing:
            if values not in self.failing:
                self.passing.setdefault(values, out)
        self.failing.update(values for values in failing if values not in self.passing)
        return len(self.passing) + len(self.failing) - before

    def line(self) -> str:
        """The record line; its keys keep their order."""
        passing = [[list(values), out] for values, out in sorted(self.passing.items())]
        added = {"pass": passing, "fail": [list(values) for values in sorted(self.failing)]}
        if len(passing) > len(self.record["pass"]) or len(added["fail"]) > len(self.record["fail"]):
            added["source"] = sorted({*self.record.get("source", []), "refine"})
        return json.dumps({**self.record, **added}, separators=(",", ":"), ensure_ascii=True)


class Records:
    """The record files of a folder, each read when one of its operators is named."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._apis: dict[str, dict[str, Operator]] = {}
        self._changed: set[str] = set()

    def find(self, name: Any) -> Operator:
        """The operator of that name."""
        api = name.rpartition("-")[0] if isinstance(name, str) else ""
        if api not in self._apis:
            if len(self._apis) > APIS:
                self._apis = {known: self._apis[known] for known in self._changed}
            self._apis[api] = self._read(api)
        try:
            return self._apis[api][name]
        except (KeyError, TypeError):
            raise BadLine(f"unknown operator {name!r}") from None

    def _read(self, api: str) -> dict[str, Operator]:
        path = self._folder / f"{api}.jsonl"
        if not api or "/" in api or not path.exists():
            return {}
        records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return {record["op"]: Operator.of(record) for record in records}

    def keep(self, name: Any, passing: Any, failing: Any) -> int:
        """Adds records to an operator; how many were new."""
        operator = self.find(name)
        try:
            pairs = [(_integers(values), list(_integers(out))) for values, out in passing]
        except (TypeError, ValueError):
            raise BadLine('"pass" is not a list of [in, out]') from None
        if not isinstance(failing, list):
            raise BadLine('"fail" is not a list')
        fails = [_integers(values) for values in failing]
        if any(len(values) != operator.symbols for values in [*fails, *(values for values, _ in pairs)]):
            raise BadLine(f"{name} has {operator.symbols} symbols")
        count = operator.keep(pairs, fails)
        if count:
            self._changed.add(name.rpartition("-")[0])
        return count

    def touch(self, name: str) -> None:
        """Has the file of an operator, whose record was changed, written by the next save."""
        self._changed.add(name.rpartition("-")[0])

    def save(self) -> int:
        """Writes the files that changed; how many."""
        for api in sorted(self._changed):
            lines = [operator.line() + "\n" for operator in self._apis[api].values()]
            write.write_file(self._folder / f"{api}.jsonl", "".join(lines))
        count = len(self._changed)
        self._changed.clear()
        return count


def _integers(values: Any) -> Values:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise BadLine(f"not a list of integers: {json.dumps(values)[:60]}")
    return tuple(values)


# ---- the child


def _child(framework: Framework, journal: supervise.Journal, asked: IO[bytes], told: int) -> NoReturn:
    """Judges batches until there are no more."""
    code = 1
    try:
        supervise.limit_memory()
        guarded = supervise.Guarded(framework, journal)
        calls: dict[str, tuple[Any, ...]] = {}
        while True:
            try:
                new, batch = marshal.load(asked)
            except EOFError:
                code = 0
                break
            for name, (api, args, *rest) in new.items():
                calls[name] = guarded.compile(api, args), rest
            for name, values in batch:
                call, rest = calls[name]
                verdict = judge(guarded, call, values, *rest)
                out = [dim for dims in verdict.outputs for dim in dims]
                os.write(told, answer(verdict.kind, out, verdict.message).encode() + b"\n")
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _description(operator: Operator) -> tuple[Any, ...]:
    """What the child must know of an operator: API, arguments, and what judge takes."""
    record = operator.record
    types = [(len(output["tensor"]), output["dtype"]) for output in record["outputs"]]
    return record["api"], record["args"], types, operator.ranges


Question = tuple[str, Operator, Values]


@dataclass
class Child:
    """A process that answers questions, and our ends of its pipes."""

    job: supervise.Job
    ask: IO[bytes]
    told: int
    known: set[str] = field(default_factory=set)
    """Operators that it was told of."""
    asked: int = 0
    left: int = 0
    """Questions that it is at work on."""

    @staticmethod
    def start(framework: Framework, log: Path) -> Child:
        """Forks it; what it prints goes to the log."""
        asked, ask = os.pipe()
        told, tell = os.pipe()
        job = supervise.Job("ask", journal=supervise.Journal())
        assert job.journal is not None
        job.pid = os.fork()
        if job.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.close(ask)
            os.close(told)
            file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(file, 1)
            os.dup2(file, 2)
            _child(framework, job.journal, os.fdopen(asked, "rb"), tell)
        os.close(asked)
        os.close(tell)
        return Child(job, os.fdopen(ask, "wb"), told)

    def run(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """The answers, as far as it lives."""
        new = {name: _description(operator) for name, operator, _ in questions if name not in self.known}
        self.known.update(new)
        self.asked += len(questions)
        self.left = len(questions)
        self.job.calls = -1  # its clock starts now
        with contextlib.suppress(BrokenPipeError):
            marshal.dump((new, [(name, values) for name, _, values in questions]), self.ask)
            self.ask.flush()
        held = b""
        while self.left:
            if not select.select([self.told], [], [], TICK)[0]:
                supervise.watch(self.job)
                continue
            chunk = os.read(self.told, CHUNK)
            if not chunk:
                self.left = 0
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                self.left -= 1
                yield line.decode()

    def end(self) -> str:
        """Waits for it, kills it if it is at work; how it ended, "" if by itself."""
        if self.left:
            os.kill(self.job.pid, signal.SIGKILL)
        with contextlib.suppress(BrokenPipeError):
            self.ask.close()
        os.close(self.told)
        status = os.waitpid(self.job.pid, 0)[1]
        assert self.job.journal is not None
        self.job.journal.close()
        if os.WIFSIGNALED(status):
            return self.job.ended_by_us or f"{supervise.CRASH}{signal.Signals(os.WTERMSIG(status)).name}"
        return f"exit code {os.WEXITSTATUS(status)}" if status else ""


class Oracle:
    """The framework behind children that may die."""

    def __init__(self, framework: Framework, findings: Path, log: Path) -> None:
        self._framework, self._findings, self._log = framework, findings, log
        self._child: Child | None = None
        self._ends: Counter[tuple[str, str]] = Counter()
        """(Operator, how) to the number of its questions that ended so."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """One answer a question. What kills a child that was asked others before is tried again in a new one."""
        done = 0
        while done < len(questions):
            name, operator, values = questions[done]
            if self._ends[(name, supervise.HANG)] >= supervise.NOTED:
                yield answer(LOST, message="its operator hangs")
                done += 1
                continue
            child = self._child = self._child or Child.start(self._framework, self._log)
            alone = child.asked == 0
            for text in child.run(questions[done:]):
                if text.startswith(MEMORY):
                    self._note(questions[done], "out of memory")
                yield text
                done += 1
                alone = False
            if done == len(questions) and child.asked < LIFE:
                return
            how = self.end()
            if done < len(questions) and (alone or how.startswith("hang")):
                self._note(questions[done], how)
                yield answer(LOST, message=how)
                done += 1

    def _note(self, question: Question, how: str) -> None:
        name, operator, values = question
        self._ends[(name, how)] += 1
        if self._ends[(name, how)] <= supervise.NOTED:
            finding = {"api": operator.record["api"], "args": operator.record["args"], "in": values, "how": how}
            with self._findings.open("a", encoding="ascii") as file:
                file.write(json.dumps(finding, separators=(",", ":")) + "\n")

    def end(self) -> str:
        """Ends the child; how it ended."""
        child, self._child = self._child, None
        return child.end() if child else ""


# ---- the protocol


class Lines:
    """Lines in and out. While it waits to write it goes on reading, so that a client may write without reading."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._held, self._out = b"", bytearray()
        self._open = True

    def read(self) -> list[bytes]:
        """The whole lines that have come, after waiting for one; none at the end."""
        self._flush()
        while self._open and b"\n" not in self._held:
            self._fill()
        *lines, self._held = self._held.split(b"\n")
        if not self._open and self._held:
            lines, self._held = [*lines, self._held], b""
        return lines

    def write(self, text: str) -> None:
        """Writes a line; a full CHUNK at once, the rest before the next wait."""
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
    """Answers lines; questions wait until a batch is whole, and all else waits behind them."""

    def __init__(self, oracle: Oracle, records: Records, lines: Lines) -> None:
        self._oracle, self._records, self._lines = oracle, records, lines
        self._waiting: list[tuple[str, Question | None]] = []
        """What is answered in full, or the start of an answer and the question that completes it."""

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
        values = _integers(message.get("in"))
        if len(values) != operator.symbols:
            raise BadLine(f"{message['op']} has {operator.symbols} symbols, not {len(values)}")
        if "out" in message:
            message["predicted"] = message.pop("out")
        start = json.dumps(message, separators=(",", ":"))[:-1] + ","
        settled = operator.known(values) or operator.settled(values)
        return (f"{start}{settled}}}", None) if settled else (start, (message["op"], operator, values))

    def settle(self) -> None:
        """Answers all that waits."""
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
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to ask")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--log", type=Path, metavar="FILE",
                        help="what the framework prints (default: build/traces/FRAMEWORK/ask.log)")  # fmt: skip
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    build = Path("build/traces") / options.framework
    try:
        framework = registry.load(options.framework)
    except ImportError as error:
        print(f"traces.collect.cli.ask: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # an exit, so that the child is ended too
    build.mkdir(parents=True, exist_ok=True)
    oracle = Oracle(framework, build / "findings.jsonl", options.log or build / "ask.log")
    lines = Lines(sys.stdin.fileno(), sys.stdout.fileno())
    session = Session(oracle, Records(options.traces or Path("traces") / options.framework), lines)
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

"""Runs models by a framework's own reference and says which are valid: the part that all frameworks share.

    rulefuzz gen --framework F --count 1000 | python F_eager.py [--show N] [--failures FILE] [--nonfinite FILE] [--quiet] [--jobs N]

JSON lines on standard input are models (docs/formats.md); for each, in order, a line on standard output: docs/validity.md.
The summary on standard error says how many are valid and what failed most often. FILE gets every failed call.

The process that starts imports the framework and never calls it. Children run batches of models; before each call they
note model and node in shared memory, so that a child that dies or hangs costs one model and is blamed on one call:

    stdin ──► mother ──batch──► child: note, call, compare; note, call, …
                     ◄─answer, answer, … (a line each at once, so that a death loses none)
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import math
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NoReturn, Protocol

import elements
import numpy as np

Json = Any
Values = dict[int, Any]

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The source tree, where the collectors' oracles are."""

BATCH = 200
"""Models that one child runs: starting one costs up to a second, and what calls leave behind adds up."""
CPU_SECONDS = 10.0
"""Processor time of one call."""
WALL_SECONDS = 60.0
"""Time of one call, which may be waiting for a lock."""
MEMORY = 4 << 30
"""Address space that a child may add to what it has at its start."""
TICK = 0.2
LONGEST = 400
"""Characters of a message."""
ORIGINS = 8
"""Nodes named that first made a non-finite element."""


class Mismatch(Exception):
    """A call's results are not as the model says; the arguments are the kind, "shape" or "dtype", and what."""


class Framework(Protocol):
    """What a framework's module provides. Nothing of it runs a call before `enter`."""

    name: str

    def enter(self) -> None:
        """Called once in a child."""

    def tensor(self, array: Any, dtype: str) -> Any:
        """A tensor of the elements that elements.elements made."""

    def span(self, nodes: Sequence[Json], start: int, dtypes: dict[int, str]) -> int:
        """How many nodes, from `start` on, are run by one call of `run`; at least 1."""

    def run(self, nodes: Sequence[Json], values: Values) -> list[list[Any]]:
        """The tensors that each node returns."""

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """Shape and dtype."""

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """Whether all elements are finite; the least and the greatest that are, None where there is none."""

    def finite(self, tensor: Any) -> bool:
        """Whether all elements are finite."""

    def plain(self, tensor: Any) -> Any:
        """A copy that lies in memory without gaps; the tensor itself where nothing else can be."""

    def notes(self) -> dict[str, int]:
        """What is worth telling about how calls were run, counted since the last time."""


# ---- values of arguments


def refs(value: Json) -> Iterator[int]:
    """The tensors that an argument takes."""
    if isinstance(value, list):
        for item in value:
            yield from refs(item)
    elif isinstance(value, dict) and "ref" in value:
        yield value["ref"]


def node_refs(node: Json) -> list[int]:
    """The tensors that a call takes, in argument order, each as often as it is taken."""
    return [ref for arg in node["args"] for ref in refs(arg["value"])]


@dataclass(frozen=True)
class Builder:
    """From an argument's JSON to what the framework takes."""

    constant: Callable[[str], Any]
    elements: Callable[[Any, str], Any]
    copy: Callable[[Any], Any]

    def build(self, value: Json, values: Values) -> Any:
        """One argument."""
        if isinstance(value, int):
            return value
        if isinstance(value, list):
            return [self.build(item, values) for item in value]
        if "ref" in value:
            tensor = values[value["ref"]]
            return self.copy(tensor) if value.get("copy") else tensor
        if "const" in value:
            return self.constant(value["const"])
        return self.elements(self.build(value["elements"], values), value["dtype"])


def input_of(framework: Framework, model: Json, tensor: Json) -> Any:
    """An input of the model with its elements."""
    seed = elements.seed_of(model["values"], tensor["id"])
    kind, span = tensor.get("values", elements.DEFAULT), tensor.get("range")
    array = elements.elements(tensor["shape"], tensor["dtype"], seed, kind, span)
    return framework.tensor(array, tensor["dtype"])


def extent(array: np.ndarray) -> tuple[bool, Any, Any]:
    """Framework.extent of a numpy array."""
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    plain = array.astype(np.float64)
    usable = plain[np.isfinite(plain)]
    if not usable.size:
        return not plain.size, None, None
    return usable.size == plain.size, float(usable.min()), float(usable.max())


# ---- one model


def check(framework: Framework, node: Json, results: Sequence[Any]) -> None:
    """Compares what a node returned with what the model says; raises Mismatch."""
    wanted = node["outputs"]
    if len(results) != len(wanted):
        raise Mismatch("shape", f"{len(results)} outputs instead of {len(wanted)}")
    for result, want in zip(results, wanted, strict=True):
        shape, dtype = framework.describe(result)
        if shape != tuple(want["shape"]):
            raise Mismatch("shape", f"shape {list(shape)} instead of {want['shape']}")
        if dtype != want["dtype"]:
            raise Mismatch("dtype", f"dtype {dtype} instead of {want['dtype']}")


def line_of(error: BaseException) -> str:
    """An exception in a line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:LONGEST]}"


class Run:
    """One model on its way."""

    def __init__(self, framework: Framework, model: Json, note: Callable[[int], None]) -> None:
        self.framework, self.model, self.note = framework, model, note
        self.dtypes: dict[int, str] = {t["id"]: t["dtype"] for t in model["inputs"]}
        for node in model["nodes"]:
            self.dtypes.update((t["id"], t["dtype"]) for t in node["outputs"])
        self.values: Values = {}
        self.infinite: set[int] = set()
        """Tensors with a non-finite element."""
        self.origins: list[int] = []
        """Nodes that made one from finite inputs."""

    def span(self, start: int) -> int:
        """How many nodes from this one on run together."""
        return self.framework.span(self.model["nodes"], start, self.dtypes)

    def until(self, end: int, *, one_by_one: bool = False) -> tuple[int, BaseException] | None:
        """Runs the nodes before `end`; the first that failed, and why."""
        self.values = {t["id"]: input_of(self.framework, self.model, t) for t in self.model["inputs"]}
        nodes, at = self.model["nodes"][:end], 0
        whole = end if one_by_one else 0  # before this node spans are cut to one, after one failed
        while at < len(nodes):
            count = 1 if at < whole else min(self.span(at), end - at)
            part = nodes[at : at + count]
            self.note(at)
            try:
                results = self.framework.run(part, self.values)
                for node, tensors in zip(part, results, strict=True):
                    check(self.framework, node, tensors)
            except Exception as error:
                if count == 1:
                    return at, error
                whole = at + count
                continue
            for i, (node, tensors) in enumerate(zip(part, results, strict=True), at):
                self._take(i, node, tensors)
            at += count
        return None

    def _take(self, index: int, node: Json, tensors: Sequence[Any]) -> None:
        bad = False
        for out, tensor in zip(node["outputs"], tensors, strict=True):
            self.values[out["id"]] = tensor
            if not self.framework.finite(tensor):
                self.infinite.add(out["id"])
                bad = True
        if bad and self.infinite.isdisjoint(node_refs(node)):
            self.origins.append(index)

    def inputs(self, index: int) -> list[Json]:
        """What the inputs of a node hold."""
        described = []
        given = {t["id"]: t for t in self.model["inputs"]}
        for ref in node_refs(self.model["nodes"][index]):
            shape, dtype = self.framework.describe(self.values[ref])
            finite, low, high = self.framework.extent(self.values[ref])
            facts = {"shape": list(shape), "dtype": dtype, "min": low, "max": high, "finite": finite}
            facts |= {key: given[ref][key] for key in ("range", "values") if ref in given and key in given[ref]}
            described.append(facts)
        return described

    def by_layout(self, index: int) -> bool:
        """Whether a node runs with its inputs laid out in memory without gaps."""
        node = self.model["nodes"][index]
        taken = {ref: self.values[ref] for ref in node_refs(node)}
        plain = {ref: self.framework.plain(tensor) for ref, tensor in taken.items()}
        if all(plain[ref] is tensor for ref, tensor in taken.items()):
            return False
        try:
            check(self.framework, node, self.framework.run([node], plain)[0])
        except Exception:
            return False
        return True

    def alone(self, index: int) -> bool:
        """Whether a node fails with fresh inputs of class small, too (its inputs of a range keep that)."""
        node = self.model["nodes"][index]
        shapes = {t["id"]: t for t in self.model["inputs"]}
        for earlier in self.model["nodes"][:index]:
            shapes.update((t["id"], t) for t in earlier["outputs"])
        fresh = {}
        for ref in node_refs(node):
            tensor = {"values": elements.DEFAULT, **shapes[ref]} if "range" in shapes[ref] else {
                "id": ref, "shape": shapes[ref]["shape"], "dtype": shapes[ref]["dtype"]}  # fmt: skip
            fresh[ref] = input_of(self.framework, {"values": 1}, tensor)
        try:
            check(self.framework, node, self.framework.run([node], fresh)[0])
        except Exception:
            return True
        return False


def symbols_of(model: Json, index: int) -> tuple[list[int], list[str], list[str]]:
    """The symbols of a call, the dtypes of its tensors and its constants (none of elements), in argument order."""
    tensors = {t["id"]: t for t in model["inputs"]}
    for node in model["nodes"][:index]:
        tensors.update((t["id"], t) for t in node["outputs"])
    numbers: list[int] = []
    dtypes: list[str] = []
    constants: list[str] = []

    def walk(value: Json, *, inside: bool = False) -> None:
        if isinstance(value, list):
            for item in value:
                walk(item, inside=inside)
        elif isinstance(value, int):
            numbers.append(value)
        elif "ref" in value:
            numbers.extend(tensors[value["ref"]]["shape"])
            numbers.extend(value.get("range", ()))
            dtypes.append(tensors[value["ref"]]["dtype"])
        elif "elements" in value:
            walk(value["elements"], inside=True)
        elif not inside:
            constants.append(value["const"])

    for arg in model["nodes"][index]["args"]:
        walk(arg["value"])
    return numbers, dtypes, constants


def failure(model: Json, index: int, kind: str, error: str) -> Json:
    """The answer for a model that is not valid."""
    node = model["nodes"][index]
    return {"index": model.get("index"), "valid": False, "node": index, "api": node["api"], "op": node["op"],
            "kind": kind, "error": error}  # fmt: skip


def judge(framework: Framework, model: Json, note: Callable[[int], None]) -> Json:
    """The answer for one model."""
    run = Run(framework, model, note)
    fault = run.until(len(model["nodes"]))
    if fault is None:
        answer = {"index": model.get("index"), "valid": True, "finite": not run.infinite}
        if run.origins:
            answer["nonfinite"] = run.origins[:ORIGINS]
        return answer
    index, error = fault
    kind = error.args[0] if isinstance(error, Mismatch) else "raises"
    answer = failure(model, index, kind, error.args[1] if isinstance(error, Mismatch) else line_of(error))
    answer["inputs"] = run.inputs(index)
    answer["alone"] = run.alone(index)
    if not answer["alone"] and run.by_layout(index):
        answer["layout"] = True
    return answer


def inspect(framework: Framework, model: Json, index: int, tell: Callable[[Json], None]) -> None:
    """For a node that killed its process: what its inputs hold, then whether it does so alone, as far as it lives."""
    run = Run(framework, model, lambda node: None)
    if run.until(index, one_by_one=True) is None:
        tell({"inputs": run.inputs(index)})
        tell({"alone": run.alone(index)})


# ---- children


class Journal:
    """Where a child is: model of the batch and node, in memory that outlives it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)

    def note(self, model: int, node: int) -> None:
        """Called by the child."""
        struct.pack_into("=QQ", self._memory, 0, model, node)

    def read(self) -> tuple[int, int]:
        """Called by the mother."""
        return struct.unpack_from("=QQ", self._memory, 0)


def _limit() -> None:
    with open("/proc/self/statm", encoding="ascii") as statm:
        bound = int(statm.read().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _cpu_seconds(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Child:
    """A process at work."""

    lines: Sequence[str]
    first: int
    """Number of its first model."""
    pid: int
    told: int
    journal: Journal
    held: bytes = b""
    done: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    place: tuple[int, int] = (0, 0)
    cpu: float = 0.0
    since: float = field(default_factory=time.monotonic)
    hung: bool = False

    def watch(self) -> None:
        """Kills it when one call takes too long."""
        place, cpu, now = self.journal.read(), _cpu_seconds(self.pid), time.monotonic()
        if place != self.place or cpu < self.cpu:
            self.place, self.cpu, self.since = place, cpu, now
        elif cpu - self.cpu > CPU_SECONDS or now - self.since > WALL_SECONDS:
            self.hung = True
            os.kill(self.pid, signal.SIGKILL)


Work = Callable[[Journal, Callable[[Json], None]], None]


def _fork(framework: Framework, work: Work, lines: Sequence[str] = (), first: int = 0) -> Child:
    told, tell = os.pipe()
    journal = Journal()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(tell)
        return Child(lines, first, pid, told, journal)
    os.close(told)
    _serve(framework, work, journal, os.fdopen(tell, "w", encoding="ascii"))


def _serve(framework: Framework, work: Work, journal: Journal, out: IO[str]) -> NoReturn:
    code, own = 1, os.dup(2)
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _silence()
        _limit()
        framework.enter()

        def tell(answer: Json) -> None:
            out.write(json.dumps(answer) + "\n")
            out.flush()

        work(journal, tell)
        tell({"notes": framework.notes()})
        code = 0
    except BaseException:
        os.dup2(own, 2)
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _silence() -> None:
    """Drops what calls print: some operators do nothing else."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _batch(framework: Framework, lines: Sequence[str]) -> Work:
    def work(journal: Journal, tell: Callable[[Json], None]) -> None:
        for i, line in enumerate(lines):
            journal.note(i, 0)
            tell(judge(framework, json.loads(line), functools.partial(journal.note, i)))

    return work


def _read(child: Child) -> tuple[list[Json], bool]:
    """Answers that came, and whether it is over."""
    chunk = os.read(child.told, 1 << 16)
    *lines, child.held = (child.held + chunk).split(b"\n")
    return [json.loads(line) for line in lines], not chunk


def _end(child: Child) -> str:
    """Waits for a child that ended; how it did, "" if by itself."""
    os.close(child.told)
    status = os.waitpid(child.pid, 0)[1]
    if child.hung:
        return f"no answer within {CPU_SECONDS:g} s of processor time"
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"exit code {os.WEXITSTATUS(status)}" if status else ""


def _watched(framework: Framework, work: Work) -> tuple[Json, Child, str]:
    """A child's answers in one, the child, and how it ended."""
    child = _fork(framework, work)
    facts: Json = {}
    over = False
    while not over:
        if select.select([child.told], [], [], TICK)[0]:
            found, over = _read(child)
            for fact in found:
                facts.update(fact)
        else:
            child.watch()
    facts.pop("notes", None)
    return facts, child, _end(child)


def _post_mortem(framework: Framework, model: Json, index: int, kind: str, error: str) -> Json:
    """The answer for a model that killed its process at this node, or in a span that begins with it."""

    def again(journal: Journal, tell: Callable[[Json], None]) -> None:
        Run(framework, model, lambda node: journal.note(0, node)).until(len(model["nodes"]), one_by_one=True)

    if Run(framework, model, lambda node: None).span(index) > 1:
        _, child, died = _watched(framework, again)
        if died:
            index, kind, error = child.journal.read()[1], "hang" if child.hung else "crash", died
    facts, _, died = _watched(framework, lambda journal, tell: inspect(framework, model, index, tell))
    if "inputs" in facts and died:
        facts["alone"] = True
    return {**failure(model, index, kind, error), **facts}


def answers(framework: Framework, lines: Iterable[str], jobs: int, notes: Counter[str]) -> Iterator[tuple[str, Json]]:
    """Each line with its answer, in order."""
    source, first = iter(lines), 0
    waiting: deque[tuple[int, Sequence[str]]] = deque()
    children: list[Child] = []
    ready: dict[int, tuple[str, Json]] = {}
    following = 0
    try:
        while True:
            while len(children) < jobs:
                if not waiting:
                    batch = list(itertools.islice(source, BATCH))
                    if not batch:
                        break
                    waiting.append((first, batch))
                    first += len(batch)
                number, batch = waiting.popleft()
                children.append(_fork(framework, _batch(framework, batch), batch, number))
            if not children:
                return
            told = select.select([child.told for child in children], [], [], TICK)[0]
            for child in list(children):
                child.watch()
                if child.told not in told:
                    continue
                found, over = _read(child)
                for answer in found:
                    if "notes" in answer:
                        notes.update(answer["notes"])
                        continue
                    ready[child.first + child.done] = child.lines[child.done], answer
                    child.done += 1
                if over:
                    children.remove(child)
                    _bury(framework, child, ready, waiting)
            while following in ready:
                yield ready.pop(following)
                following += 1
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
            _end(child)


def _bury(framework: Framework, child: Child, ready: dict[int, tuple[str, Json]], waiting: deque) -> None:
    """Blames the call at which a child died, and puts back the models that it did not reach."""
    how = _end(child)
    if child.done == len(child.lines):
        return
    line = child.lines[child.done]
    place, node = child.journal.read()
    model = json.loads(line)
    answer = _post_mortem(framework, model, node if place == child.done else 0, "hang" if child.hung else "crash", how)
    ready[child.first + child.done] = line, answer
    left = child.lines[child.done + 1 :]
    if left:
        waiting.append((child.first + child.done + 1, left))


# ---- the command


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class Tally:
    """What the summary says."""

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

    def add(self, model: Json, answer: Json) -> None:
        """One model."""
        self.models += 1
        self.apis.update(node["api"] for node in model["nodes"])
        if answer["valid"]:
            self.nodes += len(model["nodes"])
            self.valid += 1
            self.finite += answer["finite"]
            self.calls.update(node["op"] for node in model["nodes"])
            self.origins.update(model["nodes"][i]["op"] for i in answer.get("nonfinite", ()))
            return
        self.nodes += answer["node"] + 1
        how = " alone" if answer.get("alone") else " by layout" if answer.get("layout") else ""
        self.kinds[answer["kind"] + how] += 1
        self.failed[answer["op"]] += 1
        self.example.setdefault(answer["op"], f"model {answer['index']}, node {answer['node']}: {answer['error'][:200]}")

    def write_nonfinite(self, path: str) -> None:
        """A line an operator that first made elements that are not finite, of finite ones: how often, and in how many calls."""
        with open(path, "w", encoding="ascii") as file:
            file.write("op\tnonfinite\tcalls\n")
            file.writelines(f"{op}\t{count}\t{self.calls[op]}\n" for op, count in sorted(self.origins.items()))

    def print(self, show: int, notes: Counter[str]) -> None:
        """The summary."""
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


def main(framework: Framework) -> int:
    """The command of a framework."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=10, help="operators to list that failed most often")
    parser.add_argument("--failures", help="file for every failed call")
    parser.add_argument("--nonfinite", help="file for the operators that made infinities or NaN of finite elements")
    parser.add_argument("--quiet", action="store_true", help="no line a model, the summary only")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    tally, notes = Tally(), Counter()
    with contextlib.ExitStack() as stack:
        failures = stack.enter_context(open(arguments.failures, "w", encoding="ascii")) if arguments.failures else None
        for line, answer in answers(framework, sys.stdin, max(arguments.jobs, 1), notes):
            model = json.loads(line)
            tally.add(model, answer)
            if not arguments.quiet:
                print(json.dumps(answer))
            if failures and not answer["valid"]:
                numbers, dtypes, constants = symbols_of(model, answer["node"])
                call = {"op": answer["op"], "in": numbers, "dtypes": dtypes, "constants": constants}
                call["out"] = [dim for out in model["nodes"][answer["node"]]["outputs"] for dim in out["shape"]]
                call |= {key: value for key, value in answer.items() if key not in ("op", "valid", "api")}
                call["values"] = model["values"]
                failures.write(json.dumps(call) + "\n")
    if arguments.nonfinite:
        tally.write_nonfinite(arguments.nonfinite)
    tally.print(arguments.show, notes)
    return 0

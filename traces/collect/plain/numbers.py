"""Numbers that a framework accepts as arguments, such as a probability between 0 and 1.

Recorded calls show a few accepted numbers only. Here each number argument of a recorded call gets PROBES one after another;
neighbours with the same answer are a range. Calls of several signatures must agree. For two arguments, such as a lower and an
upper bound, calls with both show which comparisons (`<`, `=`, `>`) are always accepted or rejected; there is a row if single
arguments do not explain all answers.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import Framework, NotTensors, Output
from traces.collect.plain.parameters import Parameter

HEADER = "api\targuments\tanswers"
PROBES = (-1e30, -1e6, -10.0, -2.0, -1.0, -0.5, -1e-6, 0.0, 1e-12, 1e-6, 0.5, 1.0, 1.5, 2.0, 10.0, 1e6, 1e30)
INTEGERS = (-1000000, -10, -2, -1, 0, 1, 2, 10, 1000000)
"""Of calls with integer tensors."""
PAIRED = (-2.0, -0.5, 0.0, 0.5, 2.0)
BASES = 3
"""Recorded calls that an argument is tried in."""
LATE = 2
"""Calls of a base without an answer, such as those that hang, after which it has no more."""
TYPES = {"float", "Scalar", "number"}
FILLS = ("normal", "ones")
ACCEPTED, REJECTED, UNKNOWN, VARIES = "+", "-", "?", "!"
"""VARIES: the outputs depend on the number."""
INTEGER = "/int"
"""Behind the name of an argument, of calls with integer tensors."""


@dataclass(frozen=True)
class Base:
    """A recorded call: arguments, the values of their symbols."""

    args: list[Json]
    values: Values


def bases(records: Iterable[Json]) -> list[Base]:
    """One accepted call of each record, those with the fewest arguments first."""
    found = []
    for record in sorted(records, key=lambda record: len(record["args"])):
        full = [inputs for inputs, _ in record["pass"] if all(size > 0 for size in inputs)]
        if full:
            found.append(Base(record["args"], tuple(full[0])))
    return found


def integer(base: Base) -> Base:
    """The call with integer tensors in place of floats."""
    return Base([{**arg, "value": _integers(arg["value"])} for arg in base.args], base.values)


def _integers(value: Json) -> Json:
    if isinstance(value, list):
        return [_integers(item) for item in value]
    is_float = isinstance(value, dict) and value.get("dtype") == "float32"
    return {**value, "dtype": "int64"} if is_float else value


def _place(signature: Sequence[Parameter], name: str, args: Sequence[Json]) -> int | None:
    """The index of a parameter's argument; len(args) if it is not given, None if it is not a number."""
    at = next((at for at, arg in enumerate(args) if arg["name"] == name), None)
    if at is None:
        index = next(at for at, p in enumerate(signature) if p.name == name)
        if index >= len([arg for arg in args if arg["pos"]]):
            return len(args) if signature[index].default is not None else None
        at = index
    value = args[at]["value"]
    return at if isinstance(value, dict) and _is_number(value.get("const", "")) else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class Trial:
    """The calls of one base with other numbers."""

    def __init__(self, framework: Framework, api: str, signature: Sequence[Parameter], base: Base) -> None:
        self._framework, self._api, self._signature, self._base = framework, api, signature, base
        self._late = 0
        self._expected = self._run(base.args)

    def takes(self, *names: str) -> bool:
        """True if the base is accepted, and has or may have the arguments."""
        return bool(self._expected) and None not in (_place(self._signature, name, self._base.args) for name in names)

    def ask(self, numbers: Mapping[str, float]) -> str:
        """The answer for the base with these numbers."""
        args = list(self._base.args)
        for name, number in numbers.items():
            at = _place(self._signature, name, self._base.args)
            value = {"const": repr(number)}
            if at == len(self._base.args):
                args.append({"name": name, "pos": False, "value": value})
            elif at is not None:
                args[at] = {**args[at], "value": value}
        found = self._run(args)
        if not found:
            return REJECTED if found == () else UNKNOWN
        return ACCEPTED if found == self._expected else VARIES

    def _run(self, args: Sequence[Json]) -> tuple[Output, ...] | None:
        """The outputs; (): rejected; None: no answer."""
        answer: tuple[Output, ...] | None = () if self._late < LATE else None
        for fill in FILLS if self._late < LATE else ():
            try:
                return tuple(self._framework.run(self._framework.compile(self._api, args), self._base.values, fill))
            except Rejected:
                continue
            except (Unanswered, NotTensors):
                self._late += 1
                answer = None
        return answer


def ranges(probes: Sequence[float], answers: Sequence[str]) -> str:
    """Neighbours with the same answer, `+0:1` for accepted numbers from 0 to 1; "" if none is accepted, or outputs vary."""
    found = []
    for answer, run in itertools.groupby(zip(answers, probes, strict=True), key=lambda pair: pair[0]):
        numbers = [number for _, number in run]
        if answer != UNKNOWN:
            found.append(f"{answer}{numbers[0]:g}:{numbers[-1]:g}")
    return " ".join(found) if ACCEPTED in answers and VARIES not in answers else ""


def _is_asked(parameter: Parameter) -> bool:
    return parameter.type in TYPES and not parameter.is_list and not parameter.packed


def _agreed(answers: Iterable[Sequence[str]]) -> list[str]:
    """The answers that all bases give."""
    columns = [set(column) for column in zip(*answers, strict=True)]
    return [VARIES if VARIES in column else column.pop() if len(column) == 1 else UNKNOWN for column in columns]


def _single(trials: Sequence[Trial], name: str, probes: Sequence[float]) -> list[str]:
    chosen = [trial for trial in trials if trial.takes(name)][:BASES]
    return _agreed([trial.ask({name: number}) for number in probes] for trial in chosen)


def _pair(trials: Sequence[Trial], one: str, other: str) -> dict[tuple[float, float], str]:
    chosen = [trial for trial in trials if trial.takes(one, other)][:BASES]
    pairs = list(itertools.product(PAIRED, PAIRED))
    return dict(zip(pairs, _agreed([trial.ask({one: a, other: b}) for a, b in pairs] for trial in chosen), strict=False))


def comparisons(answers: Mapping[tuple[float, float], str], first: Mapping[float, str], second: Mapping[float, str]) -> str:
    """The comparisons with equal answers, `+<= ->` for a bound that must not exceed another one; "" if the answers for single
    arguments explain all answers."""
    explained = True
    signs: dict[str, set[str]] = {"<": set(), "=": set(), ">": set()}
    for (a, b), answer in answers.items():
        if {answer, first[a], second[b]} & {UNKNOWN, VARIES}:
            continue
        explained = explained and answer == (ACCEPTED if first[a] == second[b] == ACCEPTED else REJECTED)
        signs["<" if a < b else "=" if a == b else ">"].add(answer)
    both = ((mark, "".join(sign for sign, found in signs.items() if found == {mark})) for mark in (ACCEPTED, REJECTED))
    return "" if explained else " ".join(mark + same for mark, same in both if same) or UNKNOWN


def rows(framework: Framework, api: str, signatures: Iterable[Sequence[Parameter]], records: Sequence[Json]) -> list[str]:
    """The rows of an API: for each number argument its ranges, for two of them comparisons."""
    found: dict[str, str] = {}
    for signature in signatures:
        names = [parameter.name for parameter in signature if _is_asked(parameter)]
        known = bases(records) if names else []
        trials = [Trial(framework, api, signature, base) for base in known[: 4 * BASES]]
        whole = [Trial(framework, api, signature, integer(base)) for base in known[: 4 * BASES]]
        answers = {name: _single(trials, name, PROBES) for name in names}
        for name in names:
            found.setdefault(name, ranges(PROBES, answers[name]) if answers[name] else "")
            more = _single(whole, name, INTEGERS)
            found.setdefault(name + INTEGER, ranges(INTEGERS, more) if more else "")
        for one, other in itertools.combinations([name for name in names if answers[name]], 2):
            first, second = (dict(zip(PROBES, answers[name], strict=True)) for name in (one, other))
            found.setdefault(f"{one} {other}", comparisons(_pair(trials, one, other), first, second))
    return [f"{api}\t{arguments}\t{text}" for arguments, text in found.items() if text]


def read(path: Path) -> list[Json]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def with_numbers(table: Mapping[str, Sequence[Sequence[Parameter]]]) -> list[str]:
    """The APIs with a number argument."""
    return [api for api, signatures in table.items() if any(_is_asked(p) for signature in signatures for p in signature)]

"""What a framework must offer to be collected from, and how its answers are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from rulefuzz.framework import Rejected as Rejected
from rulefuzz.framework import Unanswered as Unanswered

from traces.collect.call.symbolise import Json, Values

Output = tuple[Values, str]
"""Dimensions and dtype of one output tensor."""

PASS, FAIL, OTHER, MIXED, LOST = "pass", "fail", "other", "mixed", "lost"
"""Verdicts: valid; rejected whatever the elements; valid, but with other ranks or dtypes; depends on the elements; not
answered (it killed the worker, or memory ran out)."""

FILLS = ("normal", "wild", "wild2", "wild3", "ones", "zeros", "small", "low")
"""How input tensors are filled: N(0,1); three groups of values to ±10^6; and the benign ones. A tensor with a range takes
its elements from there, both ends among them; "low" is as "normal", but all of these are the lowest."""
CONSTANT = ("zeros", "ones")
BENIGN = ("zeros", "small")
WILD = ("wild", "wild2", "wild3")


class NotTensors(Exception):
    """The call returned something else than dense tensors."""


class Framework(Protocol):
    """One framework, as the collector uses it."""

    name: str
    version: str

    def compile(self, api: str, args: Sequence[Json]) -> Any:
        """A callable form of a call, for `run` and `fingerprint`."""

    def run(self, call: Any, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs the call; raises Rejected, Unanswered or NotTensors."""

    def deterministic(self, call: Any, values: Values) -> bool:
        """Whether three runs on the same input give the same elements."""


@runtime_checkable
class Wishing(Protocol):
    """A framework that knows dtypes to try."""

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """Tuples of input dtypes that the operator may accept."""


@dataclass(frozen=True)
class Verdict:
    """The judgement of one input; `outputs` are the output dimensions of a passing one."""

    kind: str
    outputs: tuple[Values, ...] = ()
    message: str = ""


def ranged_elements(count: int, low: int, high: int, fill: str, place: int) -> np.ndarray:
    """int64 elements in low..high-1 (low < high if there are any), the highest first and the lowest last."""
    if fill == "low" or high - low <= 1:
        return np.full(count, low, np.int64)
    drawn = np.random.Generator(np.random.PCG64(place + sum(fill.encode()))).integers(low, high, count)
    if count:
        drawn[-1] = low
        drawn[0] = high - 1
    return drawn


def judge(framework: Framework, call: Any, values: Values, types: Sequence[tuple[int, str]] | None,
          ranges: Sequence[tuple[Values, int, int]] = ()) -> Verdict:  # fmt: skip
    """Runs an input under several fills. `types`: rank and dtype of each output that the operator has, if known;
    `ranges`: as symbolise.ranges tells them.

    A failure counts only if every benign fill fails too, a success only if a wild fill gives the same outputs: what
    depends on the elements is neither (MIXED). Success with other output types is OTHER. With ranges, both ends must be
    accepted; an empty range is refused unasked.
    """
    if any(values[low] > values[high] for _, low, high in ranges):
        return Verdict(FAIL, message="the range ends before it begins")
    try:
        outputs = framework.run(call, values, "normal")
    except Unanswered as error:
        return Verdict(LOST, message=str(error))
    except Rejected as error:
        return _confirm_failure(framework, call, values, str(error))
    except NotTensors as error:
        return Verdict(OTHER, message=str(error))
    try:
        again = framework.run(call, values, "wild") == outputs
    except Unanswered as error:
        return Verdict(LOST, message=str(error))
    except (Rejected, NotTensors) as error:
        return Verdict(MIXED, message=str(error))
    if ranges and again:
        try:
            again = framework.run(call, values, "low") == outputs
        except Unanswered as error:
            return Verdict(LOST, message=str(error))
        except (Rejected, NotTensors) as error:
            return Verdict(FAIL, message=str(error))
    if not again:
        return Verdict(MIXED, message="the outputs' shapes depend on the elements")
    if types is not None and [(len(dims), dtype) for dims, dtype in outputs] != list(types):
        return Verdict(OTHER, message="other output types")
    return Verdict(PASS, tuple(dims for dims, _ in outputs))


def _confirm_failure(framework: Framework, call: Any, values: Values, message: str) -> Verdict:
    for fill in BENIGN:
        try:
            framework.run(call, values, fill)
        except Rejected:
            continue
        except Unanswered as error:
            return Verdict(LOST, message=str(error))
        except NotTensors as error:
            return Verdict(OTHER, message=str(error))
        return Verdict(MIXED, message=message)
    return Verdict(FAIL, message=message)

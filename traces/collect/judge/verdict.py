"""Classifies a framework's answers to one input: valid, rejected, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Values
from traces.collect.judge.framework import BENIGN, LOWEST, Framework, NotTensors

PASS, FAIL, OTHER, MIXED, LOST = "pass", "fail", "other", "mixed", "lost"
"""Verdicts: valid; rejected for all elements; valid, but with other ranks or dtypes; dependent on elements; not answered
(it killed the worker, or memory ran out)."""

@dataclass(frozen=True)
class Verdict:
    """The result for one input; `outputs` are the output dimensions of a passing one."""

    kind: str
    outputs: tuple[Values, ...] = ()
    message: str = ""


def judge(framework: Framework, call: Any, values: Values, types: Sequence[tuple[int, str]] | None,
          ranges: Sequence[tuple[Values, int, int]] = ()) -> Verdict:  # fmt: skip
    """Runs an input under several fills. `types`: rank and dtype of each output of the operator, if known; `ranges`: see
    symbolise.ranges.

    A failure counts only if every benign fill fails too, a success only if a wild fill gives the same outputs. A result
    that depends on the elements is neither (MIXED). Success with other output types is OTHER. With ranges, both ends
    must be accepted; an empty range is rejected without running.
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
            again = framework.run(call, values, LOWEST) == outputs
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

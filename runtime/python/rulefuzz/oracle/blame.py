"""Which setting of a target makes a model fail: a pass of its optimiser, or a cheaper target that does the same first.

Before both: a call that leaves its inputs not as they were, whose trace is another thing in each model: it is in the inputs, in
what another call makes of them, in a constant that two calls share, in a second run.

A target's file says what there is to ask: `BEFORE`, targets whose work is the first part of its own; `suspects(model)`, the
parts that changed the model, and `WITHOUT`, the environment variable by which its `compile` leaves one out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from rulefuzz import targets
from rulefuzz.framework import Framework, Inexpressible, Unavailable
from rulefuzz.model import BadModel, Failed, Json, Model, Node, Raised, Tensor, Values, at_work
from rulefuzz.oracle import compare
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.targets import Target

SPOILS = "writes over its inputs"
"""Behind an API: what is told of such a call. runtime/fuzz/failure.c knows it."""


def _fault(answer: Json) -> tuple[str, str]:
    """What must stay the same: the verdict, and an exception's type."""
    return str(answer["verdict"]), str(answer.get("error", {}).get("type", ""))


def _before(check: Check, wanted: tuple[str, str]) -> str:
    """The first of the targets before that fails alike, "" where none does."""
    for name in getattr(check.target.module, "BEFORE", ()):
        try:
            earlier = targets.load(name)
            if _fault(check.by(earlier).judged()) == wanted:
                return f"as {earlier.name}"
        except Unavailable:
            continue
    return ""


def _suspect(check: Check, wanted: tuple[str, str]) -> str:
    """The first part without which the model does not fail alike, "" where each may be left out."""
    module = check.target.module
    if not hasattr(module, "suspects"):
        return ""
    reference = check.reference
    names = module.suspects(check.framework.subject(check.model, reference.results, check.model.outputs))
    for name in names:
        os.environ[module.WITHOUT] = name
        try:
            if _fault(check.by(check.target).judged()) != wanted:
                return str(name)
        finally:
            del os.environ[module.WITHOUT]
    return ""


def _alone(check: Check, node: Node, dtype: str) -> Iterator[tuple[Model, Values]]:
    """A call as a model of its own, one of its results at a time, floats of this dtype, or as they are: ""."""

    def kept(tensor: Tensor) -> Tensor:
        return replace(tensor, dtype=dtype) if dtype and "float" in tensor.dtype else tensor

    tensors = check.model.tensors()
    inputs = tuple(kept(Tensor(i, tensors[i].shape, tensors[i].dtype)) for i in dict.fromkeys(node.refs()))
    values = {
        t.id: check.reference.values[t.id]
        if t.dtype == tensors[t.id].dtype
        else check.framework.narrowed(check.reference.values[t.id], t.dtype)
        for t in inputs
    }
    outputs = tuple(map(kept, node.outputs))
    for out in outputs:
        yield Model(inputs, (replace(node, outputs=outputs),), (out.id,), check.model.values), values


def _spoils(check: Check, model: Model, values: Values) -> bool:
    """Whether the target leaves the inputs of a model not as they were."""
    framework = check.framework
    taken, example = (framework.arguments(model, values) for _ in range(2))
    try:
        subject = framework.subject(model, [], model.outputs)
        at_work(lambda: check.target.compile(subject, example, lambda stage: None)(*taken))
    except (Raised, Inexpressible, BadModel):
        return False
    pairs = [(framework.seen(got), framework.seen(values[t.id])) for got, t in zip(taken, model.fed, strict=True)]
    return not all(compare.same(got, want) for got, want in pairs)


def _spoiling(check: Check) -> str:
    """The API of the first call that writes over its inputs, in its own dtype or where that is cast before, in float32; ""
    where none does, and where calls may: in frameworks that have some in place."""
    for node in check.model.nodes if check.framework.repeats else ():
        if any(_spoils(check, *alone) for dtype in ("", "float32") for alone in _alone(check, node, dtype)):
            return node.api
    return ""


def blame(framework: Framework, target: Target, model: Model, preset: str) -> str:
    """What of the target makes the model fail; "" where that cannot be told."""
    kind = Symbolic if model.assignments > 1 else Check
    check = kind(framework, target, model, Clock(lambda stage: None), preset)
    try:
        unfit = check.unfit()
        wanted = _fault(unfit or check.judged())
        spoiling = _spoiling(check) if wanted[0] == "inconsistency" else ""
        if spoiling:
            return f"{spoiling} {SPOILS}"
        if unfit or wanted[0] not in ("inconsistency", "error"):
            return ""
        return _before(check, wanted) or _suspect(check, wanted)
    except Failed:
        return ""

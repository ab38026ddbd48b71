"""Which setting of a target causes a failure: a pass of its optimizer, or a cheaper target that fails the same way.

A call that overwrites its inputs is looked for first, since its symptoms vary. They may be in the inputs, in another call of
these, in a constant shared by two calls, or in a second run.

A target's file defines what can be tried:

- `BEFORE`: targets whose work is the first part of its own.
- `suspects(model)`: the passes that changed the model.
- `passes()`: all passes. If the target crashes, each is tried in a child.
- `WITHOUT`: the environment variable that disables passes in its `compile`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from rulefuzz import sandbox, targets
from rulefuzz.framework import Framework, Unavailable
from rulefuzz.model import BadModel, Failed, Json, Model, Node, Raised, Tensor, Values, at_work
from rulefuzz.oracle import compare
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.targets import Target

TRIAL = sandbox.Limits(cpu=10.0, wall=30.0)
"""Limits of a model that is run without one pass."""
SPOILS = "writes over its inputs"
"""Suffix of an API that overwrites its inputs. runtime/fuzz/failure.c knows it."""


def _fault(answer: Json) -> tuple[str, str]:
    """What must stay the same: the verdict and the exception's type."""
    return str(answer["verdict"]), str(answer.get("error", {}).get("type", ""))


def _before(check: Check, wanted: tuple[str, str]) -> str:
    """The first earlier target that fails the same way; "" if none does."""
    for name in getattr(check.target.module, "BEFORE", ()):
        try:
            earlier = targets.load(name)
            if _fault(check.by(earlier).judged()) == wanted:
                return f"as {earlier.name}"
        except Unavailable:
            continue
    return ""


def _suspect(check: Check, wanted: tuple[str, str]) -> str:
    """The first pass without which the failure changes; "" if there is none."""
    module = check.target.module
    if not hasattr(module, "suspects"):
        return ""
    reference = check.reference
    names = module.suspects(check.framework.subject(check.model, reference.results, check.model.outputs))
    for name in names:
        with check.target.without([name]):
            if _fault(check.by(check.target).judged()) != wanted:
                return str(name)
    return ""


def _alone(check: Check, node: Node, dtype: str) -> Iterator[tuple[Model, Values]]:
    """A call as a model of its own, one result at a time, with floats of this dtype ("": unchanged)."""

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
        yield Model(inputs, (replace(node, outputs=outputs),), (out.id,), check.model.values, opset=check.model.opset), values


def _spoils(check: Check, model: Model, values: Values) -> bool:
    """Whether the target modifies the inputs of a model."""
    framework = check.framework
    taken, example = (framework.arguments(model, values) for _ in range(2))
    try:
        subject = framework.subject(model, [], model.outputs)
        at_work(lambda: check.target.compile(subject, example, lambda stage: None)(*taken))
    except (Raised, BadModel):
        return False
    pairs = [(framework.seen(got), framework.seen(values[t.id])) for got, t in zip(taken, model.fed, strict=True)]
    return not all(compare.same(got, want) for got, want in pairs)


def _spoiling(check: Check) -> str:
    """The API of the first call that overwrites its inputs, in its own dtype or in float32; "" if none does, or if calls of the
    framework may."""
    for node in check.model.nodes if check.framework.repeats else ():
        if any(_spoils(check, *alone) for dtype in ("", "float32") for alone in _alone(check, node, dtype)):
            return node.api
    return ""


def _survives(check: Check, *without: str) -> bool:
    """Whether a child ends well that compiles and runs the model without some passes."""

    def run() -> None:
        with check.target.without(without):
            check.by(check.target).judged()

    return not sandbox.call(run, TRIAL)[1].how


def blame_crash(framework: Framework, target: Target, model: Model, preset: str) -> str:
    """A pass without which the target does not crash. If there is none: the smallest set found that must be disabled, joined
    by "+". "" if no passes are at fault, or if it does not crash each time."""
    if not hasattr(target.module, "passes"):
        return ""
    check = Check(framework, target, model, Clock(lambda stage: None), preset)
    alive = functools.partial(_survives, check)
    if check.unfit() or any(alive() for _ in range(2)):
        return ""
    names = target.module.passes()
    one = next((name for name in names if alive(name) and alive(name)), "")
    if one or not alive(*names):
        return one
    needed = names
    for name in names:
        fewer = [other for other in needed if other != name]
        needed = fewer if alive(*fewer) else needed
    return "+".join(needed)


def blame(framework: Framework, target: Target, model: Model, preset: str) -> str:
    """What in the target causes the failure; "" if unknown."""
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

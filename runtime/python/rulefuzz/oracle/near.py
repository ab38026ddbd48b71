"""Invalid models: the last call violates one constraint, so both the reference and the target must reject it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulefuzz.model import BadModel, Failed, Json, Mismatch, Raised, at_work
from rulefuzz.oracle import compare, excuses, titles, tolerance
from rulefuzz.oracle.excuses.outside import Violated, violated
from rulefuzz.oracle.excuses.verdicts import OtherOperatorSet, Rejection, SecondAccepts, UnusedResult

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check


def rejected(check: Check, failed: Failed) -> bool:
    """Whether the last call of an invalid model raised. Keeps the exception."""
    model, error = check.model, failed.error
    if not model.near_miss or failed.node != len(model.nodes) - 1 or isinstance(error, Mismatch):
        return False
    if check.framework.is_memory(error):
        return False
    check.reference.refusal = error
    return True


def by_elements(check: Check) -> Json | None:
    """The verdict if the reference rejected the call for its elements, for a limit of its own, or for an attribute whose result
    is unspecified; None if it rejected the shapes, or a change that targets must detect (invalid/change.py)."""
    node = check.model.nodes[-1]
    if check.model.change and (check.model.change != "elements" or check.framework.checks_elements):
        return None
    found = [excuse.name for excuse in excuses.of_kind(Rejection) if excuse.applies(check.reference.refusal)]
    if violated(Violated.name, node, check.framework.operation(node.api)):
        found.append(Violated.name)
    return check.excused(*found) if found else None


def accepted(check: Check, failed: Failed | None = None) -> bool:
    """Whether an invalid model ran, or failed only because of its last call's result: the rule is too strict."""
    model = check.model
    ran = failed is None or (failed.node == len(model.nodes) - 1 and isinstance(failed.error, Mismatch))
    return model.near_miss and ran


def as_accepted(check: Check, node: int) -> Json:
    """The verdict on an invalid model that the reference accepts: the rule is too strict, or its change was harmless."""
    place = {"node": node, "api": check.model.nodes[node].api}
    return {"verdict": "unspecified" if check.model.change else "mispredicted", **place}


def judged(check: Check) -> Json:
    """Runs the target on an invalid model that the reference rejected. The target must reject it, too. The verdict is
    unspecified if the results are unused or computed from undefined values, if the reference accepts the form that the target
    is given (which may be of another operator set), or if the reference may be stricter than the specification: a second
    implementation agrees with the target or divides by 0."""
    reference, framework, model = check.reference, check.framework, check.model
    asked = any(out.id in model.outputs for out in model.nodes[-1].outputs)
    if not asked or not reference.taint.outlawed.isdisjoint(model.nodes[-1].refs()):
        return check.excused(UnusedResult.name)
    check.stage("compile")
    try:
        subject = framework.subject(model, reference.results, model.outputs)
        example = framework.arguments(model, reference.inputs)
        if check.target.abstract and framework.rejects_abstractly(subject, example):
            return {"verdict": "ok"}
        compiled = at_work(check.target.compile, subject, example, check.stage)
        returned, _ = check.returned(compiled, model.outputs)
    except BadModel as error:
        return {"verdict": "unreadable", "error": framework.described(error)}
    except Raised:
        return {"verdict": "ok"}
    if not framework.refuses_as_given(subject, framework.arguments(model, reference.inputs)):
        return check.excused(OtherOperatorSet.name)
    if framework.second_refuses(model.nodes[-1], reference.until, zeros=True) or _seconded(check, returned):
        return check.excused(SecondAccepts.name)
    refusal = reference.refusal or RuntimeError()
    node, why = len(model.nodes) - 1, framework.described(refusal)
    api = model.nodes[node].api
    title = titles.of_validation(framework, api, why)
    return {"verdict": "accepts-invalid", "node": node, "api": api, "error": why, "title": title}


def _seconded(check: Check, returned: Sequence[Any]) -> bool:
    """Whether a second implementation agrees with the target's result of the last call."""
    node, seen = check.model.nodes[-1], check.framework.seen
    others = check.framework.second(node, check.reference.until)
    if others is None:
        return False
    places = {out.id: place for place, out in enumerate(node.outputs)}
    pairs = [(seen(got), seen(others[places[i]])) for i, got in zip(check.model.outputs, returned, strict=True) if i in places]
    return not any(compare.difference(got, want, *tolerance.bounds("neuri", want[2])) for got, want in pairs)

"""Invalid models: the last call violates one constraint, so that reference and target must reject it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulefuzz.framework import Inexpressible
from rulefuzz.model import BadModel, Failed, Json, Mismatch, Raised, at_work
from rulefuzz.oracle import compare, taint, titles, tolerance

if TYPE_CHECKING:
    from rulefuzz.oracle.check import Check

ELEMENTS = re.compile(
    r"(?<!selected index k )(?<!^dimension )out of (range|bounds)|indices? (must|should|is|are|element|out|value)|"
    r"invalid indice|index tensor must|class values|target \d|singular|positive.definite|converge|can ?not be zero|"
    r"contains? (nan|inf|non-finite|zero)|probabilit|division by zero|all elements of|lapack|mkl|not implemented|"
    r"does not index into|seq_lens\(\d+\) [<>]|(?<!(groups|adding) is )not supported",
    re.IGNORECASE)  # fmt: skip
"""What messages say that are about elements, indices and kernels, not about shapes or attributes: no compiler need find out."""

OWN = re.compile(r"size_ % 2 == 1 was false|Unsupported algorithm id: 2\b|Current implementation only supports ")
"""What messages of a reference say that it asks for beside the specification, which says what LRN of an even size sums up,
that random numbers are drawn by the algorithms 1 and 2, and that rows have a stride of their own."""


def refused(check: Check, failed: Failed) -> bool:
    """Whether it is the last call of a near miss that failed, by raising; the refusal is kept."""
    model, error = check.model, failed.error
    if not model.near_miss or failed.node != len(model.nodes) - 1 or isinstance(error, Mismatch):
        return False
    if check.framework.is_memory(error):
        return False
    check.reference.refusal = error
    return True


def by_elements(check: Check) -> Json | None:
    """The verdict on a near miss that was refused for its elements, for a limit of the reference's, or for an attribute
    of which nobody says what comes (taint.UNSAID); None: for its shapes."""
    said, node = str(check.reference.refusal), check.model.nodes[-1]
    unsaid = taint.is_unsaid(node, check.framework.operation(node.api))
    return {"verdict": "unspecified"} if unsaid or ELEMENTS.search(said) or OWN.search(said) else None


def taken(check: Check, failed: Failed | None = None) -> bool:
    """Whether a near miss ran, or failed by nothing but what its last call gave: the rule is too strict."""
    model = check.model
    ran = failed is None or (failed.node == len(model.nodes) - 1 and isinstance(failed.error, Mismatch))
    return model.near_miss and ran


def judged(check: Check) -> Json:
    """Runs the target on a near miss that the reference refused, call by call: it must refuse it, too, unless nobody takes its
    results, it takes what comes of a call against the specification, the reference runs the whole as the target is given it,
    which may be of another operator set, or the reference may be stricter than the specification: a second implementation
    gives what the target does, or divides by 0, which nobody says what it is."""
    reference, framework, model = check.reference, check.framework, check.model
    asked = any(out.id in model.outputs for out in model.nodes[-1].outputs)
    if not asked or not reference.taint.outlawed.isdisjoint(model.nodes[-1].refs()):
        return {"verdict": "unspecified"}
    check.stage("compile")
    try:
        subject = framework.subject(model, reference.results, model.outputs)
    except Inexpressible:
        return {"verdict": "ok"}
    except BadModel as error:
        return {"verdict": "unreadable", "error": framework.described(error)}
    example = framework.arguments(model, reference.inputs)
    try:
        compiled = at_work(check.target.compile, subject, example, check.stage)
        returned, _ = check.returned(compiled, model.outputs)
    except Raised:
        return {"verdict": "ok"}
    if not framework.refuses_as_given(subject, framework.arguments(model, reference.inputs)):
        return {"verdict": "unspecified"}
    if framework.second_refuses(model.nodes[-1], reference.until, zeros=True) or _seconded(check, returned):
        return {"verdict": "unspecified"}
    refusal = reference.refusal or RuntimeError()
    node, why = len(model.nodes) - 1, framework.described(refusal)
    api = model.nodes[node].api
    title = titles.of_validation(framework, api, why)
    return {"verdict": "accepts-invalid", "node": node, "api": api, "error": why, "title": title}


def _seconded(check: Check, returned: Sequence[Any]) -> bool:
    """Whether a second implementation gives what a target returned of the last call."""
    node, seen = check.model.nodes[-1], check.framework.seen
    others = check.framework.second(node, check.reference.until)
    if others is None:
        return False
    places = {out.id: place for place, out in enumerate(node.outputs)}
    pairs = [(seen(got), seen(others[places[i]])) for i, got in zip(check.model.outputs, returned, strict=True) if i in places]
    return not any(compare.difference(got, want, *tolerance.bounds("neuri", want[2])) for got, want in pairs)

"""Gradients as tensors of a model, of the reference and of its runs with noise and in 64 bits."""

from __future__ import annotations

from rulefuzz.framework import Framework
from rulefuzz.model import Model, Raised, Values, at_work, forward
from rulefuzz.oracle import compare
from rulefuzz.oracle.excuses.ties import IndexOfEqual
from rulefuzz.oracle.excuses.verdicts import GradientNotFinite
from rulefuzz.oracle.taint import Taint
from rulefuzz.regions import region, settle


def settled(framework: Framework, model: Model, inputs: Values, values: Values, taint: Taint) -> tuple[Model, Values]:
    """The gradients, and the model with them. The model has none if the reference cannot compute them or computes others when
    run again. Gradients that are not finite, or may depend on a marked result, are marked as not comparable. With regions, also
    all other tensors."""
    written: Values = {}
    if region.regions(model):
        model, written = settle.settled(framework, model, inputs, values, taint)
    if not model.gradients:
        return model, written
    found = backward(framework, model, inputs)
    framework.reseed(7)
    with framework.strange_memory():
        again = backward(framework, model, inputs)
    want = {gradient: t for t in model.inputs for taken, gradient in model.gradients if t.id == taken}
    for i, t in want.items():
        if i not in found or i not in again or framework.describe(found[i]) != (t.shape, t.dtype):
            return forward(model), written
        if not compare.same(framework.seen(found[i]), framework.seen(again[i])):
            return forward(model), written
    whole = frozenset().union(*(taint.why.get(i, frozenset()) for i in model.made()))
    whole |= {IndexOfEqual.name} if taint.partial else set()
    for i in want:
        why = whole if framework.finite(found[i]) else whole | {GradientNotFinite.name}
        if why:
            taint.why[i] = taint.why.get(i, frozenset()) | why
    return model, written | found


def backward(framework: Framework, model: Model, inputs: Values, noise: int | None = None, lean: float = 0.0) -> Values:
    """The gradients and the further results of regions by id; empty if the model has none or a call raises. `noise`: a seed for
    a run in which every float is moved."""
    if region.regions(model):
        kept = {*(t.id for _, t in model.extras), *(gradient for _, gradient in model.gradients)}
        found = settle.written(framework, model, inputs, noise, lean) or {}
        return {i: t for i, t in found.items() if i in kept}
    if not model.gradients:
        return {}
    copies = framework.copies(inputs, model)
    try:
        return at_work(framework.backward, model, copies, noise, lean)
    except Raised:  # models that eager cannot differentiate are compared without gradients
        return {}


def name_of(model: Model, tensor: int) -> str:
    """The name of a gradient or a further result of a region; "" for any other tensor."""
    further = region.name_of(model, tensor)
    return further or next((f"gradient of t{taken}" for taken, gradient in model.gradients if gradient == tensor), "")


def api_of(model: Model, tensor: int) -> str:
    """A gradient, named by the first call that uses the input; a further result, named by its region."""
    if region.name_of(model, tensor):
        return region.api_of(model, tensor)
    wanted = {taken for taken, gradient in model.gradients if gradient == tensor}
    wanted |= {t.id for t in model.inputs if t.same in wanted}
    return next((f"gradient of {node.api}" for node in model.nodes if wanted & set(node.refs())), "gradient")

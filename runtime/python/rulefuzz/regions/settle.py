"""Drops the regions of a model that the reference cannot run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulefuzz.framework import Framework
from rulefuzz.model import Model, Raised, Tensor, Values, at_work
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.excuses.ties import IndexOfEqual
from rulefuzz.oracle.excuses.verdicts import GradientNotFinite
from rulefuzz.oracle.taint import Taint
from rulefuzz.regions import region


def written(framework: Framework, model: Model, inputs: Values, noise: int | None = None, lean: float = 0.0) -> Values | None:
    """The tensors of the model as it is written, with its regions; None if a call raises."""
    try:
        return at_work(framework.written, model, framework.copies(inputs, model), noise, lean)
    except Raised:
        return None


def _candidates(model: Model, fits: list[int]) -> Iterator[tuple[Model, int]]:
    """Yields the model, then the model with the fitting regions and one more. `fits` grows meanwhile."""
    every = [r.number for r in region.regions(model)]
    yield model, -1
    for number in every if len(every) > 1 else ():
        yield region.without(model, set(every) - {*fits, number}), number


def _fitting(framework: Framework, model: Model, inputs: Values, values: Values) -> tuple[Model, Values]:
    fits: list[int] = []
    best: tuple[Model, Values] = region.without(model), {}
    for one, number in _candidates(model, fits):
        found = _fits(framework, one, inputs, values)
        if found is None:
            continue
        best = one, found
        if number < 0:
            break
        fits.append(number)
    return best


def _fits(framework: Framework, model: Model, inputs: Values, values: Values) -> Values | None:
    """The tensors of the program if it runs, repeats itself, has the declared results, and agrees with the plain calls."""
    found = written(framework, model, inputs)
    framework.reseed(7)
    with framework.strange_memory():
        again = found and written(framework, model, inputs)
    if found is None or again is None:
        return None
    declared = {t.id: t for _, t in model.extras} | {g: t for t in model.inputs for i, g in model.gradients if t.id == i}
    for i in model.outputs:
        tensor = found[i]
        seen, known = framework.seen(tensor), i in values
        want = framework.seen(values[i]) if known else None
        if not compare.same(seen, framework.seen(again[i])):
            return None
        if want and (seen[:3] != want[:3] or compare.difference(seen, want, *tolerance.bounds("neuri", want[2]))):
            return None
        if i in declared and not _is_as_declared(framework, tensor, declared[i]):
            return None
    return found


def _is_as_declared(framework: Framework, tensor: Any, want: Tensor) -> bool:
    shape, dtype = framework.describe(tensor)
    return shape == want.shape and want.dtype in ("", dtype)


def settled(framework: Framework, model: Model, inputs: Values, values: Values, taint: Taint) -> tuple[Model, Values]:
    """The model with the regions that the reference can run, and their tensors. Further results that are not finite, or may
    depend on a marked tensor, are marked."""
    model, found = _fitting(framework, model, inputs, values)
    for number, t in model.extras:
        why = frozenset().union(*(taint.why.get(i, frozenset()) for i in region.behind(model, number)))
        why |= {IndexOfEqual.name} if taint.partial else set()
        why |= set() if framework.finite(found[t.id]) else {GradientNotFinite.name}
        if why:
            taint.why[t.id] = why
    return model, found

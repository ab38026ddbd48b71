"""Which setting of a target makes a model fail: a pass of its optimiser, or a cheaper target that does the same first.

A target's file says what there is to ask: `BEFORE`, targets whose work is the first part of its own; `suspects(model)`, the
parts that changed the model, and `WITHOUT`, the environment variable by which its `compile` leaves one out.
"""

from __future__ import annotations

import os

from rulefuzz import targets
from rulefuzz.framework import Framework, Unavailable
from rulefuzz.model import Failed, Json, Model
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target


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


def blame(framework: Framework, target: Target, model: Model, preset: str) -> str:
    """What of the target makes the model fail; "" where that cannot be told."""
    check = Check(framework, target, model, Clock(lambda stage: None), preset)
    try:
        if check.unfit():
            return ""
        wanted = _fault(check.judged())
        if wanted[0] not in ("inconsistency", "error"):
            return ""
        return _before(check, wanted) or _suspect(check, wanted)
    except Failed:
        return ""

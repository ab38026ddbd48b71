"""Scripts for programs that are called several times: the text of the program, as it ran, and inputs for each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulefuzz import elements
from rulefuzz.framework import Framework
from rulefuzz.model import Model, Tensor, replaced_values
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.check import Clock
from rulefuzz.script import repro, repro_main
from rulefuzz.session import program
from rulefuzz.session.sequence import Sequence as Calls
from rulefuzz.targets import Target


def script(framework: Framework, target: Target, model: Model, title: str, preset: str = tolerance.MEASURED) -> str:
    """The script's text; "" if the reference fails."""
    check = Calls(framework, target, model, Clock(lambda stage: None), preset)
    if check.unfit() or not target.session:
        return ""
    sessions, assumed = framework.sessions, check.model
    own = framework.script(assumed, check.reference.results)
    inputs: list[str] = []
    same: list[str] = []
    assert assumed.session
    for k, number in enumerate(program.values(assumed.session)):
        each = framework.script(replaced_values(assumed, number), check.reference.results).inputs
        inputs += ["[", *(f"    {text},  # v{t.id}" for text, t in zip(each, assumed.fed, strict=True)), "],"]
        same += _same(assumed.fed, k)
    quotes = "'''" if "'''" not in check.text and "\\" not in check.text else ""
    text = f"PROGRAM = r'''\n{check.text}'''" if quotes else f"PROGRAM = {check.text!r}"
    functions = [f for f in own.functions if f.__name__ not in ("reference", "with_gradients")]
    compared = (compare.differing, compare.other_structure, compare.other_elements, compare.difference)
    copied = (*functions, sessions.shared, own.strides or compare.other_strides, *compared, *sessions.SCRIPT,
              *sessions.COMPILERS, target.session, repro_main.attempt_calls, repro_main.run_child, repro_main.main)  # fmt: skip
    named = ", ".join(f'"c{t.id}": c{t.id}' for t in assumed.constants)
    constants = f"CONSTANTS = {{{named}}}"
    own = replace(own, model=text, inputs=tuple(inputs), constants=(*own.constants, constants), imports=sessions.IMPORTS)
    call = f"attempt_calls(PROGRAM, CONSTANTS, INPUTS, {target.session.__name__}, {repro.compared(assumed, check)!r})"
    return repro.assembled(repro.header(framework, target, title), own, target, copied, call, elements, same)


def _same(fed: Sequence[Tensor], call: int) -> list[str]:
    """Statements that make inputs of a call the same tensor."""
    places = {t.id: i for i, t in enumerate(fed)}
    return [f"INPUTS[{call}][{places[t.id]}] = INPUTS[{call}][{places[t.same]}]" for t in fed if t.same is not None]

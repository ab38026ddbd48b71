"""Writes a finding as a Python script that needs only the framework."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from rulefuzz import elements
from rulefuzz.framework import Framework, Script, fill_heap
from rulefuzz.model import Failed, Json, Model
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.gradients import name_of
from rulefuzz.regions import region
from rulefuzz.script import repro_main
from rulefuzz.targets import Target

START = "from __future__ import annotations\n"
IMPORTS = """import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any
"""


def _text_of(module: ModuleType) -> str:
    """A module's source after its first import."""
    return inspect.getsource(module).partition(START)[2].strip()


def compared(model: Model, check: Check) -> list[tuple[str, float, float]]:
    """The reported names of the outputs and of the inputs after the run ("": not compared), with absolute and relative
    tolerance."""
    known = check.reference.values
    found = []
    for what, i in [("", i) for i in model.outputs] + [(" (an input, afterwards)", t.id) for t in model.fed]:
        limits = check.script_bounds(i) if i in known else (1e-3, 1e-2)
        name = name_of(model, i).replace(" t", " v") or f"v{i}{what}"
        found.append((name if not known or check.settled(i) else "", *limits))
    return found


def header(framework: Framework, target: Target, title: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in title.replace("\\", "/").replace('"', "'")).split())
    versions = ", ".join(f"{name} {version}" for name, version in framework.versions().items() if name != "python")
    return f'''"""{plain}

Found by rulefuzz with {versions}, backend {target.name}. Needs no more than that.
Exit code: 1 the bug is there, 0 it is not, 2 the reference fails.
"""'''


def ran(check: Check, verdict: str) -> Json:
    """Runs the reference, and also the target if that returns. Returns the answer, or {}."""
    if verdict in ("inconsistency", "error"):
        return check.run()
    with contextlib.suppress(Failed):
        check.reference.run()
    return {}


def without_bodies(model: Model, like: Model) -> Model:
    """The model with the bodies of another one."""
    return region.without(model) if region.regions(model) else replace(model, bodies=like.bodies)


def _outputs(model: Model, answer: Json) -> tuple[int, ...]:
    """The script's outputs: all tensors if a difference shows only when all are requested."""
    seen = {*model.outputs, *(t.id for t in model.inputs)}
    hidden = "differs" in answer and not any(d["id"] in seen for d in answer["differs"])
    return tuple(model.made()) if hidden else model.outputs


def script(framework: Framework, target: Target, model: Model, title: str, preset: str = tolerance.MEASURED,
           verdict: str = "") -> str:  # fmt: skip
    """The script's text. `verdict`: the expected failure; "" if unknown."""
    check = Check(framework, target, model, Clock(lambda stage: None), preset)
    target = check.target
    answer, reference = ran(check, verdict), check.reference
    complete = bool(reference.values)
    results = reference.results if complete or model.near_miss else []
    model = reference.model if complete else model
    model = replace(model, outputs=_outputs(model, answer))
    model = model if model.bodies == check.model.bodies else without_bodies(model, check.model)  # that the target rejects
    own = framework.script(model, results)
    alone = complete and framework.repeats and reference.differing() is not None
    attempt = repro_main.attempt_miss if model.near_miss else repro_main.attempt
    compilers = (fill_heap, repro_main.second_run) if alone else (*target.needs, target.module.compile)
    strides = own.strides if own.strides and target.strides else compare.other_strides
    shared = (own.shared,) if own.shared and target.strides and not model.near_miss else ()
    copied = (*own.functions, compare.differing, compare.other_structure, compare.other_elements, compare.difference, strides,
              *shared, *compilers, attempt, repro_main.run_child, repro_main.main)  # fmt: skip
    lines = tuple(f"{text},  # v{t.id}" for text, t in zip(own.inputs, model.fed, strict=True))
    places = {t.id: i for i, t in enumerate(model.fed)}
    same = [f"INPUTS[{places[t.id]}] = INPUTS[{places[t.same]}]" for t in model.fed if t.same is not None]
    entry = compilers[-1].__name__ if alone else with_settings(compilers[-1].__name__, target)
    compiler = own.around.format(compile=entry, joint=target.joint)
    names = "" if model.near_miss else f", {compared(model, check)!r}" + (", shared" if shared else "")
    call = f"{attempt.__name__}(model, INPUTS, {compiler}{names})"
    return assembled(header(framework, target, title), replace(own, inputs=lines), target, copied, call, elements, same)


def with_settings(compiler: str, target: Target, more: str = "") -> str:
    """An expression for a target's `compile` with its settings. `more`: further arguments, ", …"."""
    if target.settings:
        more += f", lambda *given: configure({target.settings!r}, *given)"
    return f"(lambda model, example, stage: {compiler}(model, example, stage{more}))" if more else compiler


def assembled(
    head: str, own: Script, target: Target, copied: Sequence[Callable[..., Any]], call: str, filling: ModuleType,
    same: Sequence[str] = (),
) -> str:
    """Assembles a script. `own`: the framework's parts, with inputs as whole lines. `copied`: functions. `call`: returns what
    is wrong. `same`: makes shared inputs."""
    parts = [head, START + "\n" + IMPORTS + "\n" + own.imports.strip()]
    parts += [f"os.environ[{name!r}] = {os.environ[name]!r}" for name in target.environment if name in os.environ]
    parts += [f"TIMEOUT = {repro_main.TIMEOUT}", own.model.strip()]
    if own.needs_elements:
        parts.append(_text_of(filling))
    parts += [inspect.getsource(function).strip() for function in dict.fromkeys(copied)]
    parts.append(_making([*own.constants, "INPUTS = [", *(f"    {line}" for line in own.inputs), "]", *same]))
    start = "".join(f"    {line}\n" for line in own.start)
    parts.append(f'if __name__ == "__main__":\n{start}    sys.exit(main(lambda: make_inputs() or {call}))')
    return "#!/usr/bin/env python3\n" + "\n\n\n".join(parts) + "\n"


def _making(lines: Sequence[str]) -> str:
    """A function of these statements; its names are global."""
    names = list(dict.fromkeys(found[1] for line in lines if (found := re.match(r"(\w+) = ", line))))
    doc = '    """Tensors and what is made of them, in the child: threads that a framework has do not survive a fork."""'
    return "\n".join(["def make_inputs() -> None:", doc, f"    global {', '.join(names)}", *(f"    {line}" for line in lines)])

"""Scripts for models with several shape instances: one compilation, inputs of at least two shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulefuzz import assignments, elements
from rulefuzz.framework import Framework, Short
from rulefuzz.model import Json, Model, Tensor
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.script import repro, repro_main
from rulefuzz.script.short import SECONDS, Writer
from rulefuzz.targets import Target


def script(framework: Framework, target: Target, model: Model, title: str, preset: str = tolerance.MEASURED,
           verdict: str = "") -> str:  # fmt: skip
    """The long script: all shape instances in the order of their runs. `verdict`: the expected failure."""
    every = Symbolic(framework, target, model, Clock(lambda stage: None), preset)
    target = every.target
    order = assignments.order(model)[: 1 if target.one_shape else None]
    ones = [assignments.assigned(model, k) for k in order]
    checks = [every.at(k) for k in order]
    if verdict == "inconsistency":
        every.run()
    for check in checks:
        if not check.reference.values:
            repro.ran(check, "")
    results = checks[0].reference.results if all(check.reference.values for check in checks) else []
    assert target.dynamic
    own, dynamic = framework.script(model, results), target.dynamic
    compile_once = dynamic.compile or target.module.compile
    needs = (*dynamic.needs, *target.configuring) if dynamic.compile else target.needs
    strides = own.strides if own.strides and target.strides else compare.other_strides
    copied = (*own.functions, compare.differing, compare.other_structure, compare.other_elements, compare.difference, strides,
              *needs, compile_once, repro_main.attempt_each, repro_main.run_child, repro_main.main)  # fmt: skip
    inputs = []
    for one in ones:
        made = framework.script(one, results).inputs
        inputs.append("[" + ", ".join(made) + "],  # " + ", ".join(f"v{t.id}" for t in one.fed))
    names = [repro.compared(one, check) for one, check in zip(ones, checks, strict=True)]
    dims = f", {[list(names) for names in assignments.dims(model)]!r}" if dynamic.compile else ""
    compiling = repro.with_settings(compile_once.__name__, target, dims)
    call = f"attempt_each(model, INPUTS, {compiling}, {names!r})"
    own = replace(own, inputs=tuple(inputs))
    return repro.assembled(repro.header(framework, target, title), own, target, copied, call, elements)


class SymbolicWriter(Writer):
    """The short scripts: compile and run the model with inputs of one shape, then with those that show the failure."""

    def __init__(self, framework: Framework, target: Target, model: Model, title: str,
                 preset: str = tolerance.MEASURED) -> None:  # fmt: skip
        super().__init__(framework, target, model, title, preset)
        self._all, self._order = model, assignments.order(model)
        self._at = self._order[-1]
        self._how = "exact"

    def text(self, verdict: str, number: int = 0, seconds: float = SECONDS) -> str:
        """See Writer."""
        if verdict in ("inconsistency", "error"):
            answer = Symbolic(self._framework, self._target, self._all, Clock(lambda stage: None), self._preset).run()
            self._at = int(answer.get("assignment", 1)) - 1
            if self._at == self._order[0] and self._has_first():  # it fails earlier, whatever the shape
                self._at = self._order[-1]
        self.model = assignments.assigned(self._all, self._at)
        return super().text(verdict, number, seconds)

    def _check(self, model: Model, inputs: dict[int, Any]) -> tuple[Json, Check]:
        constants = {t.id: t for t in model.constants}
        every = replace(self._all, inputs=tuple(constants.get(t.id, t) for t in self._all.inputs), outputs=model.outputs)
        both = Symbolic(self._framework, self._target, every, Clock(lambda stage: None), self._preset)
        if inputs:
            first = both.at(self._order[0]).reference
            first.inputs.update({t.id: self._framework.evaluated(text) for t, text in self._first()})
            both.at(self._at).reference.inputs.update(inputs)
        return both.run(), both.at(self._at)

    def _first(self) -> list[tuple[Tensor, str]]:
        """Expressions for the inputs of the compilation."""
        one = assignments.assigned(self._all, self._order[0])
        return [(t, self._framework.spelled(t, one.values, self._how)) for t in one.fed]

    def _constant(self, how: str) -> Model:
        self._how = how
        return super()._constant(how)

    def _parts(self, model: Model, *rest: Any) -> Short:
        """See Writer; the model has names for dynamic dimensions."""
        whole = self._all.tensors()
        named = tuple(replace(t, dims=whole[t.id].dims) for t in model.inputs)
        outputs = [tuple(replace(t, also=whole[t.id].also) for t in node.outputs) for node in model.nodes]
        nodes = tuple(replace(node, outputs=made) for node, made in zip(model.nodes, outputs, strict=True))
        parts = super()._parts(replace(model, inputs=named, nodes=nodes), *rest)
        if not self._has_first():
            return parts
        first = f"({', '.join(text for _, text in self._first())},)"
        first = f"dict(zip(inputs, {first}))" if self._framework.by_name else first
        return replace(parts, model=f"{parts.model.rstrip()}\nfirst = {first}")

    def _has_first(self) -> bool:
        """Whether the script also has inputs of the first shape, which the target compiles for."""
        return any("first" in plain for plain in self._plains())

    def _plains(self) -> tuple[str, ...]:
        return self._target.plain(dynamic=True)


def fits(target: Target, model: Model) -> bool:
    """Whether the model needs these scripts."""
    return model.assignments > 1 and target.dynamic is not None

"""Models by one reference and several targets in order of cost: a model goes on to the next while they agree.

A target that takes long to compile anything (BATCH in its file) gets many models merged into one. Results are compared model
by model. If some differ or something is raised, halves are tried, then each model alone, which is what counts: a finding
always has one model.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from rulefuzz.elements import seed_of
from rulefuzz.framework import Framework
from rulefuzz.model import BadModel, Json, Model, Raised, Ref, at_work
from rulefuzz.oracle.check import Check, Clock, cpu_seconds
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.targets import Target

HALVING = 40.0
"""Seconds after which a merged model is no longer halved; the rest is checked one by one."""
GOES_ON = ("ok", "rounding", "unspecified", "unsupported")
"""Verdicts after which a model goes on to the next target. Not being supported is no failure."""
Announce = Callable[[str, str], None]
"""Called with a target and a stage."""


def _moved(value: Any, by: int) -> Any:
    if isinstance(value, Ref):
        return replace(value, id=value.id + by)
    return [_moved(item, by) for item in value] if isinstance(value, list) else value


def merged(models: Sequence[Model]) -> Model:
    """One model that does what these do, one after another, with new ids. Each input keeps its elements."""
    inputs, nodes, outputs, by = [], [], [], 0
    pairs: list[tuple[int, int]] = []
    for model in models:
        for t in model.inputs:
            same = None if t.same is None else t.same + by
            inputs.append(replace(t, id=t.id + by, same=same, seed=seed_of(model.values, t.origin)))
        for node in model.nodes:
            args = tuple(replace(arg, value=_moved(arg.value, by)) for arg in node.args)
            nodes.append(replace(node, args=args, outputs=tuple(replace(t, id=t.id + by) for t in node.outputs)))
        outputs += [i + by for i in model.outputs]
        pairs += [(taken + by, gradient + by) for taken, gradient in model.gradients]
        by += model.last() + 1
    module = any(model.module for model in models)
    number = sum(model.values for model in models) if module else 0  # decides how the module is written
    return Model(tuple(inputs), tuple(nodes), tuple(outputs), number, gradients=tuple(pairs), module=module,
                 opset=models[0].opset)  # fmt: skip


def _form(model: Model) -> tuple[bool, bool, int]:
    """What models that are compiled as one must have in common."""
    return bool(model.gradients), model.module, model.opset


def _is_alone(check: Check) -> bool:
    """Whether a model must be compiled alone: an invalid one would fail for all, and a body or a setting covers a whole
    model."""
    return check.model.near_miss or bool(check.model.bodies or check.model.settings) or isinstance(check, Symbolic)


@dataclass
class Way:
    """A model on its way through the targets."""

    check: Check
    answer: Json | None = None
    """The verdict that counts so far."""
    over: bool = False
    """Whether it goes no further."""
    tiers: dict[str, Json] = field(default_factory=dict)
    """Each target's verdict and its cost."""

    def take(self, target: str, answer: Json, cpu: float) -> None:
        """Records one target's verdict. That it is not supported counts only if there is no other verdict."""
        self.tiers[target] = {"verdict": answer["verdict"], "cpu": round(cpu * 1000, 3)}
        refused = answer["verdict"] == "unsupported"
        if self.answer is None or not refused or self.answer["verdict"] == "unsupported":
            counts = [a["assignments"] for a in (self.answer or {}, answer) if "assignments" in a]
            excuses = Counter[str]()
            for earlier in (self.answer or {}, answer):
                excuses.update(earlier.get("excuses", {}))
            self.answer = {**answer, "target": target}
            if excuses:
                self.answer["excuses"] = dict(sorted(excuses.items()))
            if counts:
                self.answer["assignments"] = {key: sum(count[key] for count in counts) for key in counts[0]}
        self.over = answer["verdict"] not in GOES_ON or (refused and self.check.model.probe)

    def leave(self) -> None:
        """Leaves the model to be checked alone."""
        self.answer, self.over = {"verdict": "undecided", "why": "to be looked at alone"}, True
        self.tiers = {}


class Tiers:
    """Runs models through targets."""

    def __init__(self, framework: Framework, targets: Sequence[Target], announce: Announce, preset: str,
                 sampling: bool = False) -> None:  # fmt: skip
        self._framework, self._targets, self._announce, self._preset = framework, targets, announce, preset
        self._sampling = sampling
        """See Counts."""
        self._at, self._start = "", 0.0

    def run(self, models: Sequence[Model]) -> list[Json]:
        """An answer for each."""
        self._start = time.monotonic()
        ways = [self._begin(model) for model in models]
        for target in self._targets:
            self._at = target.name
            going = [way for way in ways if not way.over]
            if target.batch > 1 and len(models) > 1:
                alone = [way for way in going if _is_alone(way.check)]
                going = [way for way in going if way not in alone]
                for form in sorted({_form(way.check.model) for way in going}):
                    alike = [way for way in going if _form(way.check.model) == form]
                    for variant in self._variants(target, alike):
                        self._together(target, *variant)
                going = alone
            for way in going:
                self._alone(target, way)
        return [self._answer(way) for way in ways]

    def _begin(self, model: Model) -> Way:
        clock = Clock(lambda stage: self._announce(self._at, stage))
        kind = Symbolic if model.assignments > 1 else Check
        clock("reference")  # includes making its inputs
        way = Way(kind(self._framework, self._targets[0], model, clock, self._preset))
        self._framework.reseed(0)
        way.check.sample(self._sampling)
        unfit = way.check.unfit()
        clock("")
        if unfit:
            way.answer, way.over = unfit, True
            if "first" in unfit:
                way.answer = {**unfit, "target": self._targets[0].name}
        return way

    @staticmethod
    def _answer(way: Way) -> Json:
        return {**(way.answer or {}), "times": way.check.stage.times, "cpu": way.check.stage.cpu, "tiers": way.tiers}

    def _alone(self, target: Target, way: Way) -> None:
        self._framework.reseed(0)
        before = cpu_seconds()
        answer = way.check.by(target).judged()
        way.check.stage("")
        way.take(target.name, answer, cpu_seconds() - before)

    # ---- merged models

    def _variants(self, target: Target, ways: Sequence[Way]) -> list[tuple[Any, list[Way]]]:
        """Groups of models that may be compiled as one."""
        found: dict[Any, list[Way]] = {}
        for way in ways:
            check = way.check
            variant = target.variant(self._framework.arguments(check.model, check.reference.inputs))
            if check.model.probe and found:  # a call that is supported in one variant is supported in all
                variant = next(iter(found))
            found.setdefault(variant, []).append(way)
        return list(found.items())

    def _together(self, target: Target, variant: Any, ways: list[Way]) -> None:
        if len(ways) == 1:
            return self._alone(target, ways[0])
        before = cpu_seconds()
        settled = self._settled(target, variant, ways)
        cpu = (cpu_seconds() - before) / len(ways)
        left = [way for way, answer in zip(ways, settled, strict=True) if not answer]
        for way, answer in zip(ways, settled, strict=True):
            if answer:
                way.take(target.name, answer, cpu)
        if time.monotonic() - self._start > HALVING:
            for way in left:
                way.leave()
        elif len(left) < len(ways):
            for way in left:
                self._alone(target, way)
        elif left:
            self._together(target, variant, left[: len(left) // 2])
            self._together(target, variant, left[len(left) // 2 :])
        return None

    def _settled(self, target: Target, variant: Any, ways: list[Way]) -> list[Json | None]:
        """The verdicts of models that agree when all are compiled as one; None for the others, and for all if it fails."""
        clock = Clock(lambda stage: self._announce(self._at, stage))
        models = [way.check.model for way in ways]
        one, results = merged(models), [result for way in ways for result in way.check.reference.results]
        self._framework.reseed(0)
        clock("compile")
        try:
            subject = self._framework.subject(one, results, one.outputs)
            got, taken, again = self._call(target, one, subject, ways, clock, variant)
        except (Raised, BadModel):
            return [None] * len(ways)
        clock("judge")
        found: list[Json | None] = []
        for way, inputs in zip(ways, taken, strict=True):
            count = len(way.check.model.outputs)
            same = way.check.by(target).repeats(got[:count], again[:count])
            found.append(way.check.by(target).agrees([*got[:count], *inputs]) if same else None)
            got, again = got[count:], again[count:]
        clock("")
        for way in ways:
            way.check.stage.share(clock, len(ways))
        return found

    def _call(
        self, target: Target, one: Model, subject: Any, ways: list[Way], clock: Clock, variant: Any
    ) -> tuple[list[Any], list[list[Any]], list[Any]]:
        """The target's results, each model's inputs after the run, and the results of a second run."""
        framework = self._framework

        def fresh() -> list[list[Any]]:
            return [framework.arguments(way.check.model, way.check.reference.inputs) for way in ways]

        def together(function: Any, example: Any, stage: Any) -> Any:
            return target.compile_together(function, example, stage, variant)

        example = [*chain(*fresh())]
        compiled = at_work(framework.compiled, target, one, one.outputs, together, subject, example, clock)
        taken, others = fresh(), fresh()
        got = at_work(lambda: list(compiled(*chain(*taken))))
        if len(got) != sum(len(way.check.model.outputs) for way in ways):
            raise Raised(RuntimeError("another number of outputs"))
        return got, taken, at_work(lambda: list(compiled(*chain(*others))))

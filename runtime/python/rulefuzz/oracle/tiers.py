"""Models by one reference and several targets in order of cost: a model goes on to the next while they agree.

A target that takes long to compile anything (BATCH in its file) gets many models merged into one. Results are compared model
by model. If some differ or something is raised, halves are tried, then each model alone, which is what counts: a finding
always has one model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from rulefuzz import assignments
from rulefuzz.elements import seed_of
from rulefuzz.framework import Framework
from rulefuzz.model import BadModel, Json, Model, Raised, Ref, at_work
from rulefuzz.oracle.check import Check, Clock, cpu_seconds
from rulefuzz.oracle.symbolic import Symbolic
from rulefuzz.session.sequence import Sequence as CallSequence
from rulefuzz.targets import Target

HALVING = 60.0
"""Seconds of processor time after which a merged model is no longer halved; the rest is checked one by one."""
OPERATORS = 60
"""Calls that are compiled as one. More cost as much each, and more if one fails."""
GOES_ON = ("ok", "rounding", "unspecified", "unsupported")
"""Verdicts after which a model goes on to the next target. Not being supported is no failure."""
DUPLICATE = "duplicate"
"""A tier's verdict if it was skipped since it compiled the same graph before. It is no verdict on the model."""
Announce = Callable[[str, str], None]
"""Called with a target and a stage."""


def _moved(value: Any, by: int) -> Any:
    if isinstance(value, Ref):
        return replace(value, id=value.id + by)
    return [_moved(item, by) for item in value] if isinstance(value, list) else value


def merged(models: Sequence[Model]) -> Model:
    """One model that does what these do, one after another, with new ids. Each input keeps its elements, and each dynamic
    dimension is one of its own. They have equally many shape instances."""
    inputs, nodes, outputs, by = [], [], [], 0
    pairs: list[tuple[int, int]] = []
    for model in models:
        for t in model.inputs:
            same = None if t.same is None else t.same + by
            dims = tuple(name and f"{name}_{by}" for name in t.dims)
            inputs.append(replace(t, id=t.id + by, same=same, seed=seed_of(model.values, t.origin), dims=dims))
        for node in model.nodes:
            args = tuple(replace(arg, value=_moved(arg.value, by)) for arg in node.args)
            nodes.append(replace(node, args=args, outputs=tuple(replace(t, id=t.id + by) for t in node.outputs)))
        outputs += [i + by for i in model.outputs]
        pairs += [(taken + by, gradient + by) for taken, gradient in model.gradients]
        by += model.last() + 1
    module = any(model.module for model in models)
    number = sum(model.values for model in models) if module else 0  # decides how the module is written
    return Model(tuple(inputs), tuple(nodes), tuple(outputs), number, gradients=tuple(pairs), module=module,
                 opset=models[0].opset, assignments=models[0].assignments)  # fmt: skip


def _instances(check: Check, target: Target) -> list[Check]:
    """The check of each shape instance, in the order of their runs; of a model with one, or a target for one, the check."""
    if isinstance(check, Symbolic) and target.dynamic:
        return [check.at(k) for k in check.order[: 1 if target.one_shape else None]]
    return [check]


def _strength(answer: Json) -> int:
    """Orders the verdicts of a model's shape instances if all agree."""
    return ("unspecified", "ok", "rounding").index(answer["verdict"])


@dataclass
class Way:
    """A model on its way through the targets."""

    check: Check
    answer: Json | None = None
    """The verdict that counts so far."""
    over: bool = False
    """Whether it goes no further."""
    spent: float = 0.0
    """Processor time of merged compilations that the next target's verdict counts, too."""
    tiers: dict[str, Json] = field(default_factory=dict)
    """Each target's verdict and its cost."""

    def take(self, target: str, answer: Json, cpu: float) -> None:
        """Records one target's verdict. That it is not supported counts only if there is no other verdict."""
        self.tiers[target] = {"verdict": answer["verdict"], "cpu": round((cpu + self.spent) * 1000, 3)}
        self.spent = 0.0
        refused = answer["verdict"] == "unsupported"
        if answer["verdict"] == DUPLICATE:
            self.answer = self.answer or {"verdict": "unspecified"}
            return
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

    def is_alone(self) -> bool:
        """Whether the model must be compiled alone: an invalid one would fail for all, one that a cheaper target rejected may,
        a body covers a whole model, and the calls of a session are its own."""
        model, refused = self.check.model, any(tier["verdict"] == "unsupported" for tier in self.tiers.values())
        return model.near_miss or bool(model.bodies) or model.session is not None or refused

    def form(self, target: Target) -> tuple[bool, int, int, tuple[tuple[str, str], ...]]:
        """What models that are compiled as one must have in common. A probed call is the same in all settings."""
        model, given = self.check.model, target.given(self.check.model.settings)
        return bool(model.gradients), model.opset, len(_instances(self.check, given)), () if model.probe else given.settings

    def whole(self, target: Target) -> Model:
        """The model as it is compiled: with all shape instances if the target takes them."""
        return self.check.whole if isinstance(self.check, Symbolic) and target.dynamic else self.check.model

    def leave(self) -> None:
        """Leaves the model to be checked alone."""
        self.answer, self.over = {"verdict": "undecided", "why": "to be looked at alone"}, True
        self.tiers = {}


def _groups(ways: Sequence[Way]) -> list[list[Way]]:
    """Neighbours that are compiled as one: models of at most OPERATORS calls together, or one model."""
    groups: list[list[Way]] = []
    room = 0
    for way in ways:
        room -= len(way.check.model.nodes)
        if room < 0 or not groups:
            groups.append([])
            room = OPERATORS - len(way.check.model.nodes)
        groups[-1].append(way)
    return groups


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
        self._start = cpu_seconds()
        ways = [self._begin(model) for model in models]
        for target in self._targets:
            self._at = target.name
            going = [way for way in ways if not way.over and not self._is_skipped(target, way.check.model)]
            if target.batch > 1 and len(models) > 1:
                alone = [way for way in going if way.is_alone()]
                forms = [(way.form(target), way) for way in going if way not in alone]
                for form in sorted({form for form, _ in forms}):
                    for group in _groups([way for its, way in forms if its == form]):
                        self._together(target, group)
                going = alone
            for way in going:
                self._alone(target, way)
        return [self._answer(way) for way in ways]

    def _is_skipped(self, target: Target, model: Model) -> bool:
        """Whether a target has nothing to add to what the others tell: of an invalid model, or of a session that it has not."""
        if model.session:
            return not target.session and any(other.session for other in self._targets)
        return model.near_miss and self._is_front(target)

    def _is_front(self, target: Target) -> bool:
        """Whether a later target rejects all invalid models that this one does, for the same reasons."""
        return target.abstract and any(later.abstract for later in self._targets[self._targets.index(target) + 1 :])

    def _begin(self, model: Model) -> Way:
        clock = Clock(lambda stage: self._announce(self._at, stage))
        kind = CallSequence if model.session else Symbolic if model.assignments > 1 else Check
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

    def _together(self, target: Target, ways: list[Way]) -> None:
        """Compiles models as one. A single one that fails is checked once more in the usual way, which counts."""
        before = cpu_seconds()
        settled = self._settled(target, ways)
        cpu = (cpu_seconds() - before) / len(ways)
        left = [way for way, answer in zip(ways, settled, strict=True) if not answer]
        for way, answer in zip(ways, settled, strict=True):
            way.spent += cpu
            if answer:
                way.take(target.name, answer, 0.0)
        if cpu_seconds() - self._start > HALVING:
            for way in left:
                way.leave()
        elif len(left) < len(ways) or len(ways) == 1:
            for way in left:
                self._alone(target, way)
        elif left:
            self._together(target, left[: len(left) // 2])
            self._together(target, left[len(left) // 2 :])

    def _settled(self, target: Target, ways: list[Way]) -> list[Json | None]:
        """The verdicts of models that agree when all are compiled as one; None for the others, and for all if it fails."""
        clock = Clock(lambda stage: self._announce(self._at, stage))
        given = target.given(ways[0].check.model.settings)
        each = [_instances(way.check.by(target), given) for way in ways]
        models = [way.whole(target) for way in ways]
        one, results = merged(models), [result for checks in each for result in checks[0].reference.results]
        self._framework.reseed(0)
        clock("compile")
        found: list[Json | None] = [{"verdict": "unspecified"}] * len(ways)
        graphs = None
        try:
            subject = self._framework.subject(one, results, one.outputs)
            with given.together() as graphs:
                compiled = self._compiled(given, one, subject, [checks[0] for checks in each], clock)
                for at in range(len(each[0])):
                    found = self._agreeing(compiled, [checks[at] for checks in each], found, clock)
        except (Raised, BadModel):
            return [{"verdict": DUPLICATE} if getattr(graphs, "duplicate", False) else None] * len(ways)
        clock("")
        for way in ways:
            way.check.stage.share(clock, len(ways))
        if len(each[0]) == 1:
            return found
        counts = [{"run": len(each[0]), "recompiled": 0, "rejected": 0} for _ in ways]
        counts[0]["recompiled"] = max(int(getattr(compiled, "compilations", lambda: 1)()) - 1, 0)
        return [answer and {**answer, "assignments": count} for answer, count in zip(found, counts, strict=True)]

    def _agreeing(
        self, compiled: Callable[..., Sequence[Any]], checks: list[Check], before: list[Json | None], clock: Clock
    ) -> list[Json | None]:
        """The verdicts for one shape instance, None where there is none `before`. A second run must repeat the first. Raises
        Raised."""

        def ran() -> tuple[list[Any], list[list[Any]]]:
            taken = [self._framework.arguments(check.model, check.reference.inputs) for check in checks]
            return at_work(lambda: list(compiled(*chain(*taken)))), taken

        clock("run")
        got, taken = ran()
        if len(got) != sum(len(check.model.outputs) for check in checks):
            raise Raised(RuntimeError("another number of outputs"))
        again, _ = ran()
        clock("judge")
        found: list[Json | None] = []
        for check, inputs, earlier in zip(checks, taken, before, strict=True):
            count = len(check.model.outputs)
            same = earlier and check.repeats(got[:count], again[:count])
            answer = check.agrees([*got[:count], *inputs]) if same else None
            found.append(max(earlier, answer, key=_strength) if earlier and answer else None)
            got, again = got[count:], again[count:]
        return found

    def _compiled(self, target: Target, one: Model, subject: Any, checks: list[Check], clock: Clock) -> Any:
        """The compiled function, from all models' inputs to all results. Raises Raised."""
        example = [*chain(*(self._framework.arguments(check.model, check.reference.inputs) for check in checks))]

        if one.assignments > 1:
            return at_work(target.compile_dynamic, subject, example, clock, assignments.dims(one))
        return at_work(self._framework.compiled, target, one, one.outputs, target.compile, subject, example, clock)

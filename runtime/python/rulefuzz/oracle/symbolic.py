"""One model with several shape instances: compiled once, run with each, compared with the reference."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulefuzz import assignments
from rulefuzz.framework import Framework
from rulefuzz.model import BadModel, Json, Model, Raised, at_work
from rulefuzz.oracle import tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target


class Symbolic(Check):
    """The check of a model with its own shapes, which targets without dynamic shapes see, and with the others."""

    def __init__(self, framework: Framework, target: Target, model: Model, stage: Clock,
                 preset: str = tolerance.MEASURED) -> None:  # fmt: skip
        super().__init__(framework, target, assignments.assigned(model, 0), stage, preset)
        self.whole, self.order = model, assignments.order(model)
        self.others = {k: Check(framework, target, assignments.assigned(model, k), stage, preset)
                       for k in range(1, model.assignments)}  # fmt: skip

    def by(self, target: Target) -> Check:
        other = super().by(target)
        assert isinstance(other, Symbolic)
        other.others = {k: check.by(target) for k, check in self.others.items()}
        return other

    def sample(self, sampling: bool) -> None:
        super().sample(sampling)
        for check in self.others.values():
            check.sample(sampling)

    def unfit(self) -> Json | None:
        """See Check; covers all shape instances."""
        unfit = super().unfit()
        for k, check in self.others.items():
            unfit = unfit or _told(check.unfit(), self.whole, k)
        return unfit

    def judged(self) -> Json:
        """See Check. If the target rejects dynamic shapes, the first shape instance alone counts."""
        if not self.target.dynamic:
            return super().judged()
        run = _Run(self)
        answer = run.answer() if any(map(self._settled, range(self.whole.assignments))) else {"verdict": "unspecified"}
        counted = {"assignments": {"run": run.ran, "recompiled": run.recompiled, "rejected": run.rejected}}
        if answer is None:
            answer, counted["assignments"]["run"] = super().judged(), 1
        return {**answer, **counted}

    def at(self, assignment: int) -> Check:
        """The check of one shape instance."""
        return self.others[assignment] if assignment else self

    def _settled(self, assignment: int) -> bool:
        return any(map(self.at(assignment).settled, self.model.outputs))


def _told(answer: Json | None, model: Model, assignment: int) -> Json | None:
    """An answer that names its shape instance. An error's message names only the number, as its bucket does."""
    if answer is None or not assignment:
        return answer
    which = f"; assignment {assignment + 1}"
    told = {**answer, "assignment": assignment + 1}
    if "first" in told:
        told["first"] = {**told["first"], "how": f"{told['first']['how']}{which}: {assignments.said(model, assignment)}"}
    if "error" in told:
        told["error"] = {**told["error"], "message": told["error"]["message"] + which}
    return told


class _Run:
    """The target's runs."""

    def __init__(self, check: Symbolic) -> None:
        self._check, self._target = check, check.target
        self.ran = self.recompiled = self.rejected = 0

    def answer(self) -> Json | None:
        """The verdict; None if the target rejects dynamic shapes."""
        check, found = self._check, dict[str, Json](verdict="ok", differs=[])
        excuses, samples = Counter[str](), dict[str, Json]()
        try:
            check.stage("compile")
            compiled = self._compiled(check.model.outputs)
        except BadModel as error:
            return {"verdict": "unreadable", "error": check.framework.described(error)}
        except Raised as raised:
            return None if self._refuses(raised.error) else self._raised(raised.error, check.order[0])
        for k in check.order:
            try:
                got = self._got(compiled, k, check.model.outputs)
            except Raised as raised:
                if not self._refuses(raised.error):
                    return self._raised(raised.error, k)
                if not self.ran:
                    return None
                continue
            self.ran += 1
            answer = self._judged(got, k)
            if answer["verdict"] == "inconsistency":
                return answer
            excuses.update(answer.get("excuses", {}))
            samples = answer.get("samples", {}) | samples
            found = answer if answer["verdict"] == "rounding" else found
            if self._target.one_shape:
                break
        found = {**found, "excuses": dict(sorted(excuses.items()))} if excuses else found
        return {**found, "samples": samples} if samples else found

    def _compiled(self, outputs: Sequence[int]) -> Any:
        check = self._check
        one = check.at(check.order[0])
        subject = check.framework.subject(check.whole, one.reference.results, outputs)
        example, dims = check.framework.arguments(one.model, one.reference.inputs), assignments.dims(check.whole)
        return at_work(self._target.compile_dynamic, subject, example, check.stage, dims)

    def _got(self, compiled: Any, assignment: int, outputs: Sequence[int]) -> list[Any]:
        """The results for a shape instance, then the inputs after the call."""
        check = self._check
        one, before = check.at(assignment), self._compilations(compiled)
        check.stage("run")
        returned, taken = one.returned(compiled, outputs)
        self.recompiled += self._compilations(compiled) > before > 0
        return [*returned, *taken]

    @staticmethod
    def _compilations(compiled: Any) -> int:
        return int(getattr(compiled, "compilations", lambda: 0)())

    def _refuses(self, error: Exception) -> bool:
        rejected = self._target.refuses_dynamic(error) or self._check.framework.is_unsupported(error)
        self.rejected += rejected
        return rejected

    def _raised(self, error: Exception, assignment: int) -> Json:
        one = copy.copy(self._check.at(assignment))
        one.stage = self._check.stage
        return _told(one.one_sided(error), self._check.whole, assignment)

    def _judged(self, got: list[Any], assignment: int) -> Json:
        check = self._check
        one = check.at(assignment)
        check.stage("judge")
        answer = one.settle(got, lambda every: self._whole(every, assignment))
        if answer["verdict"] != "inconsistency":
            return answer
        told = _told(answer, check.whole, assignment)
        assert told is not None
        return {**told, "assignment": assignment + 1}

    def _whole(self, every: Sequence[int], assignment: int) -> list[Any] | None:
        """Other tensors for a shape instance; None if the target raises."""
        check, got = self._check, None
        check.stage("localise")
        try:
            compiled = self._compiled(every)
            for k in check.order[: check.order.index(assignment) + 1]:
                got = self._got(compiled, k, every)
        except Raised:
            return None
        check.stage("localise")
        return got

"""A program that is compiled once and called several times, compared with eager after each call.

The results of the model's calls are judged by the oracle as those of a plain model with the same inputs. Everything else that
Python sees must be equal: results of constructs, their state, printed text, exceptions, aliases.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulefuzz.framework import Framework
from rulefuzz.model import Json, Model, Raised, at_work, replaced_values
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.session import program
from rulefuzz.targets import Target


class Loose(Target):
    """A target whose strides and aliases are compared with those of eager's program instead of the reference's, since the
    arguments of a call may have other strides than the model's inputs."""

    @property
    def strides(self) -> bool:
        """See Target."""
        return False


class Sequence(Check):
    """The check of a model with a session."""

    def __init__(self, framework: Framework, target: Target, model: Model, stage: Clock,
                 preset: str = tolerance.MEASURED) -> None:  # fmt: skip
        super().__init__(framework, target, model, stage, preset)
        assert model.session
        self.session, self.text = model.session, ""
        self._values = program.values(self.session)
        self._others = {k: Check(framework, target, replaced_values(model, k), stage, preset) for k in set(self._values) - {0}}
        self._eager: list[Json] = []
        self._exact: list[bool] = []
        """For each call, whether eager's program returned the reference's results."""

    def by(self, target: Target) -> Check:
        """See Check."""
        other = super().by(target)
        assert isinstance(other, Sequence)
        other._others = {k: check.by(target) for k, check in self._others.items()}
        return other

    def sample(self, sampling: bool) -> None:
        """See Check."""
        super().sample(sampling)
        for check in self._others.values():
            check.sample(sampling)

    def unfit(self) -> Json | None:
        """See Check. Also unfit: a program that differs between two runs in eager mode."""
        unfit = super().unfit()
        for check in self._others.values():
            unfit = unfit or check.unfit()
        if unfit or not self.framework.sessions:
            return unfit
        self.text = self.framework.sessions.text(self.model, self.reference.results)
        runs = [self._played(self.framework.sessions.eager) for _ in range(2)]
        self._eager = runs[0]
        if any(self.framework.sessions.other_told(one, other)[0] for one, other in zip(*runs, strict=True)):
            return {"verdict": "nondeterministic", "node": -1, "api": "session"}
        self._exact = [self._is_exact(k) for k in range(len(self._values))]
        return None

    def _played(self, compiler: Any) -> list[Json]:
        """The outcome of each call of the program if this compiles it."""
        checks = [self._at(k) for k in range(len(self._values))]
        inputs = [self.framework.arguments(check.model, check.reference.inputs) for check in checks]
        self.framework.reseed(0)
        found: list[Json] = at_work(self.framework.sessions.play, self.text, self.framework.constants(self.model), compiler,
                                    self.stage, inputs)  # fmt: skip
        return found

    def _at(self, call: int) -> Check:
        """The check of the model with the inputs of a call."""
        return self._others.get(self._values[call], self)

    def _is_exact(self, call: int) -> bool:
        """Whether eager's program returned the reference's results."""
        eager, reference = self._eager[call], self._at(call).reference
        got = [*eager["base"], *eager["taken"]]
        wanted = reference.wanted(self.model.outputs)
        return len(got) == len(wanted) and all(
            compare.same(*map(self.framework.seen, pair)) for pair in zip(got, wanted, strict=True)
        )

    def judged(self) -> Json:
        """See Check. A target that compiles no programs sees the model without its session."""
        if not self.target.session:
            return super().judged()
        try:
            self.stage("compile")
            got = self._played(self.target.session)
        except Raised as raised:
            return self.one_sided(raised.error)
        self.stage("judge")
        found, excuses = dict[str, Any](verdict="ok", differs=[]), Counter[str]()
        for k in range(len(self._values)):
            if self._both_reject(k, got[k]):
                break
            answer = self._judged_call(k, got[k])
            if answer["verdict"] not in ("ok", "rounding", "unspecified"):
                return answer
            excuses.update(answer.get("excuses", {}))
            found = answer if answer["verdict"] == "rounding" else found
        return {**found, "excuses": dict(sorted(excuses.items()))} if excuses else found

    def _both_reject(self, call: int, got: Json) -> bool:
        """Whether an operator rejects its arguments in both runs. A compiler may do so while it traces, with an exception of
        its own and before the program's side effects, so that later calls cannot be compared."""
        kinds = [type(run["raised"]).__name__ for run in (self._eager[call], got)]
        return "NoneType" not in kinds and (kinds[0] == "RuntimeError" or kinds[0] != kinds[1])

    def _judged_call(self, call: int, got: Json) -> Json:
        eager, error = self._eager[call], got["raised"]
        if error is not None and eager["raised"] is None:
            return self._named(self.one_sided(error), call)
        name, how = self.framework.sessions.other_told(got, eager)
        if name:
            return self._other(call, name, how)
        one = self._at(call)
        if error is not None or not self._exact[call] or not any(map(one.settled, self.model.outputs)):
            return {"verdict": "ok", "differs": []}
        one.target = Loose(self.target.name, self.target.module, self.target.settings)
        answer = one.settle([*got["base"], *got["taken"]], lambda every: Check._whole(one, every))
        return self._named(answer, call)

    def _named(self, answer: Json, call: int) -> Json:
        """An answer whose title names the session."""
        if "title" not in answer or not call:
            return answer
        return {**answer, "title": f"{answer['title']} in call {call + 1} ({self.session.label()})"}

    def _other(self, call: int, name: str, how: str) -> Json:
        """The verdict on a value that Python sees."""
        changed = program.kinds(self.session)[call]
        where = self._construct(name)
        api = f"session.{where}"
        first = {"id": -1, "node": -1, "api": api, "how": f"{self._kind(name)}{name}: {how}", "rounding": False}
        after = f" after {changed}" if changed else ""
        title = f"{where}: {name} is {how} in call {call + 1}{after}"
        return {"verdict": "inconsistency", "differs": [first], "first": first, "tolerance": self.preset, "title": title}

    @staticmethod
    def _kind(name: str) -> str:
        """The start of the failure's text, which decides its bucket (runtime/fuzz/failure.c)."""
        return "memory of " if name == "memory" else ""

    def _construct(self, name: str) -> str:
        """The construct to which a difference belongs."""
        number = name.rpartition(" ")[2]
        items = self.session.constructs
        if number.isdigit() and int(number) < len(items):
            return items[int(number)].name
        return items[0].name if len(items) == 1 else "calls"


def fits(target: Target, model: Model) -> bool:
    """Whether the model is checked as a sequence of calls."""
    return model.session is not None and target.session is not None

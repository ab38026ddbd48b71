"""Finds plain calls that a framework accepts: the fewest arguments first, then one more at a time."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Call, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import Framework, NotTensors
from traces.collect.plain import features
from traces.collect.plain.choices import RANKS, SIZES, Choice, Maker
from traces.collect.plain.parameters import Parameter
from traces.collect.records.filter import depends_on_constants

SOURCE = "plain"
ATTEMPTS = 96
"""Calls of one form that are tried before it counts as rejected."""
SEEDS = 6
"""Accepted calls of a form."""
FORMS = 1200
"""Forms of a signature that are tried."""
REQUIRED = 160
"""Forms without optional arguments, for each rank of the first tensor."""
OPTIONAL = 3
"""Optional arguments of a call."""
EXTENDED = 2
"""Accepted forms with the same tensors that get another argument."""


@dataclass(frozen=True)
class Form:
    """Arguments that differ from those of another form in kind, not in size."""

    given: tuple[tuple[Parameter, Choice], ...]
    rank: int
    """The first tensor's."""

    def tensors(self) -> tuple[str, ...]:
        """The names of the arguments, and the kinds of tensors."""
        return tuple(f"{p.name} {features.kind(_leaf(choice[0]))}" if _is_sized(choice) else p.name for p, choice in self.given)


@dataclass(frozen=True)
class Accepted:
    """A form that the framework accepts, and some of its calls."""

    form: Form
    calls: tuple[Call, ...]


def _leaf(value: Any) -> Any:
    return symbolise("", [("", True, value)]).args[0]["value"]


def _has_none(form: Form) -> bool:
    return any(choice == (None,) for _, choice in form.given)


def _is_sized(choice: Choice) -> bool:
    """True if the choice has a value for each size."""
    first = choice[0][0] if isinstance(choice[0], list) and choice[0] else choice[0]
    return isinstance(first, TensorSpec)


def arguments(signature: Sequence[Parameter], form: Form) -> Iterator[list[tuple[str, bool, Any]]]:
    """The arguments of a form's calls, the plainest first: name, whether it is passed by position, value."""
    chosen = {parameter.name: choice for parameter, choice in form.given}
    gap = next((at for at, p in enumerate(signature) if p.by_name or p.name not in chosen), len(signature))
    order = [p for p in signature if p.name in chosen]
    for at in range(len(SIZES)):
        options = [(chosen[p.name][at],) if _is_sized(chosen[p.name]) else chosen[p.name] for p in order]
        for values in itertools.islice(itertools.product(*options), ATTEMPTS // len(SIZES)):
            yield [(p.name, signature.index(p) < gap, value) for p, value in zip(order, values, strict=True)]


def calls(api: str, signature: Sequence[Parameter], form: Form) -> Iterator[Call]:
    """The calls of a form, the plainest first."""
    for values in arguments(signature, form):
        call = symbolise(api, values)
        call.source = SOURCE
        yield call


def accepts(framework: Framework, call: Call) -> bool:
    """True if the framework runs the call, returns tensors and does not warn that an argument is deprecated."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            ran = bool(framework.run(framework.compile(call.api, call.args), call.values, "normal"))
        except (Rejected, Unanswered, NotTensors):
            return False
    return ran and not any("deprecated" in str(warning.message) for warning in said)


def _depends(framework: Framework, call: Call) -> bool:
    """True if the outputs' shapes depend on the elements: such calls have no records."""
    compiled = framework.compile(call.api, call.args)
    try:
        outputs = framework.run(compiled, call.values, "normal")
    except (Rejected, Unanswered, NotTensors):
        return False
    return depends_on_constants(framework, compiled, call.values, outputs)


class Search:
    """The accepted forms of one signature."""

    def __init__(self, framework: Framework, api: str, signature: Sequence[Parameter], maker: Maker) -> None:
        self._framework, self._api, self._signature, self._maker = framework, api, signature, maker
        self._tried = 0

    def found(self) -> Iterator[Accepted]:
        """Accepted forms, the plainest first."""
        late: list[Accepted] = []
        required = [(form, self._accepted(form)) for form in self.required()]
        current = [item for _, items in required for item in items]
        for form, items in required:
            if not items and (not current or _has_none(form)):  # it may need an optional argument
                late += [item for new in self._longer(form) for item in self._accepted(new)]
        if not current and not late:  # or two: branches of a choice
            late += [item for form, _ in required for one in self._longer(form) for new in self._longer(one)
                     for item in self._accepted(new)]  # fmt: skip
        current += late
        for _ in range(OPTIONAL + 1):
            yield from current
            count: dict[tuple[str, ...], int] = {}
            following = []
            for item in current:
                count[item.form.tensors()] = count.get(item.form.tensors(), 0) + 1
                if count[item.form.tensors()] <= EXTENDED:
                    following += [new for form in self._longer(item.form) for new in self._accepted(form)]
            current = following

    def _accepted(self, form: Form) -> list[Accepted]:
        if self._tried >= FORMS:
            return []
        self._tried += 1
        good = (call for call in calls(self._api, self._signature, form) if accepts(self._framework, call))
        seeds = tuple(itertools.islice(good, SEEDS))
        return [Accepted(form, seeds)] if seeds and not _depends(self._framework, seeds[0]) else []

    def required(self, ranks: Sequence[int] = RANKS) -> Iterator[Form]:
        """Forms without optional arguments: for each rank of the first tensor, combinations of the required ones' choices."""
        needed = [parameter for parameter in self._signature if parameter.default is None]
        first = next((p for p in needed if p.type == "Tensor"), None)
        for rank in ranks if first else (0,):
            options = []
            for parameter in needed:
                if parameter is first and not parameter.is_list:
                    options.append(self._maker.first(parameter.name, rank))
                else:
                    options.append(self._maker.choices(parameter, rank))
            for chosen in itertools.islice(itertools.product(*options), REQUIRED):
                yield Form(tuple(zip(needed, chosen, strict=True)), rank)

    def _longer(self, form: Form) -> Iterator[Form]:
        """The form with one more argument, which follows its optional ones."""
        optional = [p for p in self._signature if p.default is not None]
        last = max((optional.index(p) for p, _ in form.given if p in optional), default=-1)
        for parameter in optional[last + 1 :]:
            for choice in self._maker.choices(parameter, form.rank):
                yield Form((*form.given, (parameter, choice)), form.rank)

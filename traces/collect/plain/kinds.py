"""Kinds of calls that a framework always rejects: tensors of some rank, a list of some length, too few arguments; and those of
high ranks that it accepts.

A kind has an item for each argument, in the order of the signature: `f2/f2` is two matrices of floats. It counts as rejected
if all calls that are tried raise: equal sizes, each axis and flag, small numbers, and sizes with ones among them. Calls of the
same arguments with tensors of other ranks must be accepted, or calls with one argument more: otherwise they may fail for their
sizes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Call, Json, TensorSpec
from traces.collect.call.symbolise import INDEX_NAME, symbolise
from traces.collect.judge.framework import Framework, NotTensors
from traces.collect.plain import forms
from traces.collect.plain.choices import RANKS, Known, Maker
from traces.collect.plain.collect import typed
from traces.collect.plain.parameters import Parameter

HEADER = "api\tmore\targuments\tkinds"
Kind = tuple[str, str]
"""The names of the arguments, separated by spaces, and their kinds, separated by slashes."""
HIGH = 5
"""A rank above those of records. Kinds whose first tensor is of this rank have a row if they are accepted, all others if they
are rejected."""
MIXED = 24
"""Calls of a kind with sizes with ones among them."""
SORTS = {"float": "f", "bfloat": "f", "int": "i", "uint": "i", "complex": "c", "bool": "b"}
"""The letter of a tensor's dtype, by the dtype's name without its bits."""


def kind(name: str, value: Any) -> str:
    """The kind of an argument, in the notation of the table. A list of axes has a mark if one occurs twice."""
    if isinstance(value, TensorSpec):
        return f"{SORTS.get(re.sub('[0-9].*', '', value.dtype), '?')}{len(value.dims)}"
    if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
        return f"ints{len(value)}" + "twice" * (len(set(value)) < len(value) and INDEX_NAME.search(name) is not None)
    if isinstance(value, list):
        return "[" + ",".join(kind(name, item) for item in value) + "]"
    if isinstance(value, (bool, str)) or value is None:
        return repr(value)
    return "int" if isinstance(value, int) else "number"


def _mixed(value: Any, chance: random.Random, ones: bool) -> Any:
    """The value with sizes with ones among them, or ones alone."""
    if isinstance(value, list):
        return [_mixed(item, chance, ones) for item in value]
    if not isinstance(value, TensorSpec):
        return value
    dims = tuple(1 if ones else chance.choice((1, size)) for size in value.dims)
    return replace(value, dims=dims, range=(0, 1) if value.range else None)


def _values(signature: Sequence[Parameter], form: forms.Form) -> Iterator[list[tuple[str, bool, Any]]]:
    """The arguments of a form's calls: equal sizes, then mixed ones."""
    chance = random.Random(0)
    equal = list(forms.arguments(signature, form))
    yield from equal
    for count in range(MIXED):
        ones = count < MIXED // 4
        yield [(name, by_position, _mixed(value, chance, ones)) for name, by_position, value in chance.choice(equal)]


def _raises(framework: Framework, call: Call) -> bool:
    """True if the framework rejects the call; results that are not tensors count as accepted, and so does a missing answer."""
    try:
        framework.run(framework.compile(call.api, call.args), call.values, "normal")
    except Rejected:
        return True
    except (Unanswered, NotTensors):
        return False
    return False


def _kinds(framework: Framework, api: str, signature: Sequence[Parameter], form: forms.Form) -> Iterator[tuple[Kind, bool]]:
    """The kinds of a form's calls, each with whether one of its calls is accepted. Numbers in place of tensors have none."""
    accepted: dict[Kind, bool] = {}
    tensors = {parameter.name for parameter in signature if parameter.type == "Tensor"}
    for values in _values(signature, form):
        given = [(name, value) for name, _, value in values if value is not None]
        if any(name in tensors and isinstance(value, (int, float)) for name, value in given):
            continue
        one = " ".join(name for name, _ in given), "/".join(kind(name, value) for name, value in given)
        if not accepted.get(one):
            accepted[one] = not _raises(framework, symbolise(api, values))
    yield from accepted.items()


def rows(framework: Framework, api: str, signatures: Iterable[Sequence[Parameter]], recorded: Sequence[Json],
         everywhere: Known) -> list[str]:  # fmt: skip
    """The kinds of an API, a row for each list of arguments. Rejected ones have the mark + if calls of other ranks are accepted
    without optional arguments, else -. Accepted ones of high ranks have the mark =."""
    own = Known()
    for record in recorded:
        own.add(record["args"])
    maker = Maker(everywhere, own)
    accepted: dict[Kind, bool] = {}
    longer: set[Kind] = set()
    for given in signatures:
        signature = [typed(parameter, own) for parameter in given]
        search = forms.Search(framework, api, signature, maker)
        pairs = [pair for form in search.required((*RANKS, HIGH)) for pair in _kinds(framework, api, signature, form)]
        if not any(good for _, good in pairs) and next(search.found(), None):
            longer |= {one for one, _ in pairs}
        for one, good in pairs:
            accepted[one] = accepted.get(one, False) or good
    alike = {_any_rank(one) for one, good in accepted.items() if good}
    found: dict[tuple[str, str], list[str]] = {}
    for one, good in sorted(accepted.items()):
        mark = "=" if good else "+" if _any_rank(one) in alike else "-"
        if " " not in one[1] and _is_high(one) == good and (good or mark == "+" or one in longer):
            found.setdefault((mark, one[0]), []).append(one[1])
    return [f"{api}\t{mark}\t{names}\t{' '.join(words)}" for (mark, names), words in found.items()]


def _any_rank(one: Kind) -> Kind:
    """The kind without the ranks of its tensors and without repeated axes."""
    return one[0], re.sub(r"\b([fibc])\d+\b", r"\1", one[1]).replace("twice", "")


def _is_high(one: Kind) -> bool:
    """True if the first tensor has the high rank."""
    first = re.search(r"\b[fibc](\d+)\b", one[1])
    return first is not None and int(first[1]) == HIGH

"""Features of a call: observations that a rule needs before it answers a call of this kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from traces.collect.call.spec import Json

Feature = tuple[object, ...]
T = TypeVar("T")
Kind = Callable[[Sequence[Json]], set[Feature]]
NUMBER = "number"
"""The kind of floats."""


def kind(value: Json) -> str:
    """The kind of an argument: a tensor's rank and sort of dtype, a list's length, a constant's text."""
    if isinstance(value, str):
        return "integer"
    if isinstance(value, list):
        items = [kind(item) for item in value]
        return f"[{','.join(items)}]"
    if "tensor" in value:
        dtype = value["dtype"]
        sort = "bool" if dtype == "bool" else "integer" if "int" in dtype else "float"
        return f"{sort} rank {len(value['tensor'])}"
    if "elements" in value:
        return f"elements {kind(value['elements'])}"
    return NUMBER if "seen" in value else str(value["const"])


def _kinds(value: Json) -> list[str]:
    """The kinds of an argument that a rule generalizes over one by one: a list's length, and each of its items."""
    mark = ""
    if isinstance(value, dict) and "elements" in value:
        mark, value = "elements ", value["elements"]
    if not isinstance(value, list):
        return [mark + kind(value)]
    return [f"{mark}{len(value)} items", *sorted({mark + kind(item) for item in value})]


def single(args: Sequence[Json]) -> set[Feature]:
    """The arguments that are there, and the kinds of each."""
    return {("given", *sorted(arg["name"] for arg in args)),
            *((arg["name"], one) for arg in args for one in _kinds(arg["value"]))}  # fmt: skip


def pairs(args: Sequence[Json]) -> set[Feature]:
    """The kind of each argument together with the first one's, and the names that are given together with it."""
    if not args:
        return set()
    first = kind(args[0]["value"])
    found = {(first, arg["name"], one) for arg in args[1:] for one in _kinds(arg["value"])}
    return found | {(first, *sorted(arg["name"] for arg in args))}


def whole(args: Sequence[Json]) -> set[Feature]:
    """All arguments together."""
    return {identity(args)}


def identity(args: Sequence[Json]) -> Feature:
    """Equal for calls that differ in sizes, float numbers, and in how arguments are passed."""
    return tuple(sorted((arg["name"], kind(arg["value"])) for arg in args))


def floating(args: Sequence[Json]) -> Feature:
    """The identity of the call whose integer tensors are floats."""
    return tuple(sorted((arg["name"], kind(arg["value"]).replace("integer rank", "float rank")) for arg in args))


def novel(candidates: Iterable[tuple[Sequence[Json], T]], recorded: Iterable[Sequence[Json]], most: int) -> list[T]:
    """At most `most` candidates, the fewest arguments first. Those with a given number of arguments get half of the places
    that are left, and in a second round all of them. Candidates with a new argument come before those with a new pair, and
    those before, with the fewest arguments of all, any that is not recorded. A call with integer tensors that the framework
    accepts with floats, too, is not a candidate: it differs in dtypes only."""
    candidates = list(candidates)
    accepted = {identity(args) for args, _ in candidates}
    candidates = [pair for pair in candidates if floating(pair[0]) == identity(pair[0]) or floating(pair[0]) not in accepted]
    recorded = list(recorded)
    groups: dict[int, list[tuple[Sequence[Json], T]]] = defaultdict(list)
    for args, item in candidates:
        groups[len(args)].append((args, item))
    chosen: list[T] = []
    left = [sorted(group, key=lambda pair: _has_number(pair[0])) for _, group in sorted(groups.items())]
    for share in (2, 1):
        for at, group in enumerate(left):
            kinds = (single, pairs, whole) if at == 0 else (single, pairs)
            chosen += _novel(group, recorded, -(-(most - len(chosen)) // share), kinds)
    return chosen


def _has_number(args: Sequence[Json]) -> bool:
    return any(kind(arg["value"]) == NUMBER for arg in args)


def _novel(group: list[tuple[Sequence[Json], T]], recorded: list[Sequence[Json]], most: int, kinds: Sequence[Kind]) -> list[T]:
    """The chosen candidates of one group: they leave it and become recorded."""
    chosen: list[T] = []
    for features in kinds:
        seen = {feature for args in recorded for feature in features(args)}
        for args, item in list(group):
            if len(chosen) < most and features(args) - seen:
                chosen.append(item)
                recorded.append(args)
                group.remove((args, item))
                seen |= features(args)
    return chosen

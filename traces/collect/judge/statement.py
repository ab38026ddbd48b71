"""Decides how records describe the integer tensors of a call, by experiments with the framework.

A call is described by all its elements and run; then one element at a time is changed, and nothing else:

    effect of its changes                                       seen      described
    some call is accepted with other outputs                    SHAPES    by elements: a size, a start, an axis
    some are rejected, the same integers at every position      BOUND     by a range: an index
    some are rejected, otherwise                                EACH      by elements: coordinates, ascending offsets
    all are rejected, at every position                         SINGLE    as another of the API's calls, else as EACH
    none                                                        NOTHING   plain

A tensor with too many elements to list is described by their range: BOUND if any elements of that range are accepted,
and none beyond one of its ends.

An element that matters in one call matters in all calls of the API, even if a constant (a mask, a flag) makes it ineffective
there: `joint` combines the effects over all calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.restate import ELEMENTS, PLAIN, RANGE
from traces.collect.call.spec import Call, Json, Values
from traces.collect.call.symbolise import SIZES_NAME, is_fixed_name
from traces.collect.judge.framework import LOWEST, WILD, Framework, NotTensors, Output

UNSEEN, NOTHING, SINGLE, BOUND, EACH, SHAPES = "unseen", "nothing", "single", "bound", "each", "shapes"
"""The effect of changed elements of a tensor; UNSEEN: they were not listed, or no call with listed elements was accepted."""
FORMS = {
    UNSEEN: (PLAIN, RANGE, ELEMENTS),
    NOTHING: (PLAIN, RANGE, ELEMENTS),
    SINGLE: (ELEMENTS, RANGE),
    BOUND: (RANGE, ELEMENTS),
    EACH: (ELEMENTS, RANGE),
    SHAPES: (ELEMENTS,),
}
"""How a tensor may be described, the best way first."""
STRENGTH = (UNSEEN, NOTHING, SINGLE, BOUND, EACH, SHAPES)
BASES, GROWN = 3, 6
"""Calls of a structure whose elements are changed, and calls derived from each with a larger dimension or size: in a square
tensor the positions of an index look alike."""
STEPS, FAR = (1, -1, 2, -2), (0, -1, 1000, -1000)
"""First changes of an element, and their results."""
BEYOND = (1, 1000)
"""How far beyond an end of a range an element is moved."""
WIDEST = 12
"""All integers up to this number are tried."""


@dataclass
class _Told:
    """A call with its elements listed: an index of `values` for each."""

    framework: Framework
    call: Any
    values: Values
    places: list[list[int]]
    """For each input tensor of the original call the indices of its elements' symbols."""
    bounds: list[list[int]]
    """For each of these the indices of its low and high, if it is described by a range."""
    dims: list[int]
    """The indices of the symbols that are dimensions."""
    outputs: tuple[Output, ...] = ()

    def ask(self, place: int, value: int) -> tuple[Output, ...] | None:
        """The outputs with one symbol changed, () if that is rejected; None: no answer."""
        return _run(self.framework, self.call, (*self.values[:place], value, *self.values[place + 1 :]))


def _run(framework: Framework, call: Any, values: Values, fill: str = "normal") -> tuple[Output, ...] | None:
    try:
        return framework.run(call, values, fill)
    except Rejected:
        return ()
    except (Unanswered, NotTensors):
        return None


def seen(framework: Framework, calls: Sequence[Call]) -> list[str]:
    """The effect of the elements of each input tensor, over calls of one structure."""
    count = len(arglist.tensors(calls[0].args))
    found = [UNSEEN] * count
    bases = _bases(framework, calls)
    for base in bases:
        for which, places in enumerate(base.places):
            if places and found[which] != SHAPES:
                found[which] = max(found[which], _first(base, places), key=STRENGTH.index)
    for which in range(count):
        if found[which] == EACH:
            found[which] = _alike(bases, which)
        elif found[which] == UNSEEN and any(_is_bound(base, base.bounds[which]) for base in bases):
            found[which] = BOUND
    return found


def joint(found: Sequence[tuple[Sequence[Json], list[str]]]) -> dict[str, str]:
    """The strongest effect of each argument's elements, by name, over all structures of an API."""
    most: dict[str, str] = {}
    for args, what in found:
        for (name, _), does in zip(named(args), what, strict=True):
            counted = SHAPES if does in (SINGLE, BOUND, EACH) and counts_dimensions(name) else does
            most[name] = max(most.get(name, UNSEEN), counted, key=STRENGTH.index)
    return most


def forms(args: Sequence[Json], what: Sequence[str], most: dict[str, str]) -> list[tuple[str, ...]]:
    """For each input tensor of a structure the possible descriptions; `most`: the result of `joint`. A tensor that decides
    shapes in one structure does so in all, and a tensor that matters in one is plain in none; an index of one column stays a
    range."""
    ways = []
    for (name, tensor), does in zip(named(args), what, strict=True):
        strongest = most.get(name, does)
        if "int" not in tensor["dtype"]:
            ways.append((PLAIN, ELEMENTS) if does == UNSEEN else FORMS[does])
        elif does == UNSEEN and strongest in (SINGLE, EACH):
            ways.append((ELEMENTS,))  # a range would be a guess: the columns were never distinguished
        else:
            ways.append(FORMS[strongest if strongest == SHAPES or does in (UNSEEN, NOTHING, SINGLE) else does])
    return ways


def bounded(args: Sequence[Json], what: Sequence[str], most: dict[str, str]) -> set[int]:
    """The input tensors of a structure that are known to be bounded: observed, or, if that was impossible (empty, or with
    one possible value), bounded wherever it was possible."""
    inputs = enumerate(zip(named(args), what, strict=True))
    return {i for i, ((name, _), does) in inputs if does == BOUND or (does in (UNSEEN, SINGLE) and most.get(name) == BOUND)}


def counts_dimensions(name: str) -> bool:
    """True if integers of an argument of this name are constants in records, as for arguments that are not tensors."""
    return is_fixed_name(name) and not SIZES_NAME.search(name)


def named(args: Sequence[Json]) -> list[tuple[str, Json]]:
    """The input tensors in order, each with its argument's name."""
    return [(arg["name"], tensor) for arg in args for tensor in arglist.tensors([arg])]


def _bases(framework: Framework, calls: Sequence[Call]) -> list[_Told]:
    """The first calls that are accepted with their elements listed."""
    bases: list[_Told] = []
    for call in calls:
        if len(bases) == BASES:
            break
        base = _told(framework, call)
        if base is not None:
            bases.append(base)
    return bases


def _told(framework: Framework, call: Call) -> _Told | None:
    """The call with its tensors' elements listed, if it is accepted so. Float tensors stay as they are."""
    values, places, bounds = list(call.values), list[list[int]](), list[list[int]]()

    def new(value: int) -> str:
        values.append(value)
        return f"s{len(values) - 1}"

    def change(leaf: Json) -> Json:
        if not isinstance(leaf, dict) or "tensor" not in leaf:
            return leaf
        before = len(values)
        bare = {key: leaf[key] for key in ("tensor", "dtype", "held") if key in leaf}
        if "given" in leaf:
            bare = {"elements": _symbolised(leaf["given"], new), "dtype": leaf["dtype"]}
        elif "extent" in leaf:
            bare["range"] = [new(bound) for bound in leaf["extent"]]
        new_ones = list(range(before, len(values)))
        places.append(new_ones if "given" in leaf else [])
        bounds.append([] if "given" in leaf else new_ones)
        return bare

    args = arglist.map_leaves(call.args, change)
    if not any(places) and not any(bounds):
        return None
    compiled, dims = framework.compile(call.api, args), sorted(arglist.dimension_symbols(args))
    outputs = _run(framework, compiled, tuple(values))
    return _Told(framework, compiled, tuple(values), places, bounds, dims, outputs) if outputs else None


def _symbolised(given: Any, new: Callable[[int], str]) -> Json:
    if isinstance(given, list):
        return [_symbolised(item, new) for item in given]
    return given if isinstance(given, dict) else new(given)


def _first(base: _Told, places: Sequence[int]) -> str:
    """The effect of small and large changes of a tensor's elements; EACH if some are rejected."""
    found = NOTHING
    for place in places:
        own = base.values[place]
        for value in dict.fromkeys([*(own + step for step in STEPS), *FAR]):
            outputs = base.outputs if value == own else base.ask(place, value)
            if outputs and outputs != base.outputs:
                return SHAPES
            if outputs == ():
                found = EACH
    return found


def _grown(base: _Told, which: int) -> Iterator[_Told]:
    """Accepted calls with one larger dimension, or one larger element of another tensor."""
    made = 0
    told = [place for other, places in enumerate(base.places) if other != which for place in places]
    for place in [*base.dims, *told]:
        outputs = base.ask(place, base.values[place] + 1)
        if outputs and made < GROWN:
            made += 1
            values = (*base.values[:place], base.values[place] + 1, *base.values[place + 1 :])
            yield _Told(base.framework, base.call, values, base.places, base.bounds, base.dims, outputs)


def _alike(bases: Sequence[_Told], which: int) -> str:
    """BOUND if the elements of a tensor may be the same integers at every position, and several of them in some call;
    SINGLE if they are one integer in all calls."""
    several = False
    for base in bases:
        for other in (base, *_grown(base, which)):
            accepted = {_accepted(other, place) for place in other.places[which]}
            if len(accepted) > 1:
                return EACH
            several = several or any(len(values) > 1 for values in accepted)
    return BOUND if several else SINGLE


def _is_bound(base: _Told, bounds: Sequence[int]) -> bool:
    """True if all elements within the range (which holds several) are accepted, and some beyond one of its ends are
    rejected."""
    if not bounds or base.values[bounds[1]] - base.values[bounds[0]] < 2:
        return False
    if any(_run(base.framework, base.call, base.values, fill) != base.outputs for fill in (*WILD, LOWEST)):
        return False
    moved = ((bounds[end], sign * far) for end, sign in enumerate((-1, 1)) for far in BEYOND)
    return any(base.ask(place, base.values[place] + step) == () for place, step in moved)


def _accepted(base: _Told, place: int) -> Values:
    """The integers around 0 that an element may have."""
    most = min(max([abs(value) for value in base.values], default=0), WIDEST) + 2
    return tuple(value for value in range(-most, most + 1) if base.ask(place, value))

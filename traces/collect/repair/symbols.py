"""The symbols of a call in a model, numbered as in the operator's records."""

from __future__ import annotations

from collections.abc import Sequence

from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.records.recorded import Recorded


def symbols(operator: Recorded, given: Sequence[int], inputs: Sequence[Json]) -> Values:
    """All of a call's symbols. A model does not state the bounds of a tensor that stands for all with elements in a range:
    they are those of the model's input or, if that has none, of its elements.

    `given`: the others, in argument order; `inputs`: known facts about each input tensor ("range", "min", "max"). Raises
    StopIteration or ValueError if the call has other arguments than the operator.
    """
    rest, facts = iter(given), iter(inputs)
    numbers: list[int] = []
    for leaf in arglist.leaves(operator.record["args"]):
        if isinstance(leaf, str):
            numbers.append(next(rest))
        elif "elements" in leaf:
            numbers.extend([next(rest) for symbol in arglist.walk(leaf["elements"]) if isinstance(symbol, str)])
        elif "tensor" in leaf:
            known: Json = next(facts, {})
            numbers.extend([next(rest) for _ in leaf["tensor"]])
            if "range" in leaf:
                low = known.get("min")
                numbers.extend(known.get("range") or ((0, 0) if low is None else (int(low), int(known["max"]) + 1)))
    return tuple(numbers)

"""Calls of a function beside the given ones: random ones of its parameters' types if none was given, and variants with
optional arguments omitted, flags flipped and other floats.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from traces.collect.call.spec import TensorSpec
from traces.collect.call.symbolise import INDEX_NAME
from traces.collect.user_ops.notation import Argument
from traces.collect.user_ops.places import Place

FLOATS = (0.0, 0.5, 1.0, 2.0)
"""Floats to try; each value that decides shapes is its own signature."""
LARGEST_RANK = 5
SIZES = (1, 2, 2, 3, 4, 6)


def others(told: Sequence[Argument], places: Sequence[Place] | None) -> Iterator[list[Argument]]:
    """Variants of a given call, itself first."""
    yield list(told)
    for at, (name, value) in enumerate(told):
        if isinstance(value, bool):
            yield [*told[:at], (name, not value), *told[at + 1 :]]
        if isinstance(value, float):
            yield from ([*told[:at], (name, other), *told[at + 1 :]] for other in FLOATS if other != value)
    optional = {place.name for place in places or () if place.optional}
    left = [argument for argument in told if argument[0] not in optional]
    for gone in [name for name, _ in told if name in optional]:
        yield [argument for argument in told if argument[0] != gone]
    if left != list(told):
        yield left


def guesses(places: Sequence[Place], rng: random.Random) -> Iterator[list[Argument]]:
    """Random arguments of these types, endless, small ranks first. Raises KeyError for an unknown type."""
    for number in itertools.count():
        maker = _Maker(rng, min(LARGEST_RANK, number // 8))
        share = rng.choice((0.0, 0.5, 1.0))  # of the optional ones
        yield [(place.name, maker.value(place)) for place in places if not place.optional or rng.random() < share]


class _Maker:
    """The arguments of one call; its tensors mostly share a shape or parts of it."""

    def __init__(self, rng: random.Random, highest: int) -> None:
        self._rng = rng
        self._shape = tuple(rng.choice(SIZES) for _ in range(rng.randrange(highest + 1)))
        if rng.random() < 0.3:
            self._shape = (max(self._shape, default=2),) * len(self._shape)
        self._dtype = "int64" if rng.random() < 0.1 else "float32"

    def _tensor(self) -> TensorSpec:
        rng, shape = self._rng, self._shape
        kind = rng.random()
        if kind < 0.15 and len(shape) > 1:
            shape = (shape[rng.randrange(len(shape))],)
        elif kind < 0.3:
            shape = shape[: rng.randrange(len(shape) + 1)]
        elif kind < 0.4:
            shape = tuple(rng.choice(SIZES) for _ in shape)
        elif kind < 0.5:
            shape = tuple(rng.choice(SIZES) for _ in range(rng.randrange(LARGEST_RANK)))
        elif kind < 0.6 and len(shape) > 1:
            shape = (*shape[:-2], shape[-1], rng.choice(SIZES))
        return TensorSpec(shape, self._dtype)

    def value(self, place: Place) -> Any:
        """An argument of this type; raises KeyError for an unknown type."""
        rng, text = self._rng, place.type.replace("typing.", "").replace("collections.abc.", "")
        optional = re.fullmatch(r"(?:t\.)?Optional\[(.*)\]|(.*?) *\| *None|None *\| *(.*)", text)
        if optional:
            if rng.random() < 0.5:
                return None
            text = next(part for part in optional.groups() if part)
        several = re.match(r"(List|list|Sequence|Tuple|tuple)\b", text) is not None
        if "Tensor" in text or text in ("", "Any", "object"):
            return [self._tensor() for _ in range(rng.choice((1, 2, 2, 3)))] if several else self._tensor()
        if several and re.search(r"\b(Sym)?[iI]nt", text):
            return [rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(rng.choice((1, 2, 2, 3)))]
        if "bool" in text:
            return rng.random() < 0.5
        if re.search(r"\b(Sym)?[iI]nt\b", text):
            is_index = INDEX_NAME.search(place.name) is not None
            return rng.randrange(-1, max(len(self._shape), 1)) if is_index else rng.choice((0, 1, 1, 2, 2, 3, 4))
        if re.search(r"float|number|Scalar", text):
            return rng.choice((0.5, 1.0, 2.0, 0.1))
        if "NoneType" in text:
            return None
        raise KeyError(f"{place.name}: {place.type}")

"""The effects of a model's calls on memory, observed in a run of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """One call's effect."""

    writes: frozenset[int] = frozenset()
    """The earlier tensors whose elements it changes."""
    shares: frozenset[int] = frozenset()
    """The earlier tensors that share memory with its results."""

    def __bool__(self) -> bool:
        return bool(self.writes or self.shares)


def writers(effects: Sequence[Effect], tensor: int) -> list[int]:
    """The calls that write to a tensor, or to memory that it shares, after it was made; in order."""
    return [i for i, effect in enumerate(effects) if tensor in effect.writes]


def needed(effects: Sequence[Effect], calls: Sequence[tuple[Sequence[int], Sequence[int]]], wanted: Iterable[int]) -> list[int]:
    """The calls that decide these tensors, in order. `calls`: the tensors that each uses, and those that it makes."""
    tensors, found = set(wanted), []
    for i in range(len(calls) - 1, -1, -1):
        taken, made = calls[i]
        if not tensors.isdisjoint(made) or (effects and not tensors.isdisjoint(effects[i].writes)):
            tensors.update(taken)
            found.append(i)
    return found[::-1]

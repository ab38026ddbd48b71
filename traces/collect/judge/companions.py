"""Joint moves of several symbols: one changes its value, and others change with it so that the call is accepted again.

If the offsets of a convolution are an input, another kernel size needs another number of offset channels (a multiple)
and another offset size (a difference). Changes of one symbol are rejected, and so are nearly all random ones. So the search
starts from an accepted call and adds *companions* one by one: symbols that are *scaled* like the mover, or *shifted* to a
nearby value. A companion is progress if the call is rejected for another reason than before, and than with the companion alone.
Reasons are compared as text without numbers, not interpreted.

Companions found once are tried again from other calls and with other values. Nothing is known about operators here;
everything follows from the answers. The search is a generator whose caller answers the inputs that it yields.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from traces.collect.call.spec import Values

ACCEPTED = ""
"""The reason why an accepted input was rejected."""
Move = tuple[Values, Values]
"""An input, and the accepted one it was derived from."""
Step = tuple[int, bool]
"""A companion, and whether it is scaled (else shifted)."""
SEARCHES = 3
"""Calls from which a mover's companions are searched for."""
DEPTH, SEARCHED = 5, 150
"""Limits: companions per mover, and inputs per search."""
NEAR = 12
"""Values tried for shifted companions that are known."""
LARGEST = 6
"""Maximum new values of a mover."""
TIRED = 4
"""Attempts that count as one value when the symbol with fewest values is chosen."""


def reason(message: str) -> str:
    """An error message without its numbers."""
    return re.sub(r"\d+", "#", message.strip().split("\n", 1)[0][:300]) or "rejected"


@dataclass(frozen=True)
class Companions:
    """The symbols that move with a mover; shifted ones count as one."""

    scaled: tuple[int, ...]
    shifted: tuple[int, ...]


class Search:
    """The joint moves of one operator. `said`: the reason why an input was rejected, or ACCEPTED; a yielded input must be in it
    before the next one is requested, unless it could not be run. `dims`: symbols that are dimensions."""

    def __init__(self, said: Mapping[Values, str], dims: Set[int], rng: random.Random) -> None:
        self._said, self._dims, self._rng = said, dims, rng
        self._known: dict[int, list[Companions]] = {}
        self._companions: set[int] = set()
        """Symbols that were companions once need not be movers."""
        self._turns: Counter[int] = Counter()
        self._searched: Counter[int] = Counter()
        self._left = 0
        """Inputs left to the current search."""

    def moves(self) -> Iterator[Move]:
        """Endless, unless there is no accepted call; symbols with the fewest moves first."""
        while True:
            calls = [values for values, why in self._said.items() if not why and all(values[i] > 0 for i in self._dims)]
            if not calls or not calls[0]:
                return
            mover = min(range(len(calls[0])), key=lambda i: self._weariness(calls, i))
            self._turns[mover] += 1
            yield from self._from(calls, mover)

    def _weariness(self, calls: Sequence[Values], mover: int) -> tuple[float, float]:
        return len({values[mover] for values in calls}) + self._turns[mover] / TIRED, self._rng.random()

    def _accepted(self, values: Values) -> bool:
        return self._said.get(values) == ACCEPTED

    def _from(self, calls: Sequence[Values], mover: int) -> Iterator[Move]:
        rng, known = self._rng, self._known.get(mover)
        base = rng.choice(calls) if known or self._searched[mover] else calls[0]
        old = base[mover]
        to = rng.choice([v for v in (*range(1, LARGEST + 1), 2 * old, 3 * old) if v not in (0, old)])
        moved = _put(base, (mover,), to)
        yield moved, base
        if self._accepted(moved):
            return
        if known:
            yield from self._again(rng.choice(known), mover, base, moved)
        elif self._searched[mover] < SEARCHES and mover not in self._companions and moved in self._said:
            self._searched[mover] += 1
            self._left = SEARCHED
            yield from self._climb(mover, base, moved, ())

    def _climb(self, mover: int, base: Values, at: Values, steps: tuple[Step, ...]) -> Iterator[Move]:
        """Tries one more companion beside the present ones, and recurses if that is progress."""
        gone = {mover, *(companion for companion, _ in steps)}
        for companion, scaled, to in _changes(base, mover, at[mover]):
            values = _put(at, (companion,), to)
            if companion in gone or values in self._said or self._left <= 0:
                continue
            self._left -= 1
            yield values, base
            taken = (*steps, (companion, scaled))
            if self._accepted(values):
                self._learn(mover, taken, base, values)
                self._left = 0
                return
            if self._said.get(values, self._said[at]) == self._said[at]:
                continue
            alone = _put(base, (companion,), to)
            yield alone, base
            if self._said.get(alone) != self._said[values] and len(taken) < DEPTH:
                yield from self._climb(mover, base, values, taken)

    def _learn(self, mover: int, steps: Sequence[Step], base: Values, values: Values) -> None:
        """Shifted companions move together if they have equal values."""
        scaled = tuple(companion for companion, was_scaled in steps if was_scaled)
        shifted = tuple(companion for companion, was_scaled in steps if not was_scaled)
        self._companions.update(scaled, shifted)
        if len({(base[i], values[i]) for i in shifted}) <= 1:
            self._known.setdefault(mover, []).append(Companions(scaled, shifted))

    def _again(self, who: Companions, mover: int, base: Values, moved: Values) -> Iterator[Move]:
        """Tries companions that succeeded before."""
        values = _scaled(moved, who.scaled, base[mover], moved[mover])
        if values is None:
            return
        tried = [values]
        if who.shifted:
            old = base[who.shifted[0]]
            near = sorted((v for v in range(1, old + NEAR) if v != old), key=lambda v: (abs(v - old), v))
            tried = [_put(values, who.shifted, v) for v in near[:NEAR]]
        for one in tried:
            yield one, base
            if self._accepted(one):
                return


def _changes(base: Values, mover: int, to: int) -> Iterator[tuple[int, bool, int]]:
    """Values for a companion, and whether each is a scaling; scalings come first."""
    old = base[mover]
    for i, value in enumerate(base):
        if old > 0 and value > 0 and value * to % old == 0:
            yield i, True, value * to // old
    for i, value in enumerate(base):
        for v in _near(value, old, to):
            yield i, False, v


def _put(values: Values, symbols: Sequence[int], to: int) -> Values:
    return tuple(to if i in symbols else value for i, value in enumerate(values))


def _scaled(values: Values, symbols: Sequence[int], old: int, to: int) -> Values | None:
    """The input with these symbols scaled by to/old; None if that gives no positive integers."""
    if symbols and (old <= 0 or any(values[i] <= 0 or values[i] * to % old for i in symbols)):
        return None
    return tuple(value * to // old if i in symbols else value for i, value in enumerate(values))


def _near(value: int, old: int, to: int) -> list[int]:
    """Shifted values: as far as the mover moved, in either direction, twice as far, or divided by its factor."""
    step = to - old
    found = [value - step, value + step, value - 2 * step, value + 2 * step]
    if old == 1:
        found += [value // to, -(-value // to)]
    return [v for v in dict.fromkeys(found) if v > 0 and v != value]

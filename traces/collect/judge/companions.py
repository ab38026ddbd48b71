"""Moves of several symbols at once: one goes over to another value, and others go along so that the call is accepted again.

Of a convolution whose offsets are an input, a kernel of another size asks for other channels of the offsets (as many
times as many) and for another size of them (less by what the kernel is larger): no change of one symbol, and hardly any
of random ones, is accepted. So *companions* are looked for, from an accepted call, one after the other: symbols that
are *scaled* as the mover was, or *shifted*, to somewhere near where they were. One is taken for a step forward if the
call is refused for another reason than before, and for another than if the companion had moved alone. Reasons are
compared, not read: the text of the refusal without its numbers.

Who went along once is tried again from other calls and with other values. Nothing is known of operators here; all is read off
the answers, and the search is a generator whose user asks about what it yields.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from traces.collect.call.spec import Values

ACCEPTED = ""
"""The reason for which an accepted input was refused."""
Move = tuple[Values, Values]
"""An input, and the accepted one that it was made of."""
Step = tuple[int, bool]
"""A companion; whether it was scaled, else shifted."""
SEARCHES = 3
"""Calls from which a mover's companions are looked for."""
DEPTH, SEARCHED = 5, 150
"""Companions of a mover, and inputs that a search asks about, at most."""
NEAR = 12
"""Values of shifted companions that are tried when it is known which they are."""
LARGEST = 6
"""What a mover goes over to, at most."""
TIRED = 4
"""Turns of a symbol that count as one more value of it, when the one that moved least is chosen."""


def reason(message: str) -> str:
    """What a refusal says, without its numbers."""
    return re.sub(r"\d+", "#", message.strip().split("\n", 1)[0][:300]) or "refused"


@dataclass(frozen=True)
class Companions:
    """Which symbols go along with a mover; those shifted go as one."""

    scaled: tuple[int, ...]
    shifted: tuple[int, ...]


class Search:
    """The moves of one operator. `said`: why an input was refused, or ACCEPTED; what is yielded must be in it when the next is
    asked for, unless it could not be asked. `dims`: symbols that are dimensions."""

    def __init__(self, said: Mapping[Values, str], dims: Set[int], rng: random.Random) -> None:
        self._said, self._dims, self._rng = said, dims, rng
        self._known: dict[int, list[Companions]] = {}
        self._companions: set[int] = set()
        """Who went along once need not be a mover, too."""
        self._turns: Counter[int] = Counter()
        self._searched: Counter[int] = Counter()
        self._left = 0
        """Inputs that the search for companions that is under way may still ask about."""

    def moves(self) -> Iterator[Move]:
        """Endless, unless there is nothing to move from; the symbols that moved least come first."""
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
        """One more companion beside those that went along to come here, and others beside it where that is a step forward."""
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
        """Those shifted go as one, if they stand alike."""
        scaled = tuple(companion for companion, was_scaled in steps if was_scaled)
        shifted = tuple(companion for companion, was_scaled in steps if not was_scaled)
        self._companions.update(scaled, shifted)
        if len({(base[i], values[i]) for i in shifted}) <= 1:
            self._known.setdefault(mover, []).append(Companions(scaled, shifted))

    def _again(self, who: Companions, mover: int, base: Values, moved: Values) -> Iterator[Move]:
        """With companions that went along before."""
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
    """What a companion may do, and whether that is to be scaled as the mover is: all those first."""
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
    """With these symbols scaled by to/old; None where that gives no integers above 0."""
    if symbols and (old <= 0 or any(values[i] <= 0 or values[i] * to % old for i in symbols)):
        return None
    return tuple(value * to // old if i in symbols else value for i, value in enumerate(values))


def _near(value: int, old: int, to: int) -> list[int]:
    """Where a companion may be: as far away as the mover went, either way, or twice, or as many times less."""
    step = to - old
    found = [value - step, value + step, value - 2 * step, value + 2 * step]
    if old == 1:
        found += [value // to, -(-value // to)]
    return [v for v in dict.fromkeys(found) if v > 0 and v != value]

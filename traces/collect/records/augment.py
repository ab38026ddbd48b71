"""Derives more records from few: mutates the symbols' values and runs each mutant in the framework.

NeuRI's three mutations come first: offsets (+1 over subsets of the symbols), swaps, special values. They reveal little
about joint conditions, so more follow: equal symbols change together, two symbols become equal, one becomes another's
value ± 1, dimensions become 1 (broadcasting), a factor moves from one symbol to another (reshape). The last are small
changes of one symbol in a passing record, since a failure next to a success shows which symbol caused it.

Budgets are counts, never times, and all choices come from the given random generator, so the result is a function of the
operator and the seed. This file is independent of the framework.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from traces.collect.call.spec import Values
from traces.collect.judge import companions
from traces.collect.judge.verdict import FAIL, MIXED, OTHER, PASS, Verdict
from traces.collect.records.settings import Budget

SMALL = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 33)
"""New values of joint mutations; small ones more often."""
LOWEST, HIGHEST = -8, 64
FRUITLESS_MOVES = 2000
"""After this many joint moves in a row that are invalid or repeated, there are no more."""
KINDS = 11
"""Kinds of joint mutation; see Explorer._mutate."""


@dataclass(frozen=True)
class Form:
    """The facts about an operator that mutation needs."""

    symbols: int
    tensors: tuple[tuple[int, ...], ...]
    """For each input tensor the indices of its symbols."""
    ranges: tuple[tuple[Values, int, int], ...] = ()
    """For each tensor with a range the indices of its dimensions, its low and its high."""

    def settled(self, values: Values) -> Values | None:
        """The input as it is run and recorded: the range of an empty tensor is 0, 0. None if a non-empty tensor has an
        empty range: it cannot be run."""
        if not self.ranges:
            return values
        new = list(values)
        for dims, low, high in self.ranges:
            if any(values[i] == 0 for i in dims):
                new[low] = new[high] = 0
            elif values[low] == values[high]:
                return None
        return tuple(new)


@dataclass
class Records:
    """The records found for one operator."""

    passing: dict[Values, Verdict] = field(default_factory=dict)
    failing: dict[Values, int] = field(default_factory=dict)
    """Failing inputs, with the distance from the passing record each was derived from."""
    mixed: int = 0
    tried: int = 0
    kinds: dict[Values, str] = field(default_factory=dict)
    parents: dict[Values, Values] = field(default_factory=dict)


class Explorer:
    """Runs one operator's mutations."""

    def __init__(self, form: Form, seeds: Sequence[Values], ask: Callable[[Values], Verdict], rng: random.Random,
                 budget: Budget, glance: Callable[[Values], str] = lambda values: companions.ACCEPTED) -> None:  # fmt: skip
        """`ask` classifies an input; `glance` returns why it is rejected under the first fill, or ACCEPTED."""
        self._form, self._ask, self._rng, self._budget, self._glance = form, ask, rng, budget, glance
        self._dims = frozenset(i for tensor in form.tensors for i in tensor)
        self.records = Records()
        self._lost: set[Values] = set()
        self._seeds = list(seeds)
        self._low = [min([LOWEST, *(seed[i] for seed in seeds)]) for i in range(form.symbols)]
        self._high = [max([HIGHEST, *(seed[i] + 2 for seed in seeds)]) for i in range(form.symbols)]
        most = max((self._elements(seed) for seed in seeds), default=0)
        self._elements_allowed = max(budget.elements, 2 * most)

    def _elements(self, values: Values) -> int:
        largest = 0
        for tensor in self._form.tensors:
            count = 1
            for i in tensor:
                count *= values[i]
            largest = max(largest, count)
        return largest

    def _allowed(self, values: Values) -> bool:
        if any(values[i] < 0 for i in self._dims):
            return False
        if any(not low <= v <= high for v, low, high in zip(values, self._low, self._high, strict=True)):
            return False
        return self._elements(values) <= self._elements_allowed

    def try_one(self, values: Values, kind: str, parent: Values | None) -> bool:
        """Runs an input unless it was run before; true if it was new."""
        records = self.records
        settled = self._form.settled(values)
        if settled is None:
            return False
        values = settled
        if values in records.passing or values in records.failing or values in self._lost:
            return False
        if not self._allowed(values):
            return False
        records.tried += 1
        verdict = self._ask(values)
        if verdict.kind == PASS:
            records.passing[values] = verdict
        elif verdict.kind in (FAIL, OTHER):
            base = parent if parent is not None else values
            records.failing[values] = sum(a != b for a, b in zip(values, base, strict=True)) or self._form.symbols
            if parent is not None:
                records.parents[values] = parent
        else:
            records.mixed += verdict.kind == MIXED
            self._lost.add(values)
            return True
        records.kinds[values] = kind
        return True

    def explore(self, known_failures: Sequence[Values] = ()) -> Records:
        """Runs all stages within the budget."""
        for seed in self._seeds:
            self.try_one(seed, "seed", None)
        for values in known_failures:
            self.try_one(values, "given", None)
        total = self._budget.trials
        bases = list(self.records.passing)[:12]
        if not self._form.symbols or not bases:
            return self.records
        self._stage(self._offsets(bases), "offset", total * 15 // 100)
        self._stage(self._swaps(bases), "swap", total * 8 // 100)
        self._stage(self._specials(bases), "special", total * 15 // 100)
        self._stage(self._joint(), "joint", total * 40 // 100)
        if self._is_scarce():
            self._with_companions(self._budget.companions)
            self._stage(self._near_each(), "near", min(self._budget.companions, 4 * self._form.symbols))
        if self.records.failing or self.records.tried < self._budget.fruitless:
            self._stage(self._near_misses(), "near", total * 22 // 100)
        return self.records

    def _stage(self, candidates: Iterator[tuple[Values, Values]], kind: str, quota: int) -> None:
        stale = 0
        for values, parent in candidates:
            if quota <= 0 or stale > 400:
                return
            if kind in ("joint", "near") and self._plenty():
                return
            if not self.records.failing and self.records.tried >= self._budget.fruitless:
                return
            if self.try_one(values, kind, parent):
                quota -= 1
                stale = 0
            else:
                stale += 1

    def _plenty(self) -> bool:
        """True if both sides have enough records to choose from."""
        records, budget = self.records, self._budget
        return 2 * len(records.passing) >= 3 * budget.passing and len(records.failing) >= 2 * budget.failing

    def _with_companions(self, quota: int) -> None:
        """Joint moves of several symbols. Few are accepted; rejected ones are not classified further."""
        said, stale = dict.fromkeys(self.records.passing, companions.ACCEPTED), 0
        for values, parent in companions.Search(said, self._dims, self._rng).moves():
            if quota <= 0 or stale > FRUITLESS_MOVES or len(self.records.passing) >= 2 * self._budget.passing:
                return
            stale += 1
            if values in said or self._form.settled(values) != values or not self._allowed(values):
                continue
            quota, stale = quota - 1, 0
            said[values] = self._glance(values)
            if said[values] == companions.ACCEPTED:
                self.try_one(values, "companions", parent)
                said[values] = companions.ACCEPTED if values in self.records.passing else "not whatever the elements"

    def _is_scarce(self) -> bool:
        """True if many more inputs were rejected than accepted, as if one change requires others."""
        passing, failing = len(self.records.passing), len(self.records.failing)
        return passing < self._budget.passing and 2 * passing < failing

    # Each mutation yields (mutant, the passing record it was derived from).

    def _offsets(self, bases: Sequence[Values]) -> Iterator[tuple[Values, Values]]:
        count = self._form.symbols
        for size in range(1, min(count, 4) + 1):
            for subset in itertools.combinations(range(count), size):
                for base in bases[: 4 if size == 1 else 2]:
                    yield tuple(v + (i in subset) for i, v in enumerate(base)), base
        for base in bases:
            yield tuple(v + 1 for v in base), base

    def _swaps(self, bases: Sequence[Values]) -> Iterator[tuple[Values, Values]]:
        for base in bases[:4]:
            for i, j in itertools.combinations(range(self._form.symbols), 2):
                swapped = list(base)
                swapped[i], swapped[j] = base[j], base[i]
                yield tuple(swapped), base

    def _specials(self, bases: Sequence[Values]) -> Iterator[tuple[Values, Values]]:
        for base in bases:
            for i in range(self._form.symbols):
                for special in (1, 0) if i in self._dims else (0, -1, 1, 2):
                    yield (*base[:i], special, *base[i + 1 :]), base

    def _near_misses(self) -> Iterator[tuple[Values, Values]]:
        rng, passing = self._rng, list(self.records.passing)
        bases = rng.sample(passing, min(30, len(passing)))
        steps = [(i, step) for i in range(self._form.symbols) for step in (-1, 1, -2, 2)]
        rng.shuffle(steps)
        for i, step in steps:
            for base in bases:
                yield (*base[:i], base[i] + step, *base[i + 1 :]), base

    def _near_each(self) -> Iterator[tuple[Values, Values]]:
        """Every small step of each symbol, from another input each time."""
        passing = self._rng.sample(list(self.records.passing), len(self.records.passing))
        steps = itertools.product((-1, 1, -2, 2), range(self._form.symbols))
        for (step, i), base in zip(steps, itertools.cycle(passing), strict=False):
            yield (*base[:i], base[i] + step, *base[i + 1 :]), base

    def _joint(self) -> Iterator[tuple[Values, Values]]:
        """Endless. While there are fewer passing than failing records, mutations that find passing ones are preferred."""
        rng = self._rng
        tries, passes = [1.0] * KINDS, [0.5] * KINDS
        pool = list(self.records.passing)
        known = len(pool)
        while True:
            if len(self.records.passing) > known + 8:  # newly found passing records become bases too
                pool = list(self.records.passing)
                known = len(pool)
            base = rng.choice(pool)
            mutant = list(base)
            kind = rng.randrange(KINDS)
            if len(self.records.passing) < len(self.records.failing):
                kind = rng.choices(range(KINDS), [0.1 + p / t for p, t in zip(passes, tries, strict=True)])[0]
            for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
                self._mutate(mutant, kind)
            values = tuple(mutant)
            new = values not in self.records.passing
            yield values, base
            tries[kind] += 1
            passes[kind] += new and values in self.records.passing

    def _mutate(self, values: list[int], kind: int) -> None:
        rng, count = self._rng, len(values)
        i, j = rng.randrange(count), rng.randrange(count)
        if kind <= 3:  # equal values change together
            new, old = rng.choice(SMALL), values[i]
            same = [k for k in range(count) if values[k] == old and (k in self._dims) == (i in self._dims)]
            if kind == 3:
                same = [k for k in range(count) if values[k] == old]
            for k in same:
                values[k] = new
        elif kind == 4:
            values[i] = values[j]
        elif kind == 5:
            values[i] = values[j] + rng.choice((-1, 1))
        elif kind == 6:
            for k in range(count):
                if k in self._dims and rng.random() < 0.4:
                    values[k] = 1
        elif kind == 7:
            factors = [f for f in (2, 3, 5, 7) if values[i] % f == 0]
            if factors and i != j and values[i]:
                factor = rng.choice(factors)
                values[i] //= factor
                values[j] *= factor
        elif kind == 8:
            values[i] = rng.choice(SMALL) if i in self._dims else rng.choice((*SMALL, -1, -2, -3))
        elif kind == 9:  # both grow: a product, sum or quotient of two symbols
            step = rng.choice((-1, 1, 2))
            if rng.randrange(2):
                values[i], values[j] = values[i] + step, values[j] + step
            elif i != j:
                factor = rng.choice((2, 3))
                values[i], values[j] = values[i] * factor, values[j] * factor
        else:
            values[i] += rng.choice((-3, -2, -1, 1, 2, 3))

"""Chooses the patterns to keep: those that passes of onnxruntime change, then those of each length with most features."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from traces.collect.zoo.patterns import features

FIRING = 28
"""Patterns kept at most for a pass that changes them, if each shows something new."""
EACH = 14
"""Patterns kept at least for a pass, even if they show nothing new."""
LONGEST = 12
"""Maximum calls of a pattern kept for a pass, unless there are not EACH."""
RUN = 3000
"""Patterns of a length that are run at most; a quarter of that of long ones."""
CLASSES = {range(2, 3): 160, range(3, 4): 160, range(4, 7): 200, range(7, 11): 140, range(11, 21): 80}
"""Further patterns kept, by number of calls."""


@dataclass
class Found:
    """A pattern with its places."""

    pattern: str
    models: set[str] = field(default_factory=set)
    fired: frozenset[str] = frozenset()

    @property
    def length(self) -> int:
        """The number of calls."""
        return self.pattern.count(";") + 1


def _firing(found: list[Found]) -> Iterator[Found]:
    """The shortest patterns that each pass changes, the most frequent first among equal lengths."""
    order = sorted(found, key=lambda f: (f.length, -len(f.models), f.pattern))
    for name in sorted({name for f in found for name in f.fired}):
        shown, kept = set[str](), 0
        for f in order:
            if name not in f.fired or kept == FIRING:
                continue
            new = not features(f.pattern) <= shown
            if (new and f.length <= LONGEST) or kept < EACH:
                shown |= features(f.pattern)
                kept += 1
                yield f


def _telling(found: Iterable[Found], known: set[str], most: int) -> Iterator[Found]:
    """Those with most features that are not known yet; `known` grows. A pattern's new features only become fewer, so those
    counted earlier are upper bounds."""
    waiting = [(-len(features(f.pattern) - known), -len(f.models), f.pattern, f) for f in found]
    waiting = [item for item in waiting if item[0]]
    heapq.heapify(waiting)
    while waiting and most:
        bound, models, text, best = heapq.heappop(waiting)
        new = features(text) - known
        if -len(new) == bound:
            known |= new
            most -= 1
            yield best
        elif new:
            heapq.heappush(waiting, (-len(new), models, text, best))


def shortlist(found: Iterable[Found]) -> list[Found]:
    """The patterns to run: of each length those with most features, and the most frequent ones."""
    kept: list[Found] = []
    by_length: dict[int, list[Found]] = {}
    for f in sorted(found, key=lambda f: f.pattern):
        by_length.setdefault(f.length, []).append(f)
    for length, some in sorted(by_length.items()):
        most = RUN if length <= LONGEST // 2 + 2 else RUN // 4
        telling = {f.pattern: f for f in _telling(some, set(), most // 2)}
        others = sorted((f for f in some if f.pattern not in telling), key=lambda f: (-len(f.models), f.pattern))
        kept += [*telling.values(), *others[: most - len(telling)]]
    return kept


def choose(found: list[Found]) -> list[Found]:
    """The patterns to keep, in a fixed order."""
    kept = list({f.pattern: f for f in _firing(found)}.values())
    for sizes, most in CLASSES.items():
        inside = [f for f in found if f.length in sizes]
        known = {feature for f in kept if f.length in sizes for feature in features(f.pattern)}
        have = {f.pattern for f in kept}
        kept += _telling((f for f in inside if f.pattern not in have), known, most)
    return kept


def passes_of(found: Iterable[Found]) -> Counter[str]:
    """The number of patterns that each pass changes."""
    return Counter(name for f in found for name in f.fired)

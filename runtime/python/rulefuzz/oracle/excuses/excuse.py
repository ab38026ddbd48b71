"""Excuses: classes with a name that decide which differences are not bugs.

Five kinds have a method `applies`:

    kind      subject                                             result of `applies`
    Result    a call of the reference's run (call.py)             the results that are undefined, True: all
    Element   a tensor of the target that differs (difference.py) the elements that it explains
    Noise     a call of a run with noise (noise.py)               the call's results, moved
    Step      a tensor of a run with noise (measured.py)          the elements that the run explains
    Rejection a message of the reference (verdicts.py)            whether no compiler has to reject the call

The oracle itself notes that the others fired, such as those of whole answers (verdicts.py).

Excuses of one kind are independent of each other, except for Noise: a verdict does not depend on their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np


class Excuse:
    """One reason why a difference is no bug. Each subclass with a name is an excuse. The documentation has the first paragraph
    of its docstring as the reason. excuses.tsv has the specification or thread that it rests on, unless the excuse only leads
    to others; tests/python/excuses/cases.tsv has its cases and faults."""

    name: ClassVar[str] = ""
    """As answers, summaries and the documentation have it."""

    def applies(self, subject: Any) -> Any:
        """See the table above."""
        raise NotImplementedError


class Counts:
    """The excuses of one judgement, and the elements that each covered."""

    def __init__(self, sampling: bool = False) -> None:
        self._found: dict[object, Counter[str]] = {}
        self.sampling = sampling
        """Whether an element of each excuse is kept for reading."""
        self.samples: dict[str, Mapping[str, Any]] = {}
        """By name: the tensor, the element's place, and its value by the target and the reference."""

    def note(self, about: object, name: str, elements: int) -> None:
        """Adds elements. `about`: what they are of, such as a tensor; see `forget`."""
        if elements:
            self._found.setdefault(about, Counter())[name] += elements

    def show(self, name: str, tensor: int, got: Any, want: Any, mask: Any) -> None:
        """Keeps the first element of a mask as the sample of an excuse."""
        if not self.sampling or name in self.samples:
            return
        place = np.asarray(mask).reshape(-1).tolist().index(True)
        at = [int(i) for i in np.unravel_index(place, tuple(mask.shape))]
        one, other = (np.asarray(array).reshape(-1)[place] for array in (got, want))
        self.samples[name] = {"tensor": tensor, "at": at, "got": str(one), "want": str(other)}

    def forget(self, about: object) -> None:
        """Drops what is known of something, since it is judged again."""
        self._found.pop(about, None)

    def take(self, other: Counts, about: Iterable[object]) -> None:
        """Adds what another judgement, of tensors inside the model, knows of these."""
        self._found.update((("inside", key), other._found[key]) for key in about if key in other._found)

    def total(self) -> Mapping[str, int]:
        """The elements of each excuse, by name."""
        whole: Counter[str] = Counter()
        for found in self._found.values():
            whole.update(found)
        return dict(sorted(whole.items()))


def count(mask: Any) -> int:
    """How many elements of a mask, of any library, are set."""
    return int(mask.sum())

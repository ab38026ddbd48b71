"""Gives a module's sample distinct sizes wherever they need not be equal.

PyTorch's samples of modules are small: an LSTM has 2 inputs, 2 layers, 2 outputs. A record in which all of these are 2
does not show which size follows which, and the operator below (torch.lstm) may check almost nothing itself. So each
number of the constructor and each size of an input is changed to a unique one: alone if the module still runs, else
together with others that had the same value. Which ones must be equal is found by running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import torch

from traces.collect.frameworks.torch.calls import LARGEST, large

SIZES = (5, 3, 7, 4, 6, 11, 8, 13, 10, 9)
"""Sizes to try; each round starts at another. If none works, a multiple of the old one is tried."""
TIMES = (3, 2)
TOGETHER = 3
"""Maximum numbers changed together, unless all equal ones are."""
UNITS = 16
"""Samples with more numbers are left unchanged."""


@dataclass(frozen=True)
class Sample:
    """A module's constructor arguments and call arguments."""

    constructor: tuple[tuple[Any, ...], dict[str, Any]]
    forward: tuple[tuple[Any, ...], dict[str, Any]]


def _numbers(value: Any, shapes: bool) -> Iterator[int]:
    """The numbers in it that may change: integers, or sizes of tensors; in a fixed order."""
    if shapes and isinstance(value, torch.Tensor):
        yield from value.shape
    elif not shapes and type(value) is int:
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item, shapes)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _numbers(item, shapes)


def _tensor(old: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """A tensor of this shape with the old one's elements, repeated as needed."""
    count = torch.Size(shape).numel()
    if list(old.shape) == list(shape):
        return old
    if old.numel() == 0:
        return old.new_zeros(shape)
    return old.flatten()[torch.arange(count) % old.numel()].reshape(shape)


def _changed(value: Any, shapes: bool, numbers: Iterator[int]) -> Any:
    """The value with its numbers replaced by the next ones."""
    if shapes and isinstance(value, torch.Tensor):
        return _tensor(value, [next(numbers) for _ in value.shape])
    if not shapes and type(value) is int:
        return next(numbers)
    if type(value) in (list, tuple):
        return type(value)(_changed(item, shapes, numbers) for item in value)
    if type(value) is dict:
        return {key: _changed(item, shapes, numbers) for key, item in value.items()}
    return value


def numbers_of(sample: Sample) -> list[int]:
    """All numbers of a sample: the constructor's, then the inputs' sizes."""
    return [*_numbers(list(sample.constructor), False), *_numbers(list(sample.forward), True)]


def with_numbers(sample: Sample, numbers: Sequence[int]) -> Sample:
    """The sample with these in place of numbers_of(sample)."""
    left = iter(numbers)
    args, kwargs = sample.constructor
    constructor = _changed(args, False, left), _changed(kwargs, False, left)
    args, kwargs = sample.forward
    return Sample(constructor, (_changed(args, True, left), _changed(kwargs, True, left)))


def _candidates(old: int, taken: set[int], first: int) -> list[int]:
    sizes = [size for size in (*SIZES[first:], *SIZES[:first]) if size not in taken]
    return [*sizes[:1], *(old * k for k in TIMES if old * k not in taken)]


def _companions(numbers: Sequence[int], moved: set[int], unit: int) -> Iterator[tuple[int, ...]]:
    """Subsets of equal numbers, the smallest first; then all of them."""
    same = [i for i, number in enumerate(numbers) if number == numbers[unit] and i != unit and i not in moved]
    for count in range(min(len(same), TOGETHER) + 1):
        yield from combinations(same, count)
    if len(same) > TOGETHER:
        yield tuple(same)


def spread(sample: Sample, runs: Callable[[Sample], bool], first: int) -> Sample | None:
    """The sample with as many unique sizes as the module runs with, or None. `runs`: tests that, with the same number of
    parameters as before; `first`: the index in SIZES to start at."""
    numbers = numbers_of(sample)
    if len(numbers) > UNITS:
        return None
    moved: set[int] = set()
    for unit in range(len(numbers)):
        if unit in moved or numbers[unit] < 1:
            continue
        for size, others in ((size, others) for size in _candidates(numbers[unit], set(numbers), first)
                             for others in _companions(numbers, moved, unit)):  # fmt: skip
            changed = [size if i == unit or i in others else number for i, number in enumerate(numbers)]
            found = with_numbers(sample, changed)
            if not large(found.forward, LARGEST) and runs(found):
                numbers = changed
                moved |= {unit, *others}
                break
    return with_numbers(sample, numbers) if moved else None

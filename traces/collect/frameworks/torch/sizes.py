"""A module's sample again, with sizes of its own for all that need not be alike.

PyTorch's samples of modules are small: an LSTM has 2 inputs, 2 layers, 2 outputs. A record in which all of these are 2
says little of which size follows which, and the operator underneath (torch.lstm) may check next to nothing itself. So
each number of the constructor and each size of an input is changed to one that nothing else has, alone if the module
still runs, else together with others that had the same: what must be alike is found by running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import torch

from traces.collect.frameworks.torch.calls import LARGEST, large

SIZES = (5, 3, 7, 4, 6, 11, 8, 13, 10, 9)
"""Sizes that are tried; each round begins at another. Where none of them serves, a multiple of the old one is tried."""
TIMES = (3, 2)
TOGETHER = 3
"""Numbers that are changed with another at most, unless all that had the same are."""
UNITS = 16
"""Numbers of a sample above which it is left as it is."""


@dataclass(frozen=True)
class Sample:
    """What a module is made with and called with."""

    constructor: tuple[tuple[Any, ...], dict[str, Any]]
    forward: tuple[tuple[Any, ...], dict[str, Any]]


def _numbers(value: Any, shapes: bool) -> Iterator[int]:
    """The numbers in it that may be changed: whole numbers, or the sizes of tensors; in an order of their own."""
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
    """A tensor of this shape with the old one's elements, as often as need be."""
    count = torch.Size(shape).numel()
    if list(old.shape) == list(shape):
        return old
    if old.numel() == 0:
        return old.new_zeros(shape)
    return old.flatten()[torch.arange(count) % old.numel()].reshape(shape)


def _changed(value: Any, shapes: bool, numbers: Iterator[int]) -> Any:
    """The value with the next numbers in place of its own."""
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
    """Sets of other numbers that are the same, the smallest first; then all of them."""
    same = [i for i, number in enumerate(numbers) if number == numbers[unit] and i != unit and i not in moved]
    for count in range(min(len(same), TOGETHER) + 1):
        yield from combinations(same, count)
    if len(same) > TOGETHER:
        yield tuple(same)


def spread(sample: Sample, runs: Callable[[Sample], bool], first: int) -> Sample | None:
    """The sample with as many sizes of their own as the module runs with; None where there is none. `runs`: whether it
    does, with as many parameters as before; `first`: the place in SIZES to begin at."""
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

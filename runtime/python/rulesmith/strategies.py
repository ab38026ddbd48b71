"""Calls for Hypothesis: valid ones, or such that one number makes the rule refuse them. They shrink by the rule.

A call is drawn from the rule's sampler. Then its numbers are made smaller step by step: all together, those that are equal,
each two that are, each alone. Each step draws among what the rule still accepts, the smallest first and the call as it is
last. So whatever Hypothesis leaves out or makes smaller is a valid call, the numbers that a rule ties together (the channels of
an input and of a weight) go down together, and what a failing test ends with has no number that could be smaller alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from hypothesis import assume
from hypothesis import strategies as st

from rulesmith.calls import Call, Operator, UnknownCall, operators

Symbols = tuple[int, ...]
_FEW = 8
"""Values from 1 on that are tried in the place of a larger one."""


def _accepted(op: Operator, symbols: Symbols, others: Iterable[Symbols]) -> list[Symbols]:
    """Those others that the rule accepts, and the symbols themselves."""
    return [*(other for other in others if other != symbols and op.eval(other) is not None), symbols]


def _together(symbols: Symbols) -> Iterator[Symbols]:
    """All at most 1, 2, 3, 4, and all halved."""
    for most in range(1, 5):
        yield tuple(min(value, most) for value in symbols)
    yield tuple(max(value // 2, 1) if value > 1 else value for value in symbols)


def _places(symbols: Symbols) -> Iterator[Symbols]:
    """Which numbers above 1 are tried together: all that are equal, each two of them, each alone."""
    large = [at for at, value in enumerate(symbols) if value > 1]
    for value in sorted({symbols[at] for at in large}, reverse=True):
        yield tuple(at for at in large if symbols[at] == value)
    yield from itertools.combinations(large, 2)
    yield from ((at,) for at in large)


def _smaller(symbols: Symbols, places: Symbols) -> Iterator[Symbols]:
    """The symbols with one value after another at these places; nothing where they are no longer equal, or small enough."""
    now = {symbols[at] for at in places}
    if len(now) == 1:
        for value in range(1, min(_FEW + 1, *now)):
            yield tuple(value if at in places else other for at, other in enumerate(symbols))


def _near(op: Operator, symbols: Symbols) -> list[Symbols]:
    """The symbols with one of them another, so that the rule refuses them; what is near first. No tensor can have a negative
    dimension, so none has."""
    found = []
    for at, now in enumerate(symbols):
        for value in dict.fromkeys((now + 1, now - 1, now + 2, now * 2, 0, -1)):
            changed = (*symbols[:at], value, *symbols[at + 1 :])
            if value != now and (value >= 0 or at not in op.dimensions) and op.eval(changed) is None:
                found.append(changed)
    return found


def _draw(draw: st.DrawFn, ops: Sequence[Operator], near: bool | None, high: int, max_numel: int) -> Call:
    def one(choices: Sequence[Symbols]) -> Symbols:
        return choices[draw(st.integers(0, len(choices) - 1)) if len(choices) > 1 else 0]

    op: Operator = ops[draw(st.integers(0, len(ops) - 1))]
    seed: int = draw(st.integers(0, 2**32 - 1))
    symbols = op.sample(seed, 1, high, max_numel, False)
    assume(symbols is not None and op.eval(symbols) is not None)
    assert symbols is not None
    symbols = one(_accepted(op, symbols, _together(symbols)))
    for _ in range(2):  # twice, since a number may have kept another one up
        for places in _places(symbols):
            symbols = one(_accepted(op, symbols, _smaller(symbols, places)))
    if near or (near is None and draw(st.booleans())):
        misses = _near(op, symbols)
        assume(misses)
        symbols = one(misses)
    types: int = draw(st.integers(0, max(int(op.row.ndtypes) - 1, 0)))
    return op.build(symbols, types)


def calls(name: str, *, near_miss: bool | None = False, high: int = 8, max_numel: int = 65536) -> st.SearchStrategy[Call]:
    """Calls of an API (`torch.nn.functional.conv2d`, in all its call forms) or of one operator (`…-1`).

    near_miss: False, valid calls; True, calls that differ from a valid one in one number and that the rule refuses; None, both
    (`call.valid` says which). Free dimensions lie in 1 … high, tensors have at most max_numel elements.
    Raises UnknownCall where no operator of that name has a rule."""
    ops = [op for op in operators(name) if op.has_rule]
    if not ops:
        raise UnknownCall(f"{name}: none of its operators has a rule")
    drawn: st.SearchStrategy[Call] = st.composite(_draw)(ops, near_miss, high, max_numel)
    return drawn

"""Calls for Hypothesis: valid calls, or calls that violate one constraint. Shrinking keeps them valid.

A call is drawn from the rule's sampler, as `rulesmith.sample` does, with one byte per number: the largest value that the number
may keep. A random byte is above most sizes, so generated calls keep the sampler's. Hypothesis shrinks bytes towards 0, so
numbers shrink towards 1, as far as the rule accepts it; sizes that a rule ties together (the channels of an input and of a
weight) shrink together. All bytes are one choice: Hypothesis mutates examples by copying choices among alike ones, and copies
of bytes that change nothing would be the same call again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import assume
from hypothesis import strategies as st

from rulesmith.calls import Call, Operator, UnknownCall, operators

Symbols = tuple[int, ...]
_UNBOUNDED = 255
"""The byte that leaves any number unchanged."""
_SEEDS = 2**24 - 1
"""Hypothesis draws uniformly from a range of this length, and mostly small numbers from a larger one."""


def _changed(symbols: Symbols, places: Sequence[int], value: int) -> Symbols:
    return tuple(value if at in places else other for at, other in enumerate(symbols))


def _smaller(symbols: Symbols, at: int, most: int) -> Iterator[Symbols]:
    """The symbols with a smaller value at an index: alone, or together with all numbers equal to it."""
    equal = [other for other, value in enumerate(symbols) if value == symbols[at]]
    for value in range(most, symbols[at]):
        yield from (_changed(symbols, places, value) for places in ([at], equal))


def _reduced(op: Operator, symbols: Symbols, largest: bytes) -> Symbols:
    """The symbols with each at most its byte + 1, as far as the rule accepts that: all at once, then one after another."""
    bounds = [value if byte == _UNBOUNDED else byte + 1 for byte, value in zip(largest, symbols, strict=True)]
    joint = tuple(map(min, symbols, bounds))
    if op.eval(joint) is not None:
        return joint
    for _ in range(2):  # a number may have prevented the reduction of an earlier one
        for at, most in enumerate(bounds):
            symbols = next((other for other in _smaller(symbols, at, most) if op.eval(other) is not None), symbols)
    return symbols


def _violations(op: Operator, symbols: Symbols) -> list[Symbols]:
    """The symbols with one of them changed so that the rule rejects them, nearest values first. No dimension is negative."""
    found = []
    for at, now in enumerate(symbols):
        for value in dict.fromkeys((now + 1, now - 1, now + 2, now * 2, 0, -1)):
            changed = _changed(symbols, [at], value)
            if value != now and (value >= 0 or at not in op.dimensions) and op.eval(changed) is None:
                found.append(changed)
    return found


def _draw(draw: st.DrawFn, ops: Sequence[Operator], valid: bool | None, high: int, max_numel: int) -> Call:
    op: Operator = draw(st.sampled_from(ops))
    symbols = op.sample(draw(st.integers(0, _SEEDS)), 1, high, max_numel, False)
    assume(symbols is not None and op.eval(symbols) is not None)
    assert symbols is not None
    size = len(symbols) + 3
    types, violates, which, *largest = draw(st.binary(min_size=size, max_size=size))
    symbols = _reduced(op, symbols, bytes(largest))
    if valid is False or (valid is None and violates % 2):
        violations = _violations(op, symbols)
        assume(violations)
        symbols = violations[which * len(violations) // 256]
    return op.build(symbols, types)


def calls(name: str, *, valid: bool | None = True, high: int = 8, max_numel: int = 65536) -> st.SearchStrategy[Call]:
    """Calls of an API (`torch.nn.functional.conv2d`, all its signatures) or of one signature (`…-1`).

    valid: True, valid calls; False, calls that violate one constraint: one number differs from a valid call; None, both
    (`call.valid` tells which). Free dimensions are in 1 … high, tensors have at most max_numel elements.
    Raises UnknownCall if no signature of that name has a rule."""
    ops = [op for op in operators(name) if op.has_rule]
    if not ops:
        raise UnknownCall(f"{name}: none of its signatures has a rule")
    drawn: st.SearchStrategy[Call] = st.composite(_draw)(ops, valid, high, max_numel)
    return drawn

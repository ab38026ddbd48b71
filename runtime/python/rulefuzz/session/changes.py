"""Changes between two calls of a program: of its arguments, its environment, or the state of a construct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulefuzz.session.construct import NUMBERS, Construct, Item

SHAPES = ("2, 4", "3, 5", "1, 4", "3, 1", "4, 3", "4", "2, 3, 4", "5, 4", "0, 4")
DTYPES = ("float64", "int64", "float16", "bfloat16", "int32")
VALUES = ("3", "1", "0", "-1", "0.5", "True", "7", "4.0")
ALIASES = ("s", "s.view_as(s)", "s[:1]", "s.t()", "s.detach()")
MODES = ("torch.enable_grad()", "torch.no_grad()", "torch.inference_mode()")
WAYS = 3
"""Of relaid."""
RELAID = '''
def relaid(x, way):
    """The same elements with other strides or another offset."""
    if way == 0 and x.dim() > 1:
        return x.transpose(0, -1).contiguous().transpose(0, -1)
    if way == 1:
        return torch.stack([x, x], -1)[..., 0]
    return torch.cat([x.reshape(-1)[:1], x.reshape(-1)])[x.numel() > 0:].reshape(x.shape)
'''
DEFAULT_DTYPE = """
@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the program."""

    shape: tuple[str, str] = ("3, 4", "3, 4")
    """Of s and t."""
    dtype: str = "float32"
    first: int = 0
    """The first elements of s and t."""
    number: str = "2"
    alias: str = ""
    """An expression for t; "": its own tensor."""
    relaid: tuple[int, ...] = ()
    """The layout of the arguments; empty: unchanged."""
    requires_grad: bool = False
    around: tuple[str, ...] = ()
    """Context managers, outermost first."""
    before: str = ""
    """A statement that changes the state."""
    values: int = 0
    """How often the elements changed."""
    kind: str = ""
    """The change before it."""


def _state(call: Call, pick: int, constructs: Sequence[Construct]) -> Call:
    with_changes = [construct for construct in constructs if construct.changes]
    if not with_changes:
        return call
    construct = with_changes[pick % len(with_changes)]
    return replace(call, before=construct.changes[pick // len(with_changes) % len(construct.changes)])


def _sizes(call: Call, pick: int, constructs: Sequence[Construct]) -> Call:
    shape = SHAPES[pick % len(SHAPES)]
    return replace(call, shape=(shape, call.shape[1] if pick // len(SHAPES) % 3 == 2 else shape))


def _around(call: Call, text: str) -> Call:
    return replace(call, around=(*call.around, text))


NAMES: dict[str, Callable[[Call, int, Sequence[Construct]], Call]] = {
    "state": _state,
    "sizes": _sizes,
    "same": lambda call, pick, _: call,
    "values": lambda call, pick, _: replace(call, values=call.values + 1, first=call.first + 1 + pick % 5),
    "dtype": lambda call, pick, _: replace(call, dtype=DTYPES[pick % len(DTYPES)]),
    "number": lambda call, pick, _: replace(call, number=VALUES[pick % len(VALUES)]),
    "alias": lambda call, pick, _: replace(call, alias=ALIASES[pick % len(ALIASES)]),
    "strides": lambda call, pick, _: replace(call, relaid=(*call.relaid, pick % WAYS)),
    "requires-grad": lambda call, pick, _: replace(call, requires_grad=True, around=(*call.around, MODES[0])),
    "grad-mode": lambda call, pick, _: _around(call, MODES[pick % len(MODES)]),
    "autocast": lambda call, pick, _: _around(call, f'torch.autocast("cpu", torch.bfloat16, enabled={pick % 4 != 3})'),
    "default-dtype": lambda call, pick, _: _around(call, f"default_dtype(torch.float{(64, 16)[pick % 2]})"),
}
"""The effect of each change on a call, given its number."""


def calls(changes: Sequence[Item], constructs: Sequence[Sequence[Construct]]) -> list[Call]:
    """The calls: one, and one after each change. An odd number changes one call alone, an even one all that follow.
    `constructs`: those of each change, whose statements set its numbers."""
    now = Call()
    made = [now]
    for item, ours in zip(changes, constructs, strict=True):
        changed = NAMES[item.name](replace(now, before=""), item.pick // 2, ours)
        made.append(replace(changed, kind=item.name))
        now = now if item.pick % 2 else replace(changed, before="")
    return made


def number(pick: int) -> str:
    """The number that a change of the state sets."""
    return NUMBERS[pick // 16 % len(NUMBERS)][1]

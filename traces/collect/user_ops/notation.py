"""Calls as text, in the notation of signatures on the pages, with numbers in place of symbols:

    nms(boxes: f32[5, 4], scores: f32[5], iou_threshold=0.5)
    take(input: f32[3, 4], index: i64[2] in 0..2, dim=-1)          elements 0, 1, 2
    cat(tensors=[f32[2, 3], f32[2, 5]], dim=1), reshape(x: f32[6], shape=i64([2, 3]))

A value is a Python literal, a list of values, a tensor, a tensor with listed elements, or a dotted name (torch.float32).
No part of a text is evaluated.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from traces.collect.call.spec import Elements, Literal, TensorSpec

WORDS = {"f": ("float", (16, 32, 64)), "i": ("int", (8, 16, 32, 64)), "u": ("uint", (8, 16, 32, 64)),
         "c": ("complex", (32, 64, 128)), "bf": ("bfloat", (16,))}  # fmt: skip
DTYPES = {f"{short}{bits}": f"{word}{bits}" for short, (word, sizes) in WORDS.items() for bits in sizes}
DTYPES |= {"bool": "bool", "string": "string"}
"""Abbreviated dtypes, as on the pages."""
NAMES = {**DTYPES, **{long: long for long in DTYPES.values()}}
TOKEN = re.compile(r"\s*(?:(?P<number>[-+]?(?:\d+\.(?!\.)\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_][\w.]*)|"
                   r"(?P<text>'[^'\\]*'|\"[^\"\\]*\")|(?P<sign>\.\.|[-()\[\],:=]))", re.ASCII)  # fmt: skip
LITERALS = {"True": True, "False": False, "None": None}
DEEPEST = 8
"""Maximum nesting of lists."""

Argument = tuple[str, Any]
"""A name, and the value in symbolise's form."""


class BadCall(Exception):
    """The text is not a call; the message gives the position and the reason."""


@dataclass
class _Reader:
    text: str
    at: int = 0

    def fail(self, why: str) -> BadCall:
        return BadCall(f"column {self.at + 1}: {why}")

    def look(self) -> str:
        """The next token, "" at the end."""
        found = TOKEN.match(self.text, self.at)
        if found:
            return found[0].strip()
        if self.text[self.at :].strip():
            raise self.fail(f"unexpected {self.text[self.at :].strip()[0]!r}")
        return ""

    def take(self, *wanted: str) -> str:
        """Consumes the next token, which must be one of `wanted`, if any are given."""
        token = self.look()
        if wanted and token not in wanted:
            raise self.fail(f"{' or '.join(map(repr, wanted))} expected, not {token or 'the end'!r}")
        found = TOKEN.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return token

    def taken(self, token: str) -> bool:
        """Consumes the next token if it is this one."""
        return self.look() == token and bool(self.take())

    def name(self) -> str:
        token = self.look()
        if not token.isidentifier():
            raise self.fail(f"a name expected, not {token or 'the end'!r}")
        return self.take()

    def whole(self) -> int:
        token = self.look()
        if not re.fullmatch(r"[-+]?\d+", token):
            raise self.fail(f"a whole number expected, not {token or 'the end'!r}")
        return int(self.take())


def read(text: str) -> tuple[str, list[Argument]]:
    """The function's name as it stands and the arguments. Raises BadCall."""
    reader = _Reader(text)
    function = reader.take()
    if not all(part.isidentifier() for part in function.split(".")):
        raise BadCall(f"column 1: expected a name, got {function!r}")
    reader.take("(")
    arguments: list[Argument] = []
    while not reader.taken(")"):
        if arguments:
            reader.take(",")
        name = reader.name()
        if name in dict(arguments):
            raise reader.fail(f"{name} stands twice")
        reader.take(":", "=")
        arguments.append((name, _value(reader, 0)))
    if reader.look():
        raise reader.fail(f"unexpected {reader.look()!r} behind the call")
    return function, arguments


def _value(reader: _Reader, depth: int) -> Any:
    token = reader.look()
    if depth > DEEPEST:
        raise reader.fail("too many brackets")
    if token in NAMES:
        return _tensor(reader, depth)
    if token == "[":
        return _items(reader, depth, "[", "]")
    if token in LITERALS:
        return LITERALS[reader.take()]
    if token.lstrip("-+") in ("inf", "nan"):
        return float(reader.take())
    if token == "-":
        reader.take()
        return -float(reader.take("inf", "nan"))
    if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", token):
        return Literal(reader.take())
    try:
        value = ast.literal_eval(token)
    except (ValueError, SyntaxError):
        raise reader.fail(f"a value expected, not {token or 'the end'!r}") from None
    reader.take()
    return value


def _items(reader: _Reader, depth: int, first: str, last: str) -> list[Any]:
    items: list[Any] = []
    reader.take(first)
    while not reader.taken(last):
        if items:
            reader.take(",")
        items.append(_value(reader, depth + 1))
    return items


def _tensor(reader: _Reader, depth: int) -> Any:
    dtype = NAMES[reader.take()]
    if reader.look() == "(":
        reader.take("(")
        elements = _value(reader, depth + 1)
        reader.take(")")
        return Elements(elements, dtype)
    dims: list[int] = []
    reader.take("[")
    while not reader.taken("]"):
        if dims:
            reader.take(",")
        dims.append(reader.whole())
        if dims[-1] < 0:
            raise reader.fail(f"a dimension of {dims[-1]}")
    if not reader.taken("in"):
        return TensorSpec(tuple(dims), dtype)
    low = reader.whole()
    reader.take("..")
    high = reader.whole() + 1
    if "int" not in dtype or high <= low:
        raise reader.fail(f"no range of {dtype}")
    return TensorSpec(tuple(dims), dtype, range=(low, high) if 0 not in dims else (0, 0))

"""The parameters of an API, as SIGNATURES.tsv lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OPENING, CLOSING = "([{", ")]}"


class BadSignature(Exception):
    """A line of the table that is not a signature; the message has the position."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature."""

    name: str
    type: str
    """Without marks: `Tensor`, `int`, `Scalar`, `any`, …"""
    is_list: bool = False
    default: str | None = None
    """The text of its default value; None if a call must give it."""
    by_name: bool = False
    """True if it is passed by keyword only."""
    optional: bool = False
    """True if it may be None."""
    packed: bool = False
    """True if its items may be positional arguments of their own. Such a call means the same as one with a list."""


def _parts(text: str) -> Iterator[str]:
    """The parts between commas outside of brackets and quotes."""
    depth, quote, start = 0, "", 0
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
        elif letter == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def parameters(text: str) -> list[Parameter]:
    """The parameters of one signature. Raises BadSignature."""
    found, by_name = [], False
    for part in _parts(text):
        if part == "*":
            by_name = True
            continue
        left, equals, default = part.partition("=")
        written, _, name = left.rpartition(" ")
        if not written or not name.isidentifier():
            raise BadSignature(f"{part!r} is not a parameter")
        kind = written.removesuffix("...").removesuffix("?")
        is_list = kind.endswith("]")
        text, optional = kind.partition("[")[0].rstrip("?"), written.removesuffix("...").endswith("?")
        packed = written.endswith("...")
        found.append(Parameter(name, text, is_list, default if equals else None, by_name, optional, packed))
    return found


def read(path: Path) -> dict[str, list[list[Parameter]]]:
    """The signatures of each API, in the table's order. Raises BadSignature."""
    found: dict[str, list[list[Parameter]]] = defaultdict(list)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        api, tab, text = line.partition("\t")
        try:
            if not tab:
                raise BadSignature("no tab between API and parameters")
            found[api].append(parameters(text))
        except BadSignature as error:
            raise BadSignature(f"{path}:{number}: error: {error}") from None
    return dict(found)

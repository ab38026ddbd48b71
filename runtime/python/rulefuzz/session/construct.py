"""Python constructs: templates of source text, and a session that combines some of them.

A row of constructs/*.txt begins with "== NAME" and has up to four sections, separated by lines of "---":

    definitions   module-level statements
    body          statements of the model. They assign $made = $part($taken), the calls of the part, and append other results
                  to `extra`. Names: s and t are tensors of small whole numbers, n is a number
    changes       statements between two calls, one per line; a number may be written as $new
    state         expressions that are compared after each call, one per line

$i is the number of the construct, $old a number of its state, $optimizer the call of an optimizer with parameter weight$i.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

NUMBERS = (("2", "3"), ("3", "2"), ("2", "0.5"), ("1.0", "4.0"), ("True", "False"), ("0.25", "2"), ("1", "0"), ("4", "-1"))
"""A number of a construct's state, and another one. Products with small whole numbers are exact."""
OPTIMIZERS = (
    "SGD $ lr=0.5", "SGD $ lr=0.5, momentum=0.5, nesterov=True", "Adam $ lr=0.5", "Adam $ lr=0.5, amsgrad=True, foreach=True",
    "AdamW $ lr=0.5, weight_decay=0.5", "Adagrad $ lr=0.5", "Adadelta $ lr=0.5", "Adamax $ lr=0.5", "NAdam $ lr=0.5",
    "RAdam $ lr=0.5", "ASGD $ lr=0.5", "RMSprop $ lr=0.5, momentum=0.5, centered=True", "Rprop $ lr=0.5", "Adafactor $ lr=0.5",
)  # fmt: skip
"""Optimizers, and their arguments after the parameters."""
MOST = 8
"""How many constructs and changes a session may have, the same as in C (runtime/model/graph.h)."""
ITEM = re.compile(r"([a-z0-9-]{1,40}):(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Item:
    """A construct or a change, and a number that decides its details."""

    name: str
    pick: int


@dataclass(frozen=True, slots=True)
class Session:
    """See the package."""

    constructs: tuple[Item, ...]
    changes: tuple[Item, ...]

    def label(self) -> str:
        """Its constructs and changes in words: "closure, loop-layers; state"."""
        parts = (", ".join(dict.fromkeys(item.name for item in items)) for items in (self.constructs, self.changes))
        return "; ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Construct:
    """The text of a construct in a program."""

    definitions: str
    body: str
    changes: tuple[str, ...]
    state: tuple[str, ...]


@functools.cache
def rows() -> dict[str, str]:
    """The templates by name."""
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name("constructs").glob("*.txt")):
        for row in path.read_text(encoding="utf-8").split("\n== ")[1:]:
            name, _, found[name] = row.partition("\n")
    return found


def optimizer(pick: int, number: int) -> str:
    """The call that makes a construct's optimizer."""
    name, _, arguments = OPTIMIZERS[pick // len(NUMBERS) % len(OPTIMIZERS)].partition(" $ ")
    return f"{name}([weight{number}], {arguments})"


def numbers(pick: int) -> tuple[str, str]:
    """A number of a construct's state, and another one."""
    return NUMBERS[pick % len(NUMBERS)]


def filled(item: Item, number: int, part: str, taken: str, made: str, new: str = "") -> Construct:
    """A construct around a part that takes and makes these variables. `new`: the number that changes set."""
    old, other = numbers(item.pick)
    names = {"i": str(number), "part": part, "taken": taken, "made": made, "old": old, "new": new or other,
             "optimizer": optimizer(item.pick, number)}  # fmt: skip
    text = Template(rows()[item.name].strip("\n")).substitute(names)
    sections = [*(section.strip("\n") for section in re.split(r"^---\n?", text, flags=re.M)), "", "", ""]
    changes, state = (tuple(section.splitlines()) for section in sections[2:4])
    return Construct(sections[0], sections[1], changes, state)


def read(item: Any) -> Session:
    """The session of a model's JSON. Raises ValueError."""
    from rulefuzz.session import changes

    lists = []
    for key, known in (("constructs", rows().keys()), ("changes", changes.NAMES)):
        found = [ITEM.fullmatch(text) for text in item[key]]
        if len(found) > MOST or not all(match and match[1] in known for match in found):
            raise ValueError(f"{key} of a session: expected at most {MOST} of {', '.join(sorted(known))}, got {item[key]!r}")
        lists.append(tuple(Item(match[1], int(match[2])) for match in found if match))
    return Session(*lists)


def kinds(session: Session) -> Iterator[str]:
    """The names of its items."""
    for item in (*session.constructs, *session.changes):
        yield item.name

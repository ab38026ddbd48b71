"""Recorded calls whose dtypes are changed: the arguments whose dtypes matter, and the call with others.

A slot is an argument whose dtype matters: a tensor, a number where another overload has a tensor, a constant that names a
dtype. A situation is a signature's slots and its other arguments, which may matter, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.dtypes import letters
from traces.collect.judge.trying import Trying
from traces.collect.plain.parameters import Parameter

MOST_SLOTS = 8
"""Slots of a situation that is tried."""
SITUATIONS = 4
"""Situations of an API that are tried."""
_NAMING = ("ScalarType", "dtype")
"""Types of parameters that name a dtype."""
_MIXED = ("Scalar", "Number", "Tensor", "any", "number")
"""Types of parameters where a number's kind may decide a dtype."""


@dataclass
class Situation:
    """A recorded call and its arguments whose dtypes matter."""

    record: Json
    values: Values
    slots: list[str]
    """The arguments' names; items of a list share one."""
    word: str
    """The letters of the record."""
    others: dict[str, str]
    """The other arguments; for tensors, whether they have as many dimensions as the first one, more or fewer: `=><`."""
    trying: Trying
    mixed: frozenset[str]
    """Arguments whose numbers count."""

    rank: int = -1
    """Of the first tensor."""

    def args(self, word: str) -> list[Json]:
        """The arguments with other letters."""
        rest = iter(zip(word, self.word, strict=True))

        def leaf(old: Json, name: str) -> Json:
            if not _letter(old, name, self):
                return old
            new, own = next(rest)
            if new == own:
                return old
            if new in letters.NUMBERS:
                return {"const": letters.NUMBERS[new]}
            if isinstance(old, dict) and "tensor" in old:
                return {**old, "dtype": letters.dtype_of(new), **({"tensor": []} if new.isupper() else {})}
            return {"const": self.trying.text(letters.dtype_of(new))}

        def mapped(value: Json, name: str) -> Json:
            return [mapped(item, name) for item in value] if isinstance(value, list) else leaf(value, name)

        return [{**arg, "value": mapped(arg["value"], arg["name"])} for arg in self.record["args"]]


def _letter(leaf: Json, name: str, situation: Situation) -> str:
    """The letter of an argument's leaf; "" if its dtype does not matter."""
    if isinstance(leaf, str):
        return "1" if name in situation.mixed else ""
    if "tensor" in leaf:
        found = "" if "held" in leaf else letters.letter(leaf["dtype"])
        return found.upper() if situation.trying.numbers and not leaf["tensor"] else found
    if "const" not in leaf:
        return ""
    named = letters.letter(situation.trying.dtype(name, leaf["const"]))
    return named or (letters.number(leaf["const"]) if name in situation.mixed else "")


def _described(value: Json) -> str:
    """An argument that has no slot, in short."""
    if isinstance(value, list):
        return f"list{len(value)}"
    if isinstance(value, str):
        return "int"
    if "const" in value:
        return "float" if "seen" in value else str(value["const"])
    return "elements"


def situation(record: Json, signatures: Sequence[Sequence[Parameter]], trying: Trying) -> Situation | None:
    """The situation of a record; None if no call of it can be tried."""
    rows = arglist.full(record)
    if not rows:
        return None
    values = min((row[0] for row in rows), key=lambda row: (sum(map(abs, row)), row))
    mixed = (
        frozenset(p.name for s in signatures for p in s if p.type in _MIXED and not p.is_list)
        if trying.numbers
        else frozenset()
    )
    found = Situation(record, tuple(values), [], "", {}, trying, mixed)
    for arg in record["args"]:
        leaves = list(arglist.walk(arg["value"]))
        own = [_letter(leaf, arg["name"], found) for leaf in leaves]
        found.slots += [arg["name"] for one in own if one]
        found.word += "".join(own)
        ranks = [len(leaf["tensor"]) for leaf in leaves if isinstance(leaf, dict) and "tensor" in leaf]
        if not any(own) and arg["value"] != {"const": "None"}:
            found.others[arg["name"]] = _described(arg["value"])
        elif ranks:
            first = found.rank if found.rank >= 0 else ranks[0]
            found.rank = first
            found.others[arg["name"]] = ">" if ranks[0] > first else "<" if ranks[0] < first else "="
    whole = all(letters.letter(t["dtype"]) for t in arglist.tensors(record["args"]) if "held" not in t)
    return found if whole and 0 < len(found.slots) <= MOST_SLOTS else None


def named(record: Json, signatures: Sequence[Sequence[Parameter]], trying: Trying) -> Iterator[Json]:
    """The record with one more argument that names the dtype of its first output, and without an optional argument that
    does."""
    given = {arg["name"]: arg["pos"] for arg in record["args"]}
    for parameter in (p for signature in signatures for p in signature):
        if parameter.type not in _NAMING and parameter.name not in trying.coded:
            continue
        text = trying.text(record["outputs"][0]["dtype"]) if record["outputs"] else "None"
        if parameter.name not in given and text != "None":
            yield {**record, "args": [*record["args"], {"name": parameter.name, "pos": False, "value": {"const": text}}]}
        elif parameter.default is not None and not given.get(parameter.name, True):
            yield {**record, "args": [arg for arg in record["args"] if arg["name"] != parameter.name]}


def possible(records: Sequence[Json], signatures: Sequence[Sequence[Parameter]], trying: Trying) -> list[Situation]:
    """The situations of an API's records, and of the shortest one with a dtype named, or not."""
    found = [situation(record, signatures, trying) for record in records]
    plain = [item for item in found if item]
    shortest = sorted(plain, key=lambda s: len(s.record["args"]))[:1]
    more = (record for item in shortest for record in named(item.record, signatures, trying))
    return plain + [item for record in more if (item := situation(record, signatures, trying))]


def chosen(found: Sequence[Situation], most: int = SITUATIONS) -> list[Situation]:
    """At most `most` situations, each with something new: slots first, then constants, then ranks."""
    seen: set[tuple[object, ...]] = set()
    kept: list[Situation] = []
    order = sorted(found, key=lambda s: (len(s.slots), len(s.others), s.record["op"]))
    looks: tuple[Callable[[Situation], tuple[object, ...]], ...] = (
        lambda s: (1, *s.slots),
        lambda s: (2, s.word, *s.slots),
        lambda s: (3, *sorted((k, v) for k, v in s.others.items() if v not in "=<>")),
        lambda s: (4, *s.slots, *sorted(s.others.items())),
    )
    for look in looks:
        for item in order:
            if len(kept) < most and item not in kept and look(item) not in seen:
                seen.update(every(item) for every in looks)
                kept.append(item)
    return kept

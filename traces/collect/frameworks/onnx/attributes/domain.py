"""The parameters of a version of an operator, and their values in a call.

A string attribute has the values that its description or the rejection of another value names and that some call accepts. An
integer is a flag if 0 and 1 are accepted and no other value is seen. For other attributes and optional inputs, only their
presence counts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from onnx import helper

from traces.collect.frameworks.onnx.cases import OPTION, TYPES, Case, flags

GIVEN, OMITTED = "given", "omitted"
WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED = re.compile(r"""['"`]([A-Za-z_][A-Za-z0-9_]*)['"`]""")
AXIS = re.compile(r"(^|_)axis$")
"""Names of attributes that look like flags by chance."""
NONSENSE = "no_such_value"
"""A string that no operator knows: if it is accepted, the attribute is not an enumeration."""
TRIED = 3
"""Accepted calls in which a word is tried, those that give the attribute first."""
LENGTHS = (1, 2, 3)
"""Lengths of a list of strings that a call does not have."""
SOURCE = "values"
TEXTS = (TYPES.STRING, TYPES.STRINGS)

Refusal = Callable[[Case], str | None]
"""Why a call is rejected; None if it is accepted."""
Feature = tuple[str, str]
"""A parameter and the text of its value."""
Pair = tuple[Feature, Feature]
ALONE: Feature = ("", "all others have their defaults")
"""Paired with a value that is not a default."""
INPUT = "input "
"""Before the names of optional inputs among the parameters."""


def text_of(value: Any) -> str:
    """The text of an attribute's value."""
    return value.decode() if isinstance(value, bytes) else str(value)


def default_of(attribute: Any) -> Any | None:
    """The default value of an attribute; None: it has none."""
    return helper.get_attribute_value(attribute.default_value) if attribute.default_value.type else None


@dataclass
class Domain:
    """The parameters of one version."""

    schema: Any
    values: dict[str, list[str]]
    """For each attribute that is an enumeration or a flag its values, the default first."""

    def features(self, case: Case) -> dict[str, list[str]]:
        """The values of all parameters in a call; a list of strings has several."""
        found = {}
        for name, attribute in self.schema.attributes.items():
            value = case.attributes.get(name)
            if name not in self.values:
                found[name] = [OMITTED if value is None else GIVEN]
                continue
            value = default_of(attribute) if value is None else value
            items = value if isinstance(value, (list, tuple)) else [OMITTED if value is None else value]
            found[name] = [text_of(item) for item in items] or [OMITTED]
        return found

    def with_value(self, case: Case, name: str, text: str) -> Iterator[Case]:
        """The case with this value of an enumeration or a flag. One for each length of a list, which has the values after it,
        too."""
        attribute = self.schema.attributes[name]
        default = default_of(attribute)
        attributes = {key: value for key, value in case.attributes.items() if key != name}
        if text == OMITTED or (default is not None and not isinstance(default, list) and text_of(default) == text):
            yield replace(case, attributes=attributes, source=SOURCE)
        elif attribute.type == TYPES.STRINGS:
            known, texts = len(case.attributes.get(name, ())), self.values[name] or [text]
            start = texts.index(text) if text in texts else 0
            for length in (known,) if known else LENGTHS:
                items = [text, *(texts[(start + i) % len(texts)] for i in range(1, length))]
                yield replace(case, attributes={**attributes, name: items}, source=SOURCE)
        else:
            value = int(text) if attribute.type == TYPES.INT else text
            yield replace(case, attributes={**attributes, name: value}, source=SOURCE)

    def wanted(self) -> Iterator[Feature]:
        """The values that some call should have."""
        for name in sorted(self.schema.attributes):
            for text in self.values.get(name, [GIVEN]):
                yield name, text

    def singles(self, case: Case) -> set[Feature]:
        """The values of all attributes and optional inputs in a call."""
        found = {(name, text) for name, texts in self.features(case).items() for text in texts}
        for place, formal in enumerate(self.schema.inputs):
            if formal.option == OPTION.Optional and place < len(case.inputs) and case.inputs[place] is not None:
                found.add((INPUT + formal.name, GIVEN))
        return found

    def pairs_of(self, case: Case) -> set[Pair]:
        """The pairs of values in a call, at least one of an enumeration or a flag."""
        found = sorted(self.singles(case))
        changed = [one for one in found if one[0] in self.values and one[1] != self.values[one[0]][0]]
        alone: set[Pair] = {(changed[0], ALONE)} if len(changed) == 1 else set()
        return alone | {pair for one in found if one[0] in self.values for two in found if (pair := self._pair(one, two))}

    def plain(self, case: Case) -> Case:
        """The case without enumerations and flags."""
        return replace(case, attributes={name: value for name, value in case.attributes.items() if name not in self.values})

    def _pair(self, one: Feature, two: Feature) -> Pair | None:
        """The pair in order; None: no call needs to have it, as the elements of lists."""
        if any(name in self.schema.attributes and self.schema.attributes[name].type == TYPES.STRINGS for name, _ in (one, two)):
            return None
        if two[0] in self.values:
            return (one, two) if one[0] < two[0] and OMITTED not in (one[1], two[1]) else None
        return (one, two) if two[1] == GIVEN and one[1] != self.values[one[0]][0] else None

    def pairs(self) -> Iterator[Pair]:
        """Every value of an enumeration or a flag with each value of another one and with each given parameter, except for
        defaults. The parameters take turns, so that the first pairs cover many."""
        inputs = [(INPUT + formal.name, GIVEN) for formal in self.schema.inputs if formal.option == OPTION.Optional]
        rows: list[list[Pair]] = []
        yield from (((name, text), ALONE) for name, texts in sorted(self.values.items()) for text in texts[1:])
        for name, texts in sorted(self.values.items()):
            firsts = [(name, text) for text in texts]
            for other in sorted(self.schema.attributes):
                seconds = [(other, text) for text in self.values.get(other, [GIVEN])]
                rows.append([pair for one in firsts for two in seconds if (pair := self._pair(one, two))])
            rows += [[pair for one in firsts if (pair := self._pair(one, two))] for two in inputs]
        for turn in itertools.zip_longest(*rows):
            yield from (pair for pair in turn if pair is not None)


def _words(attribute: Any, doc: str, refusal: str) -> tuple[list[str], list[str]]:
    """The quoted words of a description, and all words of it, quoted ones beside the name elsewhere, and those of a
    rejection."""
    quoted = QUOTED.findall(attribute.description)
    beside = [word for line in (doc or "").splitlines() if attribute.name in line for word in QUOTED.findall(line)]
    every = [*quoted, *beside, *WORDS.findall(attribute.description), *WORDS.findall(refusal)]
    return list(dict.fromkeys(quoted)), [word for word in dict.fromkeys(every) if word != NONSENSE]


def _accepts(schema: Any, name: str, word: str, bases: Sequence[Case], refusal: Refusal) -> bool:
    """Whether some call accepts the word."""
    domain = Domain(schema, {name: []})
    return any(refusal(made) is None for case in bases for made in domain.with_value(case, name, word))


def _enumeration(schema: Any, name: str, attribute: Any, bases: Sequence[Case], refusal: Refusal) -> list[str]:
    """The values of a string attribute that some call accepts; empty: any text."""
    domain = Domain(schema, {name: []})
    answers = [refusal(made) for case in bases for made in domain.with_value(case, name, NONSENSE)]
    told = " ".join(filter(None, answers)) if None not in answers else None
    quoted, every = _words(attribute, schema.doc, told or "")
    default = default_of(attribute)
    first = [] if default is None else [text_of(item) for item in (default if isinstance(default, list) else [default])]
    words = every if told is not None else quoted
    return list(dict.fromkeys([*first, *(word for word in words if _accepts(schema, name, word, bases, refusal))]))


def domain_of(schema: Any, seen: Sequence[Case], bases: Sequence[Case], refusal: Refusal) -> Domain:
    """The parameters of a version. `seen`: calls of any version; `bases`: accepted calls of this one."""
    switches = flags(schema, seen)
    values: dict[str, list[str]] = {}
    for name, attribute in sorted(schema.attributes.items()):
        if attribute.type in TEXTS:
            tried = sorted(bases, key=lambda case: name not in case.attributes)[:TRIED]
            found = _enumeration(schema, name, attribute, tried, refusal)
            if len(found) > 1:
                values[name] = found
        elif name in switches and not AXIS.search(name):
            default = default_of(attribute) or 0
            if _accepts(schema, name, str(1 - default), bases, refusal):
                values[name] = [str(default), str(1 - default)]
    return Domain(schema, values)

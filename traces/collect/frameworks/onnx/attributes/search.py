"""Finds accepted calls that have attributes and values of attributes, alone and in pairs, that no record has."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnx

from traces.collect.frameworks.onnx.attributes.domain import ALONE, SOURCE, Domain, Feature, Pair, Refusal, default_of
from traces.collect.frameworks.onnx.attributes.recorded import same_value
from traces.collect.frameworks.onnx.cases import TYPES, Case

TRIALS = 600
"""Calls tried for the pairs of an API."""
FACTOR = 2
"""A number of groups."""
GROWN = 3
"""Calls whose dimensions are multiplied by it."""
VALUES = 3
"""Values of other calls that an attribute is given in a call without it."""


@dataclass
class Search:
    """The search of one API."""

    domain: Domain
    bases: Sequence[Case]
    """Accepted calls of different structures, in which attributes vary."""
    known: Sequence[Case]
    """Accepted calls of test cases and of other versions."""
    donors: Sequence[Case]
    """Any such calls, whose values an attribute may have."""
    refusal: Refusal
    most: int
    """Calls that may be added."""
    singles: set[Feature] = field(default_factory=set)
    pairs: set[Pair] = field(default_factory=set)
    found: list[Case] = field(default_factory=list)
    trials: int = 0
    reasons: dict[Feature, str] = field(default_factory=dict)
    """The reason why no call with a value is accepted."""

    def run(self, recorded: Sequence[Case]) -> list[Case]:
        """The calls to add to these recorded ones: known calls while one has something new, then variants of the bases."""
        for case in recorded:
            self._cover(case)
        while len(self.found) < self.most:
            best = max(self.known, key=self._gain, default=None)
            if best is None or self._gain(best) == 0:
                break
            self._keep(best)
        for feature in self.domain.wanted():
            if feature not in self.singles:
                self.reasons[feature] = self._first(self._with(feature))
        for pair in self.domain.pairs():
            if self.trials > TRIALS or len(self.found) >= self.most:
                break
            if pair not in self.pairs:
                self._first(sorted(self._with_both(*pair), key=self._gain, reverse=True))
        return self.found

    def _cover(self, case: Case) -> None:
        self.singles |= self.domain.singles(case)
        self.pairs |= self.domain.pairs_of(case)

    def _gain(self, case: Case) -> int:
        """The number of new pairs; a new value counts more than all pairs."""
        return 1000 * len(self.domain.singles(case) - self.singles) + len(self.domain.pairs_of(case) - self.pairs)

    def _keep(self, case: Case) -> None:
        self.found.append(case)
        self._cover(case)

    def _first(self, candidates: Iterable[Case]) -> str:
        """Keeps the first accepted candidate; returns why the first one is rejected if all are."""
        why = "no call to vary"
        for number, case in enumerate(candidates):
            self.trials += 1
            answer = self.refusal(case)
            if answer is None:
                self._keep(case)
                return ""
            why = why if number else answer
        return why

    def _with(self, feature: Feature) -> Iterator[Case]:
        name, text = feature
        if name in self.domain.values:
            for case in self.bases:
                yield from self.domain.with_value(case, name, text)
            return
        given = [case for case in self.donors if name in case.attributes]
        yield from (replace(case, source=SOURCE) for case in given)
        values = [case.attributes[name] for case in given]
        attribute = self.domain.schema.attributes[name]
        default = default_of(attribute)
        for case in self.bases:
            tried = [value for value in [*values[:VALUES], *guesses(attribute, case)] if not same_value(value, default)]
            yield from (replace(case, attributes={**case.attributes, name: value}, source=SOURCE) for value in tried)
        if attribute.type == TYPES.INT:
            for case in self.bases[:GROWN]:
                for made in grown(case, FACTOR):
                    yield replace(made, attributes={**made.attributes, name: FACTOR}, source=SOURCE)
        if default is not None:  # the last resort
            yield from (replace(case, attributes={**case.attributes, name: default}, source=SOURCE) for case in self.bases)

    def _with_both(self, one: Feature, two: Feature) -> Iterator[Case]:
        for case in map(self.domain.plain, self.bases) if two == ALONE else self.bases:
            for made in self.domain.with_value(case, *one):
                if two == ALONE:
                    yield made
                elif two[0] in self.domain.values:
                    yield from self.domain.with_value(made, *two)
                elif two in self.domain.singles(made):
                    yield made


def grown(case: Case, factor: int) -> Iterator[Case]:
    """The case with one or two dimensions of its inputs multiplied: a number of groups divides some."""
    places = [(i, axis) for i, value in enumerate(case.inputs) if value is not None for axis in range(value.ndim)]
    for count in (1, 2):
        for chosen in itertools.combinations(places, count):
            inputs = list(case.inputs)
            for i, axis in chosen:
                inputs[i] = np.concatenate([inputs[i]] * factor, axis)
            yield replace(case, inputs=inputs)


def guesses(attribute: Any, case: Case) -> Iterator[Any]:
    """Values of an attribute in a call: lists with an element for each dimension, for each but the first two, twice as many."""
    first = next((value for value in case.inputs if value is not None), None)
    rank = 0 if first is None else first.ndim
    lengths = [length for length in dict.fromkeys((rank - 2, 2 * (rank - 2), rank, 2 * rank, 1, 2)) if length > 0]
    if attribute.type == TYPES.INT:
        yield from (1, 0, 2, -1)
    elif attribute.type == TYPES.FLOAT:
        yield from (0.5, 1.0, 2.0)
    elif attribute.type == TYPES.INTS:
        yield from ([item] * length for item, length in itertools.product((1, 0, 2), lengths))
        yield from (list(range(length)) for length in (1, rank) if length)
    elif attribute.type == TYPES.FLOATS:
        yield from ([item] * length for item, length in itertools.product((1.0, 0.5), lengths))
    elif attribute.type == TYPES.STRING:
        yield "a"
    elif attribute.type == TYPES.STRINGS:
        yield from ([f"{chr(97 + i)}" for i in range(length)] for length in lengths)
    elif attribute.type == TYPES.TENSOR:
        for length in lengths:
            yield onnx.helper.make_tensor("", onnx.TensorProto.FLOAT, [length], [1.0] * length)

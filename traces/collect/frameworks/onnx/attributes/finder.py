"""Finds the calls to record of one version of an operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from traces.collect.call import arglist
from traces.collect.call.spec import Call, Json, Unsupported
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.onnx.adapter import OnnxAdapter
from traces.collect.frameworks.onnx.attributes import recorded
from traces.collect.frameworks.onnx.attributes.domain import Domain, domain_of, text_of
from traces.collect.frameworks.onnx.attributes.search import Search
from traces.collect.frameworks.onnx.attributes.translate import translations
from traces.collect.frameworks.onnx.attributes.version import Version
from traces.collect.frameworks.onnx.calls.prober import Prober
from traces.collect.frameworks.onnx.calls.turned import small
from traces.collect.frameworks.onnx.cases import Case, arguments, flags
from traces.collect.frameworks.onnx.source import DTYPE_CODE

BASES = 12
"""Calls of different structures in which attributes vary."""
KNOWN = 80
"""Accepted calls of test cases and of other versions that are considered."""
LARGE = 4096
"""Elements of an input beyond which a call's dimensions are reduced."""
UNRECORDED = "such calls cannot be recorded"


def _plain(case: Case) -> Case:
    large = any(value is not None and value.size > LARGE for value in case.inputs)
    return (small(case) or case) if large else case


def _structure(case: Case) -> tuple[Any, ...]:
    inputs = tuple(None if value is None else value.ndim for value in case.inputs)
    return inputs, tuple(sorted(case.attributes)), case.outputs


def _kind(case: Case) -> tuple[Any, ...]:
    """The structure, and the values that are not sizes."""
    told = (value for value in case.attributes.values() if isinstance(value, (str, bytes, int)))
    return _structure(case), tuple(map(text_of, told))


class Finder:
    """Finds the calls to add to one version."""

    def __init__(self, version: Version, records: dict[str, list[Json]], tests: Sequence[Case], adapter: OnnxAdapter) -> None:
        self.version, self._records, self._tests = version, records, tests
        self._prober = Prober(adapter)
        minimum = version.schema.min_output
        self.own = [case for record in records.get(version.api, ()) for case in recorded.cases(record, minimum)]
        self.others = list(self._translated())
        everything = [*self.own, *self.others]
        self._codes = {name for name in version.schema.attributes if DTYPE_CODE.search(name)}
        self._fixed = flags(version.schema, everything) | self._codes
        self.domain = Domain(version.schema, {})
        self._failed: set[str] = set()
        self.most = version.most
        self.reasons: dict[tuple[str, str], str] = {}

    def _translated(self) -> Iterator[Case]:
        """The calls of the test cases, and those recorded for other versions, as calls of this one."""
        target, newest = self.version.schema, max((schema for _, schema in self.version.family), key=lambda s: s.since_version)
        sources = [(newest, self._tests)]
        for api, schema in self.version.family:
            if api != self.version.api:
                sources.append((schema, [case for record in self._records.get(api, ())
                                         for case in recorded.cases(record, schema.min_output)]))  # fmt: skip
        for schema, cases in sources:
            for case in cases:
                try:
                    yield from (replace(_plain(made), source=recorded.SOURCE) for made in translations(case, schema, target))
                except Unsupported:
                    continue

    def call(self, case: Case) -> Call:
        """The case as a call; raises Unsupported."""
        made = symbolise(self.version.api, arguments(case, self.version.schema), self._fixed)
        made.source = case.source
        return made

    def refusal(self, case: Case) -> str | None:
        """Why a case is rejected; None: it is accepted."""
        try:
            call = self.call(case)
        except Unsupported as error:
            return str(error)
        return UNRECORDED if arglist.signature(call.args) in self._failed else self._prober.refusal(call)

    def _accepted(self) -> list[Case]:
        """Accepted calls of this version, of different structures and values, images first."""
        found: dict[tuple[Any, ...], Case] = {}
        for case in [*self.others, *self.own]:
            if len(found) < KNOWN and _kind(case) not in found and self.refusal(case) is None:
                found[_kind(case)] = case
        return sorted(found.values(), key=lambda case: not case.inputs or case.inputs[0] is None or case.inputs[0].ndim != 4)

    def find(self, recorded_too: Sequence[Case] = (), failed: Sequence[Call] = ()) -> list[Call]:
        """The calls to add to the records. `failed`: calls that could not be recorded, to be avoided."""
        self._failed = {arglist.signature(call.args) for call in failed}
        try:
            known, bases = self._accepted(), dict[tuple[Any, ...], Case]()
            for case in known:
                bases.setdefault(_structure(case), case)
            some = list(bases.values())[:BASES]
            self.domain = domain_of(self.version.schema, [*self.own, *self.others], some, self.refusal)
            self._fixed = frozenset(self.domain.values) | self._codes
            search = Search(self.domain, some, known, self.others, self.refusal, self.most)
            calls = [self.call(case) for case in search.run([*self.own, *recorded_too])]
            self.reasons = search.reasons
            return calls
        finally:
            self._prober.end()

"""The sources of ONNX's calls: onnx's own node test cases, and the operators' schemas.

A test case is a model of one node with its inputs. It becomes a call of the operator's current version and, if its
arguments can be expressed, of each older one that is still in use: an input that used to be an attribute (axes, pads, k)
becomes one. The schemas add argument combinations that no case shows: attributes omitted one by one and all together,
attributes given where a case omits them, and flags flipped; also first calls of operators without cases: onnx
accepts a few (probing).
"""

from __future__ import annotations

import itertools
import random
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.onnx_evaluate import (
    OPSET,
    history,
    infer,
    inferred_outputs,
    schema_and_opset,
)
from traces.collect.call.ranks import HIGHEST_RANK
from traces.collect.call.spec import Elements, Json, TensorSpec, Unsupported
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.onnx.adapter import OPERATORS, load, newest_name
from traces.collect.frameworks.onnx.calls.forms import PROBES, coded, forms, probes
from traces.collect.frameworks.onnx.calls.guesses import guesses
from traces.collect.frameworks.onnx.calls.prober import Prober
from traces.collect.frameworks.onnx.calls.turned import bare, grown, ranked, small
from traces.collect.frameworks.onnx.cases import CASES, TYPES, Case, Found, arguments, flags, node_cases, older
from traces.collect.judge.framework import NotTensors
from traces.collect.records.plan import Plan

OLDEST = 7
"""Oldest operator set whose operator versions are collected."""
LIMITS = {"operators": OPERATORS, "trials": 240, "records": 64, "spread": 1}
LIMITS_OF_LATER = {"operators": 7, "trials": 240}
LIMITS_OF_DOMAIN = {"operators": 10, "trials": 160, "records": 40, "spread": 1}
LIMITS_OF_OLDER = {"operators": 2, "trials": 100, "records": 40}
"""Limits for a current version, for an operator added after OPSET, and for an older version; see Settings.limited."""
LIMITS_OF_CODES = {"trials": 60, "records": 20}
LEAST_CODES = 3
"""Dtypes that an attribute must choose from, so that each gets an operator."""
CASES_OF_OLDER = 8
"""Calls of an older version made from cases: most equal those of the newer one."""
FORMS_OF = 6
"""Cases of an operator, with different structures, from which argument combinations are derived."""
GUESSED = 8
"""Accepted guesses of an operator of another domain, with different structures."""
RANKED = 4
"""Cases of an operator, with different numbers of inputs, that are converted to other ranks, each also without attributes."""
TOLD = 4
"""Calls made from a case for one rank."""
DTYPE_CODE = re.compile(r"(^|_)(to|dtype|type|precision)$")
"""Names of attributes that hold data types."""


class Collector:
    """Plans by API name."""

    def __init__(self) -> None:
        self.schemas = history()
        self.plans: dict[str, Plan] = defaultdict(Plan)
        self._adapter = load()
        self._prober = Prober(self._adapter)

    def add(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> bool:
        """Symbolizes a case into the API's plan; true if the plan grew."""
        plan = self.plans[api]
        before = len(plan.calls)
        try:
            made = arguments(case, schema)
            call = symbolise(api, made, fixed)
        except Unsupported as error:
            if case.source == CASES:
                plan.dropped[("", str(error))] += 1
            return False
        call.source = case.source
        if case.source != CASES and not self._accepts(call):
            return False
        plan.add(call)
        tensors = [value for _, positional, value in made if positional]
        if tensors and all(isinstance(value, TensorSpec) and value.given is not None and not value.dims for value in tensors):
            stated = [(name, pos, Elements(value.given, value.dtype) if pos else value) for name, pos, value in made]
            plan.add(replace(symbolise(api, stated, fixed), source=case.source))  # numbers alone: each decides something
        return len(plan.calls) > before

    def _accepts(self, call: Any) -> bool:
        """True if onnx itself accepts a guessed call."""
        try:
            infer(self._adapter.compile(call.api, call.args).model(call.values).SerializeToString())
        except (Rejected, Unanswered):
            return False
        return not is_of_domain(call.api) or self._prober.accepts(call)

    def of_domain(self, api: str, schema: Any, found: Found) -> None:
        """All calls of an operator of another domain: those from its cases and its first accepted guesses."""
        if not self._adapter.has_kernel(api):
            self.plans[api].dropped[("", "onnxruntime has no kernel on the CPU")] += 1
            return
        fixed = flags(schema, found.cases) | {name for name in schema.attributes if DTYPE_CODE.search(name)}
        known: dict[tuple[Any, ...], Case] = {}
        try:
            for case in itertools.chain(found.cases, guesses(schema)):
                if len(known) >= GUESSED:
                    break
                if _form(case) not in known and self._prober.accepts(symbolise(api, arguments(case, schema), fixed)):
                    known[_form(case)] = case
        except Unsupported as error:
            self.plans[api].dropped[("", str(error))] += 1
        self.operator(api, schema, Found(list(known.values()), found.dropped), schema, in_force=True)
        self._prober.end()

    def _ranked(self, api: str, schema: Any, cases: Sequence[Case], fixed: frozenset[str]) -> None:
        """Calls with small dimensions, and at ranks 1 to HIGHEST_RANK."""
        for case in cases:
            less = small(case)
            if less is not None:
                self.add(api, schema, less, fixed)
        by_degree: dict[int, Case] = {}
        for case in _different(cases, len(cases)):
            degree = sum(value is not None for value in case.inputs)
            before = by_degree.setdefault(degree, case)
            if before is not case and not self._runs(api, schema, before, fixed) and self._runs(api, schema, case, fixed):
                by_degree[degree] = case
        for case in list(by_degree.values())[:RANKED]:
            plain = small(case) or case
            for base, rank in itertools.product((bare(plain, schema), plain), range(1, HIGHEST_RANK + 1)):
                told = 0
                for other in ranked(base, schema, rank):
                    if told < TOLD and self.add(api, schema, other, fixed):
                        told += 1
                        self._grown(api, schema, other, fixed)
            self._grown(api, schema, plain, fixed)

    def _runs(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> bool:
        """True if a case is accepted with zeros as elements: some belong to other versions, some depend on their elements."""
        if is_of_domain(api):
            return self._prober.accepts(symbolise(api, arguments(case, schema), fixed))
        try:
            call = symbolise(api, arguments(case, schema), fixed)
            self._adapter.run(self._adapter.compile(api, call.args), call.values, "zeros")
        except (Unsupported, Rejected, Unanswered, NotTensors):
            return False
        return True

    def _grown(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> None:
        """Calls with one more optional input."""
        try:
            for more in grown(case, schema):
                self.add(api, schema, more, fixed)
        except Unsupported:  # an input that is not a tensor
            return

    def operator(self, api: str, schema: Any, found: Found, newest: Any, *, in_force: bool) -> int:
        """All calls of one version of an operator; the number of dtypes that an attribute chooses from."""
        cases = [older(case, newest, schema) for case in found.cases]
        fixed = flags(schema, cases) | {name for name in schema.attributes if DTYPE_CODE.search(name)}
        switches = flags(schema, cases)
        plan = self.plans[api]
        for reason in found.dropped:
            plan.dropped[("", reason)] += 1
        for case in cases if in_force else _spread(cases, CASES_OF_OLDER):
            self.add(api, schema, case, fixed)
        for case in _different(cases, FORMS_OF if in_force else 1):
            for form in forms(case, schema, switches):
                self.add(api, schema, form, fixed)
        if in_force:
            self._ranked(api, schema, cases, fixed)
        if not plan.calls or "seed" in schema.attributes:
            self._probe(api, schema, fixed)
        if not plan.calls and not plan.dropped:
            plan.dropped[("", "no call of it is known")] += 1
        return self._coded(api, schema, cases, fixed)

    def _coded(self, api: str, schema: Any, cases: Sequence[Case], fixed: frozenset[str]) -> int:
        """Calls for each dtype of the first output that an attribute chooses, at each rank; the number of these dtypes."""
        names = [name for name, a in schema.attributes.items() if a.type == TYPES.INT and DTYPE_CODE.search(name)]
        found = set()
        for case in _different(cases, 1) if names else ():
            plain = bare(small(case) or case, schema)
            for dtype, other in coded(plain, schema, names):
                if not self._gives(api, schema, other, fixed, dtype):
                    continue
                found.add(dtype)
                self.add(api, schema, other, fixed)
                for rank in range(HIGHEST_RANK + 1):
                    any(self.add(api, schema, turned, fixed) for turned in ranked(other, schema, rank))
        return len(found)

    def _gives(self, api: str, schema: Any, case: Case, fixed: frozenset[str], dtype: str) -> bool:
        """True if onnx accepts a guessed call and infers this dtype of its first output."""
        try:
            call = symbolise(api, arguments(case, schema), fixed)
            made = self._adapter.compile(api, call.args).model(call.values)
            return inferred_outputs(infer(made.SerializeToString()))[0][1] == dtype
        except (Unsupported, Rejected, Unanswered):
            return False

    def _probe(self, api: str, schema: Any, fixed: frozenset[str]) -> None:
        plan = self.plans[api]
        wanted = len(plan.calls) + PROBES
        try:
            for case in probes(schema):
                if len(plan.calls) >= wanted:
                    return
                self.add(api, schema, case, fixed)
        except Unsupported as error:
            plan.dropped[("", str(error))] += 1


def is_of_domain(api: str) -> bool:
    """True if an API is of another domain than the default one."""
    return api.count(".") > 1


def _spread(cases: Sequence[Case], count: int) -> list[Case]:
    """At most `count` cases, of as many structures as possible."""
    return _different(cases, count) if len(cases) > count else list(cases)


def _form(case: Case) -> tuple[Any, ...]:
    return (tuple(None if value is None else (value.ndim, str(value.dtype)) for value in case.inputs),
            tuple(sorted(case.attributes)), case.outputs)  # fmt: skip


def _different(cases: Sequence[Case], count: int) -> list[Case]:
    """The first case of each structure, the plainest dtypes first, then the others."""
    first: dict[tuple[Any, ...], Case] = {}
    for case in cases:
        first.setdefault(_form(case), case)
    plain = [case for case in first.values() if any(v is not None and v.dtype == np.float32 for v in case.inputs)]
    others = [case for case in first.values() if not any(case is p for p in plain)]
    return (plain + others)[:count]


def in_use(versions: Sequence[Any]) -> list[Any]:
    """Older versions than the current one that an operator set from OLDEST on contains."""
    known = [schema for schema in versions if schema.since_version <= OPSET]
    before = [schema for schema in known if schema.since_version <= OLDEST]
    return [schema for schema in known[:-1] if schema.since_version >= (before[-1].since_version if before else 0)]


def casts_like(schema: Any) -> bool:
    """True if the first output has the dtype of another input than the first, and the first its own dtype."""
    inputs, outputs = [formal.type_str for formal in schema.inputs], [formal.type_str for formal in schema.outputs]
    return bool(inputs and outputs) and outputs[0] in inputs[1:] and outputs[0] != inputs[0]


def _with_codes(schema: Any, limits: dict[str, int], codes: int, ranks: int) -> dict[str, int]:
    """The limits of an API. If an attribute or another input chooses an output's dtype, each combination of dtypes is
    recorded; for an attribute with more operators, each with fewer records."""
    if codes < LEAST_CODES:
        return {**limits, "dtypes": 1} if casts_like(schema) else limits
    return {**limits, **LIMITS_OF_CODES, "operators": limits["operators"] + codes * ranks, "dtypes": 1}


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The calls of all operators and of their versions in use, by API, symbolised."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    np.random.seed(1)
    random.seed(1)
    cases = node_cases()
    collector = Collector()
    limits: dict[str, dict[str, int]] = {}
    for done, (name, versions) in enumerate(sorted(collector.schemas.items())):
        report(done, len(collector.schemas))
        api = newest_name(name, versions)
        schema, opset = schema_and_opset(api, collector.schemas)
        if opset > OPSET:
            limits[api] = LIMITS_OF_LATER
        if schema.deprecated:
            collector.plans[api].dropped[("", f"deprecated since operator set {schema.since_version}")] += 1
        else:
            codes = collector.operator(api, schema, cases[name], versions[-1], in_force=True)
            limits[api] = _with_codes(schema, limits.get(api, LIMITS), codes, HIGHEST_RANK + 1)
        for old in in_use(versions):
            api = f"onnx.{name}_{old.since_version}"
            if not old.deprecated:
                codes = collector.operator(api, old, cases[name], versions[-1], in_force=False)
                limits[api] = _with_codes(old, LIMITS_OF_OLDER, codes, 1)
    for name, schema in sorted(onnx_domains.schemas().items()):
        api = f"onnx.{name}"
        collector.of_domain(api, schema, cases[name])
        limits[api] = LIMITS_OF_DOMAIN
    made = {}
    for api, plan in sorted(collector.plans.items()):
        made[api] = {**plan.to_json(), "limits": limits.get(api, LIMITS)}
    return made

"""Where ONNX's calls come from: the node test cases of onnx itself, and the operators' schemas.

A test case is a model of one node with its inputs. It becomes a call of the operator's version in force and, where its
arguments can be said so, of each older one that is still in use: an input that used to be an attribute (axes, pads, k)
becomes one. The schemas add the forms of arguments that no case shows: attributes left out, one by one and all, stated
where a case leaves them out, flags the other way; and first calls of operators without cases, of which onnx accepts
a few (probing).
"""

from __future__ import annotations

import itertools
import random
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

from rulefuzz.frameworks.onnx_evaluate import (
    OPSET,
    OUTPUTS,
    dtype_name,
    dtype_of_element_type,
    element_type,
    history,
    infer,
    schema_and_opset,
)
from traces.collect.call.ranks import HIGHEST_RANK
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.spec import Elements, Json, Literal, TensorSpec, Unsupported, of_integers
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.onnx.adapter import OPERATORS, load, newest_name
from traces.collect.judge.framework import NotTensors, Rejected, Unanswered
from traces.collect.records.plan import Plan

CASES, SCHEMA = "nodes", "schema"
GIVEN = 12
"""Elements up to which those of a tensor of integers are told one by one."""
GIVEN_FLOATS = 8
OLDEST = 7
"""Operator sets from which on an operator's versions are collected."""
LIMITS = {"operators": OPERATORS, "trials": 240, "records": 64, "spread": 1}
LIMITS_OF_LATER = {"operators": 7, "trials": 240}
LIMITS_OF_OLDER = {"operators": 2, "trials": 100, "records": 40}
"""What is kept of a version in force, of an operator that came after OPSET, and of an older version; see Settings.limited."""
CASES_OF_OLDER = 8
"""Calls of an older version that are made of cases: they are for the most part the same as of the newer one."""
FORMS_OF = 6
"""Cases of an operator, of different forms, that other forms of arguments are made from."""
RANKED = 4
"""Cases of an operator, of different numbers of inputs, that are told at other ranks, each also without attributes."""
TOLD = 4
"""Calls that are made of a case for one rank."""
SMALL = 5
"""The largest dimension that a model has by default; each case is told with dimensions up to it as well."""
DTYPE_CODE = re.compile(r"(^|_)(to|dtype|type|precision)$")
"""Names of attributes whose integers are data types."""
TYPES = defs.OpSchema.AttrType
OPTION = defs.OpSchema.FormalParameterOption

Arguments = list[tuple[str, bool, Any]]


@dataclass
class Case:
    """One node with its inputs, as plain values."""

    name: str
    inputs: list[Any]
    """For each input of the node: its elements, None where it is missing."""
    attributes: dict[str, Any]
    outputs: int
    source: str = CASES


@dataclass
class Found:
    """The cases of an operator, and why others are none."""

    cases: list[Case] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def _elements(value: Any) -> np.ndarray:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def _case(model: onnx.ModelProto, data: Sequence[Any]) -> Case:
    """The case of a model of one node; raises Unsupported."""
    node = model.graph.node[0]
    known: dict[str, Any] = {tensor.name: tensor for tensor in model.graph.initializer}
    for value_info, value in zip(model.graph.input, data, strict=False):
        known[value_info.name] = value
        if not value_info.type.HasField("tensor_type"):
            raise Unsupported("takes a sequence or an optional")
    inputs = [None if name == "" else _elements(known[name]) for name in node.input]
    attributes = {}
    for attribute in node.attribute:
        if attribute.ref_attr_name or attribute.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS):
            raise Unsupported("takes a graph")
        attributes[attribute.name] = helper.get_attribute_value(attribute)
    named = [i for i, name in enumerate(node.output) if name]
    return Case(model.graph.name, inputs, attributes, named[-1] + 1 if named else 1)


def _cases() -> dict[str, Found]:
    """The node test cases by operator; the cases of functions that are written out have more nodes than one."""
    found: dict[str, Found] = defaultdict(Found)
    for test in collect_testcases(None):
        if test.model is None or len(test.model.graph.node) != 1 or test.model.graph.node[0].domain:
            continue
        name = test.model.graph.node[0].op_type
        try:
            found[name].cases.append(_case(test.model, test.data_sets[0][0]))
        except Unsupported as error:
            found[name].dropped.append(str(error))
    return found


# --- from a case to a call ------------------------------------------------------------------------------------------


def _spec(array: np.ndarray) -> TensorSpec:
    if array.dtype.kind in "OUS":
        return TensorSpec(array.shape, "string")
    dtype = dtype_of_element_type(helper.np_dtype_to_tensor_dtype(array.dtype))
    if dtype in ("int64", "int32"):
        return of_integers(array.shape, dtype, array, GIVEN)
    if dtype in ("float32", "bool") and array.ndim <= 1 and array.size <= GIVEN_FLOATS:
        texts = [{"const": repr(item)} for item in array.ravel().tolist()]
        return TensorSpec(array.shape, dtype, texts if array.ndim else texts[0], (0, 0))  # no range: only its elements
    return TensorSpec(array.shape, dtype)


def _tensor_text(tensor: onnx.TensorProto) -> Literal:
    array = numpy_helper.to_array(tensor)
    if array.size > GIVEN:
        raise Unsupported("an attribute is a tensor of many elements")
    elements = [str(item) if array.dtype.kind in "OUS" else item for item in array.ravel().tolist()]
    if any(isinstance(item, float) and not np.isfinite(item) for item in elements):
        raise Unsupported("an attribute is a tensor with infinities")
    return Literal(repr((dtype_of_element_type(tensor.data_type), list(array.shape), elements)))


def _attribute(kind: Any, value: Any) -> Any:
    if kind == TYPES.STRING:
        return value.decode() if isinstance(value, bytes) else value
    if kind == TYPES.STRINGS:
        return [item.decode() if isinstance(item, bytes) else item for item in value]
    if kind == TYPES.FLOAT:
        return float(value)
    if kind == TYPES.INT:
        return int(value)
    if kind == TYPES.INTS:
        return [int(item) for item in value]
    if kind == TYPES.FLOATS:
        return [float(item) for item in value]
    if kind == TYPES.TENSOR:
        return _tensor_text(value)
    raise Unsupported(f"an attribute is of type {kind.name}")


def _formal_of(schema: Any, place: int) -> Any | None:
    if place < len(schema.inputs):
        return schema.inputs[place]
    last = schema.inputs[-1] if schema.inputs else None
    return last if last is not None and last.option == OPTION.Variadic else None


def older(case: Case, newer: Any, schema: Any) -> Case:
    """The case for another version of the operator: its inputs that are attributes there become such, attributes that
    it does not have are left out, as are inputs."""
    attributes = {name: value for name, value in case.attributes.items() if name in schema.attributes}
    kept = []
    for place, value in enumerate(case.inputs):
        formal = _formal_of(newer, place)
        name = formal.name if formal is not None else ""
        same = next((a for a in schema.attributes if a.lower() == name.lower() and a not in newer.attributes), None)
        if same is None:
            kept.append(value)
        elif value is not None:
            one = schema.attributes[same].type in (TYPES.INT, TYPES.FLOAT)
            attributes[same] = value.ravel().tolist()[0] if one and value.size else value.ravel().tolist()
    kept = kept[: min(len(kept), schema.max_input)]
    return replace(case, inputs=kept, attributes=attributes, outputs=min(case.outputs, schema.max_output))


def arguments(case: Case, schema: Any) -> Arguments:
    """The arguments of a call: inputs by position, a variadic one as a list, then attributes by name, sorted."""
    inputs = list(case.inputs)
    while inputs and inputs[-1] is None:
        inputs.pop()
    made: Arguments = []
    for place, value in enumerate(inputs):
        formal = _formal_of(schema, place)
        if formal is None:
            raise Unsupported("more inputs than the operator takes")
        plain = None if value is None else _spec(value)
        if formal.option == OPTION.Variadic:
            if made and made[-1][0] == formal.name:
                made[-1][2].append(plain)
                continue
            plain = [plain]
        made.append((formal.name, True, plain))
    for name in sorted(case.attributes):
        made.append((name, False, _attribute(schema.attributes[name].type, case.attributes[name])))
    if case.outputs != schema.min_output:
        made.append((OUTPUTS, False, Literal(repr(case.outputs))))
    return made


def flags(schema: Any, cases: Sequence[Case]) -> frozenset[str]:
    """Integer attributes that are 0 or 1 by default and in all cases: switches, not sizes."""
    found = set()
    for name, attribute in schema.attributes.items():
        if attribute.type != TYPES.INT:
            continue
        values = {case.attributes[name] for case in cases if name in case.attributes}
        stated = bool(attribute.default_value.type)
        if stated:
            values.add(helper.get_attribute_value(attribute.default_value))
        if values <= {0, 1} and (stated or len(values) > 1):
            found.add(name)
    return frozenset(found)


# --- other forms of the same arguments ------------------------------------------------------------------------------


def forms(case: Case, schema: Any, switches: frozenset[str]) -> Iterator[Case]:
    """The case with attributes left out, stated and switched, and with optional inputs left out."""
    optional = [name for name in sorted(case.attributes) if not schema.attributes[name].required]
    made = replace(case, source=SCHEMA)
    if len(optional) > 1:
        yield replace(made, attributes={k: v for k, v in case.attributes.items() if k not in optional})
    for name in optional:
        yield replace(made, attributes={k: v for k, v in case.attributes.items() if k != name})
    for name in sorted(switches):
        stated = case.attributes.get(name)
        if stated is None:
            attribute = schema.attributes[name]
            stated = helper.get_attribute_value(attribute.default_value) if attribute.default_value.type else 0
        yield replace(made, attributes={**case.attributes, name: 1 - stated})
    for name, attribute in sorted(schema.attributes.items()):
        if name not in case.attributes and attribute.default_value.type and name not in switches:
            value = helper.get_attribute_value(attribute.default_value)
            yield replace(made, attributes={**case.attributes, name: value})
    for place in range(len(case.inputs) - 1, 0, -1):
        formal = _formal_of(schema, place)
        if formal is None or formal.option != OPTION.Optional:
            break
        yield replace(made, inputs=case.inputs[:place])
    for count in range(schema.min_output, min(schema.max_output, schema.min_output + 3) + 1):
        if count != case.outputs:
            yield replace(made, outputs=count)


# --- other ranks and dimensions ------------------------------------------------------------------------------------

AXES = re.compile(r"^ax[ei]s$")
"""Names of inputs and attributes that count dimensions."""


def small(case: Case) -> Case | None:
    """The case with no dimension beyond SMALL, equal ones still equal; None if it has none beyond. Lists of integers,
    which may be of dimensions, follow."""
    kept = [value if value is None else np.minimum(value, SMALL) if _is_list(place, value) else
            np.resize(value, [min(dim, SMALL) for dim in value.shape]) for place, value in enumerate(case.inputs)]  # fmt: skip
    changed = any(old is not None and old.shape != new.shape for old, new in zip(case.inputs, kept, strict=True))
    return replace(case, inputs=kept, source=SCHEMA) if changed else None


def _is_list(place: int, value: np.ndarray) -> bool:
    """Whether an input is a list of integers that goes with the first input."""
    return place > 0 and value.ndim == 1 and value.dtype.kind == "i" and value.size <= GIVEN


def _bare(case: Case, schema: Any) -> Case:
    return replace(case, attributes={name: v for name, v in case.attributes.items() if schema.attributes[name].required})


def ranked(case: Case, schema: Any, rank: int) -> Iterator[Case]:
    """The case with its first input at another rank: dimensions put or taken away in front or at the end, of all inputs
    of the same rank, of the first alone, or of all; lists with an element for each dimension follow, or do not."""
    first = case.inputs[0] if case.inputs else None
    if first is None or first.ndim == rank:
        return
    for which, without, front in itertools.product(("same", "first", "all"), (0, 2, None), (False, True)):
        turn = Turn(first.ndim, rank, front=front, without=without)
        inputs = []
        for place, value in enumerate(case.inputs):
            formal = _formal_of(schema, place)
            if value is None or value.ndim == 0 or formal is None:
                inputs.append(value)
            elif place and AXES.match(formal.name) and value.size:
                inputs.append(np.array(turn.axes(value.ravel().tolist()), dtype=value.dtype))
            elif place and value.ndim == 1 and turn.listed(value.tolist()) is not None:
                inputs.append(np.array(turn.listed(value.tolist()), dtype=value.dtype))
            elif _is_list(place, value) or (place and value.ndim == 1 < first.ndim):
                inputs.append(value)
            elif place == 0 or which == "all" or (which == "same" and value.ndim == first.ndim):
                inputs.append(np.resize(value, turn.dims(value.shape)))
            else:
                inputs.append(value)
        attributes = {}
        for name, value in case.attributes.items():
            if AXES.match(name):
                attributes[name] = turn.axes(value) if isinstance(value, list) else turn.axes([value])[0]
            else:
                new = turn.listed(value) if schema.attributes[name].type == TYPES.INTS else None
                attributes[name] = value if new is None else new
        yield replace(case, inputs=inputs, attributes=attributes, source=RANKS)


def grown(case: Case, schema: Any) -> Iterator[Case]:
    """The case with the next optional input, a vector as long as some dimension of the others, or a tensor like the first."""
    place = len(case.inputs)
    given = [value for value in case.inputs if value is not None]
    if not given or place >= len(schema.inputs) or schema.inputs[place].option != OPTION.Optional:
        return
    formal = schema.inputs[place]
    alike = [value.dtype for value, other in zip(case.inputs, schema.inputs, strict=False)
             if value is not None and other.type_str == formal.type_str]  # fmt: skip
    lengths = dict.fromkeys(dim for value in given[:2] for dim in value.shape[:2])
    for dims in dict.fromkeys([*((length,) for length in lengths), given[0].shape]):
        new = np.ones(dims, alike[0]) if alike else _array(dims, _first_dtype(schema, formal.type_str))
        yield replace(case, inputs=[*case.inputs, new], source=RANKS)


class Turn:
    """From one rank to another; lists have elements for all dimensions but the first `without`, None: they stay."""

    def __init__(self, old: int, new: int, *, front: bool, without: int | None) -> None:
        self._old, self._new, self._front, self._without = old, new, front, without

    def _sized(self, items: Sequence[Any], fresh: Sequence[Any]) -> list[Any]:
        """The items with as many more, of `fresh`, or fewer, at the side where it happens."""
        more = self._new - self._old
        if more < 0:
            return list(items[-more:] if self._front else items[:more])
        return [*fresh[:more], *items] if self._front else [*items, *fresh[:more]]

    def dims(self, dims: Sequence[int]) -> list[int]:
        """A tensor's dimensions; new ones are small."""
        return self._sized(dims, (2, 3, 2, 1, 2))

    def axes(self, axes: Sequence[int]) -> list[int]:
        """The axes, those that are not there any more replaced."""
        there = [axis if -self._new <= axis < self._new else axis % self._new for axis in axes]
        return list(dict.fromkeys(there))

    def listed(self, items: Sequence[Any]) -> list[Any] | None:
        """A list that has an element, or two, for each dimension; None for another."""
        if self._without is None:
            return None
        length, count = self._old - self._without, len(items)
        if length <= 0 or count not in (length, 2 * length) or self._new <= self._without:
            return None
        if count == length > 1 and sorted(items) == list(range(count)):
            return list(reversed(range(self._new)))
        fresh = list(items[-1:]) * HIGHEST_RANK
        return [item for start in range(0, count, length) for item in self._sized(items[start : start + length], fresh)]


# --- probing --------------------------------------------------------------------------------------------------------

PROBE_DIMS = ((2, 3), (2, 3, 4), (2, 3, 4, 5), (2,), (4, 4), (1, 4, 6, 6), (1, 5), ())
PROBES = 6
"""Probes that are kept of an operator without cases."""


def _first_dtype(schema: Any, type_str: str) -> str:
    allowed = next((sorted(c.allowed_type_strs) for c in schema.type_constraints if c.type_param_str == type_str), [type_str])
    names = [name for name in map(dtype_name, allowed) if name is not None]
    if not names:
        raise Unsupported("takes a sequence or an optional")
    return next((wish for wish in ("float32", "int64", "bool", "string") if wish in names), names[0])


def _array(dims: Sequence[int], dtype: str) -> np.ndarray:
    if dtype == "string":
        return np.full(dims, "a", dtype=object)
    return np.ones(dims, helper.tensor_dtype_to_np_dtype(element_type(dtype)))


GUESSED = (TYPES.INT, TYPES.FLOAT, TYPES.INTS, TYPES.FLOATS, TYPES.STRING, TYPES.STRINGS, TYPES.TENSOR)


def _guesses(attribute: Any) -> list[Any]:
    if attribute.type == TYPES.INT:
        return [1, 2]
    if attribute.type == TYPES.FLOAT:
        return [1.0]
    if attribute.type == TYPES.INTS:
        return [[2], [2, 2], [2, 2, 2]]
    if attribute.type == TYPES.FLOATS:
        return [[1.0, 1.0], [1.0, 1.0, 2.0, 2.0]]
    if attribute.type == TYPES.STRING:
        return ["a"]
    if attribute.type == TYPES.STRINGS:
        return [["a", "b"]]
    if attribute.type == TYPES.TENSOR:
        return [helper.make_tensor("", onnx.TensorProto.FLOAT, [2], [1.0, 2.0])]
    raise Unsupported(f"an attribute that it requires is of type {attribute.type.name}")


def probes(schema: Any) -> Iterator[Case]:
    """Guessed calls: the required inputs at several ranks, required attributes small; raises Unsupported."""
    required = [formal for formal in schema.inputs if formal.option != OPTION.Optional]
    types = [_first_dtype(schema, formal.type_str) for formal in required]
    ranks = itertools.product(PROBE_DIMS, repeat=len(required)) if len(required) <= 2 else (((d,) * len(required)) for d in PROBE_DIMS)
    wanted = {name: _guesses(a) for name, a in sorted(schema.attributes.items()) if a.required}
    seeds = [{"seed": 1.0}] if "seed" in schema.attributes else [{}]
    choices = [dict(zip(wanted, values, strict=True)) for values in itertools.product(*wanted.values())]
    if not wanted and not required:  # nothing in but what attributes say: each alone
        others = [(name, a) for name, a in sorted(schema.attributes.items()) if a.type in GUESSED]
        choices += [{name: guess} for name, a in others for guess in _guesses(a)[:1]]
    for dims, attributes, seed in itertools.product(list(ranks), choices, seeds):
        inputs = [_array(d, t) for d, t in zip(dims, types, strict=True)]
        yield Case("probe", inputs, {**attributes, **seed}, schema.min_output, SCHEMA)


# --- collection -----------------------------------------------------------------------------------------------------


class Collector:
    """Plans by API name."""

    def __init__(self) -> None:
        self.schemas = history()
        self.plans: dict[str, Plan] = defaultdict(Plan)
        self._adapter = load()

    def add(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> bool:
        """Symbolises a case into the API's plan; whether that has become longer."""
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
        """Whether onnx itself accepts a call that nobody has shown to be one."""
        try:
            infer(self._adapter.compile(call.api, call.args).model(call.values).SerializeToString())
        except (Rejected, Unanswered):
            return False
        return True

    def _ranked(self, api: str, schema: Any, cases: Sequence[Case], fixed: frozenset[str]) -> None:
        """Calls of small dimensions, and at the ranks from 1 to HIGHEST_RANK."""
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
            case = small(case) or case
            for base, rank in itertools.product((_bare(case, schema), case), range(1, HIGHEST_RANK + 1)):
                told = 0
                for other in ranked(base, schema, rank):
                    if told < TOLD and self.add(api, schema, other, fixed):
                        told += 1
                        self._grown(api, schema, other, fixed)
            self._grown(api, schema, case, fixed)

    def _runs(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> bool:
        """Whether a case, of zeros, is accepted: some are of other versions of the operator, some are their elements."""
        try:
            call = symbolise(api, arguments(case, schema), fixed)
            self._adapter.run(self._adapter.compile(api, call.args), call.values, "zeros")
        except (Unsupported, Rejected, Unanswered, NotTensors):
            return False
        return True

    def _grown(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> None:
        """Calls with one optional input more."""
        try:
            for more in grown(case, schema):
                self.add(api, schema, more, fixed)
        except Unsupported:  # an input of another type than tensors
            return

    def operator(self, api: str, schema: Any, found: Found, newest: Any, *, in_force: bool) -> None:
        """All calls of one version of an operator."""
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


def _spread(cases: Sequence[Case], count: int) -> list[Case]:
    """At most `count` cases, of as many forms as there are."""
    return _different(cases, count) if len(cases) > count else list(cases)


def _form(case: Case) -> tuple[Any, ...]:
    return (tuple(None if value is None else (value.ndim, str(value.dtype)) for value in case.inputs),
            tuple(sorted(case.attributes)), case.outputs)  # fmt: skip


def _different(cases: Sequence[Case], count: int) -> list[Case]:
    """The first case of each form, the plainest dtypes first, then the others."""
    first: dict[tuple[Any, ...], Case] = {}
    for case in cases:
        first.setdefault(_form(case), case)
    plain = [case for case in first.values() if any(v is not None and v.dtype == np.float32 for v in case.inputs)]
    others = [case for case in first.values() if not any(case is p for p in plain)]
    return (plain + others)[:count]


def _in_use(versions: Sequence[Any]) -> list[Any]:
    """The versions older than the one in force that some operator set from OLDEST on has."""
    known = [schema for schema in versions if schema.since_version <= OPSET]
    before = [schema for schema in known if schema.since_version <= OLDEST]
    return [schema for schema in known[:-1] if schema.since_version >= (before[-1].since_version if before else 0)]


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The calls of all operators and of their versions in use, by API, symbolised."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    np.random.seed(1)
    random.seed(1)
    cases = _cases()
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
            collector.operator(api, schema, cases[name], versions[-1], in_force=True)
        for old in _in_use(versions):
            api = f"onnx.{name}_{old.since_version}"
            if not old.deprecated:
                collector.operator(api, old, cases[name], versions[-1], in_force=False)
                limits[api] = LIMITS_OF_OLDER
    made = {}
    for api, plan in sorted(collector.plans.items()):
        made[api] = {**plan.to_json(), "limits": limits.get(api, LIMITS)}
    return made

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

from traces.collect.onnx_oracle import OPSET, OUTPUTS, dtype_name, dtype_of_element_type, history, infer, load, schema_and_opset
from traces.collect.oracle import Rejected, Unanswered
from traces.collect.plan import Plan
from traces.collect.symbolise import Elements, Json, Literal, TensorSpec, Unsupported, of_integers, symbolise

CASES, SCHEMA = "nodes", "schema"
GIVEN = 12
"""Elements up to which those of a tensor of integers are told one by one."""
GIVEN_FLOATS = 8
OLDEST = 7
"""Operator sets from which on an operator's versions are collected."""
LIMITS = {"operators": 7, "trials": 240}
LIMITS_OF_OLDER = {"operators": 2, "trials": 100, "records": 40}
"""What is kept of a version in force, and of an older one; see Settings.limited."""
CASES_OF_OLDER = 8
"""Calls of an older version that are made of cases: they are for the most part the same as of the newer one."""
FORMS_OF = 6
"""Cases of an operator, of different forms, that other forms of arguments are made from."""
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
    return np.ones(dims, dtype={"float32": np.float32, "int64": np.int64, "bool": np.bool_}.get(dtype, dtype))


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
        self._oracle = load()

    def add(self, api: str, schema: Any, case: Case, fixed: frozenset[str]) -> None:
        """Symbolises a case into the API's plan."""
        plan = self.plans[api]
        try:
            made = arguments(case, schema)
            call = symbolise(api, made, fixed)
        except Unsupported as error:
            if case.source == CASES:
                plan.dropped[("", str(error))] += 1
            return
        call.source = case.source
        if case.source == SCHEMA and not self._accepts(call):
            return
        plan.add(call)
        tensors = [value for _, positional, value in made if positional]
        if tensors and all(isinstance(value, TensorSpec) and value.given is not None and not value.dims for value in tensors):
            stated = [(name, pos, Elements(value.given, value.dtype) if pos else value) for name, pos, value in made]
            plan.add(replace(symbolise(api, stated, fixed), source=case.source))  # numbers alone: each decides something

    def _accepts(self, call: Any) -> bool:
        """Whether onnx itself accepts a call that nobody has shown to be one."""
        try:
            infer(self._oracle.compile(call.api, call.args).model(call.values).SerializeToString())
        except (Rejected, Unanswered):
            return False
        return True

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
        schema, _ = schema_and_opset(f"onnx.{name}", collector.schemas)
        if schema.deprecated:
            collector.plans[f"onnx.{name}"].dropped[("", f"deprecated since operator set {schema.since_version}")] += 1
        else:
            collector.operator(f"onnx.{name}", schema, cases[name], versions[-1], in_force=True)
        for old in _in_use(versions):
            api = f"onnx.{name}_{old.since_version}"
            if not old.deprecated:
                collector.operator(api, old, cases[name], versions[-1], in_force=False)
                limits[api] = LIMITS_OF_OLDER
    made = {}
    for api, plan in sorted(collector.plans.items()):
        made[api] = {**plan.to_json(), "limits": limits.get(api, LIMITS)}
    return made

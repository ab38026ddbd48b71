"""ONNX's adapter: builds a model of one node, checks it and runs it.

A call is valid if two implementations accept it. The first is onnx: type and shape inference in strict mode, with all input
shapes known. The second runs the call: onnxruntime's CPU provider without graph optimization if it has a kernel for that
version of the operator, else onnx's reference evaluator. The output shapes are those of the run. If onnx inferred others,
onnx's checker would reject a model with this call, so the call counts as rejected.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as onnxruntime_state

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.onnx_evaluate import (
    OPSET,
    NoKernel,
    contradicts,
    dtype_name,
    dtype_of_element_type,
    history,
    infer,
    inferred_outputs,
    schema_and_opset,
    session_options,  # fmt: skip
)
from rulefuzz.frameworks.own import onnx as onnx_own
from traces.collect.call.arglist import dtypes
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx.elements import Pools
from traces.collect.frameworks.onnx.model import OnnxCall
from traces.collect.frameworks.onnx.runners import Evaluator, Runtime, describe, elements_of
from traces.collect.judge.framework import NotTensors, Output
from traces.collect.judge.trying import USUAL, Trying
from traces.collect.records.settings import Budget, Settings

LARGEST_OUTPUT = 1 << 24
"""Calls whose inferred outputs have more elements are not run."""
OPEN = (1 << 31) - 1
"""The end of an open range of versions."""
LAST = "chance"
"""The last stage, which marks operators whose results may differ between two implementations."""
FRAGILE: frozenset[str] = frozenset()
TRYING = Trying(
    (*USUAL, "uint16", "uint32", "uint64", "string"),
    codes={str(number): dtype_of_element_type(number) for number in (*range(1, 8), *range(9, 17))},
    coded=frozenset({"to", "dtype", "output_dtype"}),
)
"""Dtypes of calls, and the numbers of TensorProto that attributes give."""
COMBINATIONS = 1000
"""The maximum number of proposed combinations of dtypes of the type variables."""
OPERATORS = 14
"""Signatures kept per current version of an operator; ranks 1 to 5 and numbers of inputs take most of them."""
SETTINGS = Settings(1, Budget(), functions=OPERATORS)


def newest_name(name: str, versions: Sequence[Any]) -> str:
    """The API name: no version is appended for the version at OPSET or, for a later operator, its first version."""
    first = versions[0].since_version
    return f"onnx.{name}" if first <= OPSET else f"onnx.{name}_{first}"


class OnnxAdapter:
    """See judge.framework.Framework."""

    name = "onnx"
    opset = OPSET

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        self.version = onnx.__version__
        onnx_own.check()
        self._schemas = history()
        self.pools = Pools()
        self._options: onnxruntime.SessionOptions | None = None
        self._kernels: dict[str, list[tuple[int, int]]] = {}
        for kernel in onnxruntime_state.get_all_opkernel_def():
            if kernel.domain in ("", *onnx_domains.DOMAINS) and kernel.provider == "CPUExecutionProvider":
                name = onnx_domains.named(kernel.domain, kernel.op_name) if kernel.domain else kernel.op_name
                self._kernels.setdefault(name, []).append(kernel.version_range)

    def compile(self, api: str, args: Sequence[Json]) -> OnnxCall:
        """A callable form of a call."""
        return OnnxCall(*self._named(api), args)

    def _named(self, api: str) -> tuple[Any, int]:
        found = onnx_own.find(api)
        return (found, found.newest) if found else schema_and_opset(api, self._schemas)

    def has_kernel(self, api: str) -> bool:
        """Whether onnxruntime's CPU provider has a kernel for some dtypes."""
        return self._has_kernel(self._named(api)[0])

    def parameters(self, api: str) -> list[tuple[str, str, bool, bool]]:
        """See judge.framework.Telling."""
        found = onnx_own.find(api)
        return [(p.name, p.type, p.optional, p.is_input) for p in found.parameters] if found else []

    def options(self) -> onnxruntime.SessionOptions:
        """Created late, so that nothing of onnxruntime has started when the workers are forked."""
        if self._options is None:
            self._options = session_options()
            onnxruntime.set_default_logger_severity(4)
        return self._options

    def _runner(self, call: OnnxCall, values: Values) -> Any:
        """The runner of an input's model; the last one is cached."""
        if call.built is None or call.built[0] != values:
            try:
                call.built = values, self._build(call, values)
            except (Rejected, Unanswered, NotTensors) as error:
                call.built = values, error
        if isinstance(call.built[1], Exception):
            raise call.built[1]
        return call.built[1]

    def _build(self, call: OnnxCall, values: Values) -> Any:
        model = call.model(values)
        serialised = model.SerializeToString()
        call.inferred = inferred_outputs(infer(serialised))
        for dims, _ in call.inferred:
            if dims is not None and math.prod(dim or 0 for dim in dims) > LARGEST_OUTPUT:
                raise Unanswered("too large an output")
        if not call.by_reference:
            try:
                return Runtime(serialised, self.options(), strings=call.strings)
            except NoKernel as error:
                self._without_kernel(call, error)
        return Evaluator(model, call.classes)

    def _without_kernel(self, call: OnnxCall, error: NoKernel) -> None:
        """Sends the call to the reference evaluator from now on, unless other dtypes of its operator have a kernel."""
        if self._has_kernel(call.schema) or call.schema.domain == "com.microsoft":
            raise Unanswered("onnxruntime has no kernel for these dtypes") from error
        call.by_reference, call.built = True, None

    def _has_kernel(self, schema: Any) -> bool:
        if schema.domain:
            return onnx_domains.named(schema.domain, schema.name) in self._kernels
        ranges, version = self._kernels.get(schema.name, ()), schema.since_version  # an open range serves its first only
        return any(first == version or first < version <= last < OPEN for first, last in ranges)

    def _call(self, call: OnnxCall, values: Values, fill: str) -> list[Any]:
        try:
            arrays = [tensor.array(values, fill, self.pools) for tensor in call.inputs]
        except (AttributeError, TypeError, ValueError, OverflowError, KeyError) as error:
            raise Unanswered(f"cannot draw elements: {error}") from error
        try:
            return list(self._runner(call, values).run(call.inputs, arrays, call.names))
        except NoKernel as error:
            self._without_kernel(call, error)
            return list(self._runner(call, values).run(call.inputs, arrays, call.names))

    def run(self, call: OnnxCall, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs a call and describes its outputs."""
        found = tuple(map(describe, self._call(call, values, fill)))
        for (dims, _), (true, _) in zip(call.inferred, found, strict=True):
            if contradicts(dims, true):
                raise Rejected("onnx: the outputs' shape is not as inferred")
        return found

    def deterministic(self, call: OnnxCall, values: Values) -> bool:
        """True if three runs on the same input, each in a new session, give the same elements."""
        runs = []
        for _ in range(3):
            call.built = None
            runs.append([elements_of(value) for value in self._call(call, values, "normal")])
        for again in runs[1:]:
            for first, second in zip(runs[0], again, strict=True):
                if first is None or second is None:
                    continue
                numeric = first.dtype.kind in "fc"
                if first.shape != second.shape or not np.array_equal(first, second, equal_nan=numeric):
                    return False
        return True

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """The dtypes that the schema allows for the inputs: each type of each type variable, then each combination."""
        schema = self._named(api)[0]
        own, variables = list(dtypes(args)), []
        formal = list(schema.inputs)
        if not formal:
            return []
        for place, arg in enumerate(arg for arg in args if arg["pos"]):
            value = arg["value"]
            for leaf in value if isinstance(value, list) else [value]:
                if "tensor" in leaf:
                    variables.append(formal[min(place, len(formal) - 1)].type_str)
        allowed = {c.type_param_str: sorted(c.allowed_type_strs) for c in schema.type_constraints}
        rows = []
        for variable in dict.fromkeys(variables):
            for text in allowed.get(variable, ()):
                dtype = dtype_name(text)
                if dtype is not None:
                    rows.append([dtype if v == variable else old for v, old in zip(variables, own, strict=True)])
        names = [[name for name in map(dtype_name, allowed.get(v, ())) if name is not None] for v in dict.fromkeys(variables)]
        if math.prod(map(len, names)) <= COMBINATIONS:
            for row in itertools.product(*names):
                chosen = dict(zip(dict.fromkeys(variables), row, strict=True))
                rows.append([chosen[v] for v in variables])
        return rows


def load() -> OnnxAdapter:
    """See registry.load."""
    return OnnxAdapter()

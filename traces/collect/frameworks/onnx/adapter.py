"""ONNX's adapter: a model of one node, built, checked and run.

A call is valid if two parties accept it. The first is onnx itself: type and shape inference in strict mode, with all
input shapes known. The second is who runs it: onnxruntime's CPU provider without graph optimisation, where it has a
kernel for that version of the operator; onnx's reference evaluator where it has none. What the outputs' shapes are is
told by the one that ran it; if onnx had inferred others, a model with this call cannot pass onnx's checker: a refusal.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as onnxruntime_state
from onnx import helper
from onnx.reference import ReferenceEvaluator

from rulefuzz.frameworks.onnx_evaluate import (
    IR_VERSION,
    OPSET,
    OUTPUTS,
    NoKernel,
    attribute,
    constant,
    contradicts,
    dtype_name,
    dtype_of_element_type,
    element_type,
    history,
    infer,
    inferred_outputs,
    memory_ran_out,
    ort_value,
    refusal,
    schema_and_opset,
    session_options,  # fmt: skip
)
from traces.collect.call.arglist import dtypes
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import FILLS, NotTensors, Output, Rejected, Unanswered, ranged_elements
from traces.collect.records.settings import Budget, Settings

POOL = 1 << 16
"""Elements per dtype and fill that are drawn once; tensors are pieces of this pool."""
LARGEST_OUTPUT = 1 << 24
"""Elements of an output, as inferred, beyond which a call is not run."""
OPEN = (1 << 31) - 1
"""The end of a range of versions that has none."""
COUNTS_OUTPUTS = "num_outputs"
"""An attribute that must be the number of outputs; onnx's inference goes beyond its arrays where it is less."""
FRAGILE: frozenset[str] = frozenset()
OPERATORS = 14
"""Operators kept of a version in force: ranks 1 to 5 and numbers of inputs take most."""
SETTINGS = Settings(1, Budget(), functions=OPERATORS)


def newest_name(name: str, versions: Sequence[Any]) -> str:
    """The API that an operator's version in force at OPSET is; for one that came later, its first version with its number."""
    first = versions[0].since_version
    return f"onnx.{name}" if first <= OPSET else f"onnx.{name}_{first}"


class Pools:
    """Element pools by fill and dtype; the same piece always holds the same elements."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, str], np.ndarray] = {}
        for fill in FILLS:
            for dtype in ("float32", "int64", "bool"):
                self._pool(fill, dtype)

    def tensor(self, dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
        """A dense tensor that must not be written to; `place` numbers the tensors of a call, so that equal shapes differ."""
        count = math.prod(dims)
        pool = self._pool(fill, dtype)
        if count > POOL:
            return np.resize(pool, count).reshape(dims)
        start = min(place * 512, POOL - count)
        return pool[start : start + count].reshape(dims)

    def _pool(self, fill: str, dtype: str) -> np.ndarray:
        key = ("normal" if fill == "low" else fill, dtype)
        if key not in self._pools:
            self._pools[key] = self._draw(key[0], dtype)
        return self._pools[key]

    @staticmethod
    def _draw(fill: str, dtype: str) -> np.ndarray:
        rng = np.random.Generator(np.random.PCG64(1 + sum(fill.encode())))
        floating = "float" in dtype or "complex" in dtype
        if fill == "ones":
            drawn = np.ones(POOL)
        elif fill == "zeros":
            drawn = np.zeros(POOL)
        elif fill == "small":
            drawn = rng.random(POOL) if floating else np.floor(rng.random(POOL) * 3)
        elif fill == "normal":
            drawn = rng.standard_normal(POOL)
            drawn = drawn if floating else np.round(drawn * 4)
        else:
            drawn = (rng.random(POOL) * 2 - 1) * 1e6
        if dtype == "string":
            return np.array([f"{'abcdefgh'[int(abs(x)) % 8]}{int(x)}" for x in drawn], dtype=object)
        if dtype == "bool":
            return drawn > 0.5
        if dtype == "float16":
            drawn = drawn.clip(-6e4, 6e4)
        if dtype.startswith("float8"):
            drawn = drawn.clip(-200, 200)
        if dtype in ("uint8", "int8", "int16", "uint16"):
            drawn = np.remainder(drawn, 100)
        if dtype.startswith("uint"):
            drawn = np.abs(drawn)
        return drawn.astype(helper.tensor_dtype_to_np_dtype(element_type(dtype)))


class Input:
    """One tensor that goes into the model: a graph input, or a constant of it."""

    def __init__(self, value: Json, place: int) -> None:
        self.name, self.dtype, self._place = f"i{place}", value["dtype"], place
        self.is_constant = "elements" in value
        if self.is_constant:
            self._elements = _numbers(value["elements"])
            return
        self._dims = [int(symbol[1:]) for symbol in value["tensor"]]
        self._range = [int(symbol[1:]) for symbol in value["range"]] if "range" in value else None

    def dims(self, values: Values) -> list[int]:
        """The tensor's dimensions."""
        return [values[i] for i in self._dims]

    def array(self, values: Values, fill: str, pools: Pools) -> np.ndarray:
        """The tensor's elements."""
        if self.is_constant:
            kind = object if self.dtype == "string" else helper.tensor_dtype_to_np_dtype(element_type(self.dtype))
            return np.array(self._elements(values), dtype=kind)
        dims = self.dims(values)
        if self._range is None:
            return pools.tensor(dims, self.dtype, fill, self._place)
        low, high = (values[i] for i in self._range)
        return ranged_elements(math.prod(dims), low, high, fill, self._place).astype(self.dtype).reshape(dims)


def _numbers(value: Json) -> Callable[[Values], Any]:
    """A function that builds an attribute or a constant tensor's elements from the symbols' values."""
    if isinstance(value, str):
        index = int(value[1:])
        return lambda values: values[index]
    if isinstance(value, list):
        parts = [_numbers(item) for item in value]
        return lambda values: [part(values) for part in parts]
    fixed = constant(value["const"])
    return lambda values: fixed


class OnnxCall:
    """A compiled call: from symbols' values to a model, and the last model's session."""

    def __init__(self, schema: Any, opset: int, args: Sequence[Json]) -> None:
        self.schema, self.opset = schema, opset
        self.inputs: list[Input] = []
        self.node_inputs: list[str] = []
        self.attributes: list[tuple[str, Any, Callable[[Values], Any]]] = []
        self.outputs = schema.min_output
        self.by_reference = opset > OPSET
        self.problem = ""
        for arg in args:
            if arg["pos"]:
                for value in arg["value"] if isinstance(arg["value"], list) else [arg["value"]]:
                    self._input(value)
            elif arg["name"] == OUTPUTS:
                self.outputs = constant(arg["value"]["const"])
            elif arg["name"] in schema.attributes:
                self.attributes.append((arg["name"], schema.attributes[arg["name"]].type, _numbers(arg["value"])))
            else:
                self.problem = f"no attribute {arg['name']}"
        self.names = [f"o{i}" for i in range(self.outputs)]
        self.strings = any(input.dtype == "string" for input in self.inputs)
        self.built: tuple[Values, Any] | None = None
        """The last input and its session, evaluator or exception."""
        self.inferred: list[tuple[list[int | None] | None, str]] = []
        """What onnx says of the last input's outputs."""

    def _input(self, value: Json) -> None:
        if "const" in value:
            self.node_inputs.append("")
            return
        self.inputs.append(Input(value, len(self.inputs)))
        self.node_inputs.append(self.inputs[-1].name)

    def model(self, values: Values, *, fed: bool = False) -> onnx.ModelProto:
        """The model for an input. `fed`: constant tensors are graph inputs, too, without a value."""
        if self.problem:
            raise Rejected(f"onnx: {self.problem}")
        node = onnx.NodeProto(op_type=self.schema.name, input=self.node_inputs, output=self.names)
        try:
            for name, kind, build in self.attributes:
                node.attribute.append(attribute(name, kind, build(values)))
                if name == COUNTS_OUTPUTS and node.attribute[-1].i != self.outputs:
                    raise Rejected(f"onnx: {name} is not the number of outputs")
            graph = onnx.GraphProto(name="g", node=[node], output=[onnx.ValueInfoProto(name=name) for name in self.names])
            for tensor in self.inputs:
                if tensor.is_constant:
                    array = tensor.array(values, "", None)  # type: ignore[arg-type]
                    if not fed:
                        graph.initializer.append(onnx.numpy_helper.from_array(array, tensor.name))
                        continue
                    dims = list(array.shape)
                else:
                    dims = tensor.dims(values)
                graph.input.append(helper.make_tensor_value_info(tensor.name, element_type(tensor.dtype), dims))
        except (ValueError, TypeError, OverflowError) as error:
            raise Rejected(f"onnx: {error}") from error
        opset = onnx.OperatorSetIdProto(domain="", version=self.opset)
        return onnx.ModelProto(ir_version=IR_VERSION if self.opset <= OPSET else 13, graph=graph, opset_import=[opset])


class Runtime:
    """A session of onnxruntime, or None where it has no kernel; raises Rejected."""

    def __init__(self, serialised: bytes, options: onnxruntime.SessionOptions, *, strings: bool, fed: bool = False) -> None:
        self._strings, self._fed = strings, fed
        try:
            self._session = onnxruntime.InferenceSession(serialised, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise refusal(error) from error

    def run(self, inputs: Sequence[Input], arrays: Sequence[np.ndarray], names: Sequence[str]) -> list[Any]:
        """The outputs, as OrtValues or, with strings among the inputs, as arrays."""
        pairs = zip(inputs, arrays, strict=True)
        fed = [(tensor, array) for tensor, array in pairs if self._fed or not tensor.is_constant]
        try:
            if self._strings:
                return list(self._session.run(names, {tensor.name: array for tensor, array in fed}))
            values = {tensor.name: ort_value(array, tensor.dtype) for tensor, array in fed}
            return list(self._session.run_with_ort_values(names, values))
        except Exception as error:
            raise refusal(error) from error


class Evaluator:
    """The reference evaluator, used as Runtime is."""

    def __init__(self, model: onnx.ModelProto) -> None:
        try:
            self._evaluator = ReferenceEvaluator(model)
        except Exception as error:
            raise self._refusal(error) from error

    def run(self, inputs: Sequence[Input], arrays: Sequence[np.ndarray], names: Sequence[str]) -> list[Any]:
        """The outputs, as arrays."""
        fed = {tensor.name: array.copy() for tensor, array in zip(inputs, arrays, strict=True) if not tensor.is_constant}
        try:
            with np.errstate(all="ignore"):
                return list(self._evaluator.run(list(names), fed))
        except Exception as error:
            raise self._refusal(error) from error

    @staticmethod
    def _refusal(error: Exception) -> Exception:
        if isinstance(error, MemoryError) or memory_ran_out(str(error)):
            return Unanswered("out of memory")
        if isinstance(error, (NotImplementedError, ImportError)):
            return Unanswered("neither onnxruntime nor the reference evaluator has it")
        return Rejected(f"reference: {type(error).__name__}: {error}")


def describe(value: Any) -> Output:
    if isinstance(value, onnxruntime.OrtValue):
        if not value.has_value() or not value.is_tensor():
            raise NotTensors("an output is not a tensor but a sequence or an optional")
        return tuple(value.shape()), dtype_name(value.data_type()) or ""
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        if value.dtype.kind in "OUS":
            return value.shape, "string"
        return value.shape, dtype_of_element_type(helper.np_dtype_to_tensor_dtype(value.dtype))
    if isinstance(value, (list, tuple)) or value is None:
        raise NotTensors("an output is not a tensor but a sequence or an optional")
    raise NotTensors(f"an output is not a tensor but {type(value).__name__}")


def _elements(value: Any) -> Any:
    try:
        return value.numpy() if isinstance(value, onnxruntime.OrtValue) else np.asarray(value)
    except RuntimeError:  # numpy does not have this dtype
        return None


class OnnxAdapter:
    """See judge.framework.Framework."""

    name = "onnx"
    random = True
    opset = OPSET

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        self.version = onnx.__version__
        self._schemas = history()
        self.pools = Pools()
        self._options: onnxruntime.SessionOptions | None = None
        self._kernels: dict[str, list[tuple[int, int]]] = {}
        for kernel in onnxruntime_state.get_all_opkernel_def():
            if kernel.domain == "" and kernel.provider == "CPUExecutionProvider":
                self._kernels.setdefault(kernel.op_name, []).append(kernel.version_range)

    def compile(self, api: str, args: Sequence[Json]) -> OnnxCall:
        """A callable form of a call."""
        return OnnxCall(*schema_and_opset(api, self._schemas), args)

    def options(self) -> onnxruntime.SessionOptions:
        """Made late, so that nothing of onnxruntime has started when the workers are forked."""
        if self._options is None:
            self._options = session_options()
            onnxruntime.set_default_logger_severity(4)
        return self._options

    def _runner(self, call: OnnxCall, values: Values) -> Any:
        """What runs the model of an input; the last one is kept."""
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
        return Evaluator(model)

    def _without_kernel(self, call: OnnxCall, error: NoKernel) -> None:
        """From now on the call goes to the reference evaluator, unless other dtypes of its operator have a kernel."""
        if self._has_kernel(call.schema):
            raise Unanswered("onnxruntime has no kernel for these dtypes") from error
        call.by_reference, call.built = True, None

    def _has_kernel(self, schema: Any) -> bool:
        ranges, version = self._kernels.get(schema.name, ()), schema.since_version  # an open range serves its first only
        return any(first == version or first < version <= last < OPEN for first, last in ranges)

    def _call(self, call: OnnxCall, values: Values, fill: str) -> list[Any]:
        try:
            arrays = [tensor.array(values, fill, self.pools) for tensor in call.inputs]
        except (AttributeError, TypeError, ValueError, OverflowError, KeyError) as error:
            raise Unanswered(f"no elements: {error}") from error
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
        """Whether three runs on the same input, each of a session of its own, give the same elements."""
        runs = []
        for _ in range(3):
            call.built = None
            runs.append([_elements(value) for value in self._call(call, values, "normal")])
        for again in runs[1:]:
            for first, second in zip(runs[0], again, strict=True):
                if first is None or second is None:
                    continue
                numeric = first.dtype.kind in "fc"
                if first.shape != second.shape or not np.array_equal(first, second, equal_nan=numeric):
                    return False
        return True

    def wishes(self, api: str, args: Sequence[Json]) -> list[list[str]]:
        """The dtypes that the schema allows for the inputs: each type of each of its type variables."""
        schema = schema_and_opset(api, self._schemas)[0]
        own, variables = list(dtypes(args)), []
        formal = list(schema.inputs)
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
        return rows


def load() -> OnnxAdapter:
    """See registry.load."""
    return OnnxAdapter()
